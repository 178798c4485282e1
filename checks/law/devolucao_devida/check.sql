-- An appeal granted against a fine already paid: the norm's share of what was paid goes back. Paid without an amount is paid in full.
with pagas as (
    select a.*, p.parte, coalesce(a.valor_pago, a.valor_decidido, a.valor) as pago_total,
           nullif(list_concat(
               coalesce(ilegivel(a.desconhecidos, ['decisao_recurso', 'decisao_recurso_em', 'pago_em', 'valor_pago']
                   -- read only where what counts before them was not given
                   || case when a.valor_pago is null then ['valor_decidido'] else []::varchar[] end
                   || case when a.valor_pago is null and a.valor_decidido is null then ['valor'] else []::varchar[] end), []),
               case when coalesce(a.valor_pago, a.valor_decidido, a.valor) is null
                         and ilegivel(a.desconhecidos, ['valor_pago', 'valor_decidido', 'valor']) is null
                    then ['valor_pago'] else []::varchar[] end), []) as falta
    from fatos.autos a
    join p using (norma)
    where (a.decisao_recurso = 'provido' and (a.pago or a.valor_pago > 0))
       or (a.desconhecidos is not null
           and (a.decisao_recurso = 'provido' or ilegivel(a.desconhecidos, ['decisao_recurso']) is not null)
           and (a.pago or a.valor_pago > 0 or ilegivel(a.desconhecidos, ['pago_em', 'valor_pago']) is not null))
)
select norma,
       case when falta is not null then 'nao_avaliado' else 'violacao' end as situacao,
       auto_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       case when falta is null then (pago_total * parte)::decimal(18, 2) end as valor,
       struct_pack(codigo, ocorrido_em, decisao_recurso, ciencia_recurso_em, valor, valor_decidido, valor_pago := pago_total, parte_devolvida := parte,
                   valor_calculado := (pago_total * parte)::decimal(18, 2),
                   valor_retido := pago_total - (pago_total * parte)::decimal(18, 2), falta) as evidencia
from pagas
where coalesce(pago_total > 0, true)
