-- Autos whose code the two texts of a norm do not treat alike, in the ways (norma.conflitos.situacao) that the relation named lists
-- (norma, conflitos), with what the milder text gives on the day of the fact.
create or replace macro fatos.autos_em_conflito(relacao) as table
with divergentes as materialized (
    select n.nid, unnest(list_filter([c.codigo_artigo, c.codigo_anexo], lambda k: k is not null)) as codigo, c.*
    from norma.conflitos c
    join registro.normas n using (norma)
    join query_table(relacao) q on q.norma = c.norma and list_contains(q.conflitos, c.situacao)
)
select a.auto_id, a.permissionario_id, a.ocorrido_em, a.estado_auto, a.incerto, a.valor, c.* exclude (nid), i.unidade,
       v.valor as valor_unidade, (c.valor_adotado * v.valor)::decimal(18, 2) as valor_calculado
from fatos.autos a
join divergentes c on c.nid = a.nid and c.codigo = a.codigo
join registro.permissionarios h on h.permissionario_id = a.permissionario_id and not h.silencioso
left join norma.infracoes i on i.norma = c.norma and i.codigo = c.codigo
    and a.ocorrido_em::date between coalesce(i.vigente_de, '-infinity'::date) and coalesce(i.vigente_ate, 'infinity'::date)
left join fatos.referencias v on v.unidade = i.unidade and a.ocorrido_em::date >= v.vigente_desde and a.ocorrido_em::date < v.vigente_antes_de
where a.estado_auto <> 'cancelado';
