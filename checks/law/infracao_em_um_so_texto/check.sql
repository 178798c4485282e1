-- A conduct that only the articles or only the annex has, and what it gives on the day of the fact. A person decides.
with conflitos as (
    select c.*, unnest(list_filter([c.codigo_artigo, c.codigo_anexo], lambda k: k is not null)) as codigo
    from norma.conflitos c
    join p on p.norma = c.norma and list_contains(p.conflitos, c.situacao)
), autos as (
    select a.auto_id, a.permissionario_id, a.ocorrido_em, a.estado_auto, a.incerto, a.valor, c.*, i.unidade, v.valor as valor_unidade
    from fatos.autos a
    join conflitos c on c.norma = a.norma and c.codigo = a.codigo
    left join norma.infracoes i on i.norma = a.norma and i.codigo = a.codigo
        and a.ocorrido_em::date between coalesce(i.vigente_de, '-infinity'::date) and coalesce(i.vigente_ate, 'infinity'::date)
    left join fatos.referencias v on v.unidade = i.unidade and a.ocorrido_em::date >= v.vigente_desde and a.ocorrido_em::date < v.vigente_antes_de
    where a.estado_auto <> 'cancelado'
)
select a.norma,
       case when a.incerto is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       a.auto_id as sujeito_id,
       a.permissionario_id,
       null::date as devido_em,
       case when a.incerto is null then (a.valor_adotado * a.valor_unidade)::decimal(18, 2) end as valor,
       struct_pack(codigo := a.codigo, conduta := a.conduta, ocorrido_em := a.ocorrido_em, estado_auto := a.estado_auto, valor := a.valor,
                   conflito := a.situacao, codigo_artigo := a.codigo_artigo, codigo_anexo := a.codigo_anexo, grupo_adotado := a.grupo_adotado, quantidade := a.valor_adotado, valor_unidade := a.valor_unidade,
                   valor_calculado := (a.valor_adotado * a.valor_unidade)::decimal(18, 2), falta := a.incerto) as evidencia
from autos a
join registro.permissionarios h using (permissionario_id)
where not h.silencioso
