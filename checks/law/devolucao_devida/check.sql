-- An appeal granted against a fine already paid: the norm's share of what was paid goes back. Paid without an amount is paid in full.
with pagas as (
    select a.*, p.parte, coalesce(a.valor_pago, a.valor_decidido, a.valor) as pago_total,
           nullif(list_concat(
               coalesce(ilegivel(a.desconhecidos, ['decisao_recurso', 'decisao_recurso_em', 'pago_em', 'valor_pago']), []),
               case when coalesce(a.valor_pago, a.valor_decidido, a.valor) is null then ['valor_pago'] else []::varchar[] end), []) as falta
    from fatos.autos a
    join p using (norma)
    where a.decisao_recurso = 'provido' and (a.pago or a.valor_pago > 0)
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
