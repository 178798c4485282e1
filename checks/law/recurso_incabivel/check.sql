-- An appeal not yet decided against a fine below the norm's minimum, at the unit's value on the day the auto was drawn up,
-- or made before paying. Nothing is refused here: a person decides.
with recorridos as (
    select a.auto_id, a.permissionario_id, a.norma, a.codigo, a.lavrado_em, a.recurso_em, p.minimo, p.unidade, v.valor as valor_unidade,
           coalesce(case when a.decisao in ('procedente', 'parcial') then a.valor_decidido end, a.valor) as valor_lancado, i.valor as quantidade,
           (p.minimo * v.valor)::decimal(18, 2) as valor_minimo,
           p.pagamento_antes and not a.pago and coalesce(a.valor_pago, 0) = 0 as sem_pagamento,
           nullif(list_concat(coalesce(a.incerto, []), coalesce(ilegivel(a.desconhecidos, ['valor', 'valor_decidido', 'pago_em', 'valor_pago']), [])), []) as ilegiveis
    from fatos.autos a
    join p using (norma)
    left join norma.infracoes i on i.norma = a.norma and i.codigo = a.codigo and i.unidade = p.unidade
        and a.ocorrido_em::date between coalesce(i.vigente_de, '-infinity'::date) and coalesce(i.vigente_ate, 'infinity'::date)
    left join fatos.referencias v on v.unidade = p.unidade and a.lavrado_em >= v.vigente_desde and a.lavrado_em < v.vigente_antes_de
    where a.recurso_em is not null and a.decisao_recurso is null and a.estado_auto <> 'cancelado'
), julgados as (
    select *,
           case when valor_lancado is not null then valor_lancado < valor_minimo else quantidade < minimo end as abaixo,
           nullif(list_concat(coalesce(ilegiveis, []),
               case when valor_lancado is not null and valor_unidade is null then ['valores_referencia.' || unidade]
                    when valor_lancado is null and quantidade is null then ['valor'] else []::varchar[] end), []) as falta
    from recorridos
)
select norma,
       case when falta is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       auto_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(codigo, lavrado_em, recurso_em, valor := valor_lancado, quantidade, unidade, valor_unidade, minimo, valor_minimo,
                   abaixo_do_minimo := abaixo, recurso_sem_pagamento := sem_pagamento, falta) as evidencia
from julgados
join registro.permissionarios h using (permissionario_id, norma)
where (falta is not null or abaixo or sem_pagamento) and not h.silencioso
