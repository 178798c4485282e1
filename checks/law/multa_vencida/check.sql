-- Still due: (valor_decidido, else valor, else the norm's amount) less what was paid; silent while the auto is not
-- notified or a timely defence (or suspensive appeal) is not settled and notified.
-- First who may owe something, from a few columns; the rest is read of those alone. What could not be read keeps an auto in.
with devidos as materialized (
    select rowid as rid
    from fatos.autos
    where not cancelado
      and (desconhecidos is not null
           or (not pendente and not (pago and valor_pago is null)
               and coalesce(coalesce(case when decisao in ('procedente', 'parcial') then valor_decidido end, valor) > coalesce(valor_pago, 0), true)))
), lidas as materialized (
    select a.* from devidos join fatos.autos a on a.rowid = devidos.rid
), abertas as (
    select a.*, p.aviso_dias, p.aviso_deposito,
           case when a.decisao in ('procedente', 'parcial') then a.valor_decidido end as valor_que_conta,
           nullif(list_concat(
               coalesce(a.incerto, []),
               coalesce(ilegivel(a.desconhecidos, ['pago_em']), []),
               case when a.pago then coalesce(ilegivel(a.desconhecidos, ['valor_pago']), []) else []::varchar[] end,
               case when a.decisao in ('procedente', 'parcial') then coalesce(ilegivel(a.desconhecidos, ['valor_decidido']), []) else []::varchar[] end,
               case when a.exige_vence_em then coalesce(ilegivel(a.desconhecidos, ['vence_em']), []) else []::varchar[] end), []) as ilegiveis
    from lidas a
    join p using (norma)
    where (not a.pendente or (a.incerto is not null and a.ciencia_em <= $as_of))
      and not (a.pago and a.valor_pago is null and ilegivel(a.desconhecidos, ['valor_pago']) is null)
      -- nothing to say yet: the term is known and still far
      and (a.devido_em is null or a.incerto is not null or a.devido_em - p.aviso_dias <= $as_of)
), valoradas as (
    select b.*, n.valor_norma, n.quantidade, n.unidade, n.valor_unidade,
           case when b.valor_que_conta is null then ilegivel(b.desconhecidos, ['valor']) end as valor_ilegivel,
           coalesce(b.valor_que_conta, b.valor, n.valor_norma) - coalesce(b.valor_pago, 0) as valor_devido
    from abertas b
    left join fatos.valor_da_norma n on n.norma = b.norma and n.codigo = b.codigo
        and b.ocorrido_em::date >= n.desde and b.ocorrido_em::date < n.antes_de
        and b.valor_que_conta is null and b.valor is null
), julgadas as (
    select *,
           nullif(list_concat(coalesce(ilegiveis, []), coalesce(valor_ilegivel, []),
               case when ilegiveis is null and devido_em is null then
                   case when falta_vence_em then ['vence_em'] else ['decisao_em'] end
               else []::varchar[] end), []) as falta
    from valoradas
    where (coalesce(valor_devido > 0, true) or valor_ilegivel is not null
           or coalesce(list_has_any(ilegiveis, ['pago_em', 'valor_decidido']), false))
      and not (devido_em is null and estado_auto = 'em_defesa')
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > devido_em then 'violacao'
            else 'a_vencer' end as situacao,
       auto_id as sujeito_id,
       permissionario_id,
       case when falta is null then devido_em end as devido_em,
       case when falta is null then valor_devido end::decimal(18, 2) as valor,
       struct_pack(codigo, ocorrido_em, lavrado_em, ciencia_em, estado_auto, fim_defesa, defesa_em, defesa_tempestiva, decisao,
                   ciencia_decisao_em := case when decisao is not null then ate(ciencia_decisao_em, $as_of) end, recurso_em, recurso_tempestivo,
                   decisao_recurso, ciencia_recurso_em := case when decisao_recurso is not null then ate(ciencia_recurso_em, $as_of) end, fim_base, transito_dias,
                   vence_em, valor, valor_decidido, valor_norma, quantidade, unidade, valor_unidade, valor_pago,
                   defesa_sem_deposito := aviso_deposito and defesa_em is not null, falta) as evidencia
from julgadas
