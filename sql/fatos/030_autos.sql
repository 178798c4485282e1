-- Where each auto stands on $as_of and when its payment falls due: results.md "When an auto counts",
-- checks.md multa_vencida. What is dated after $as_of has not happened.
create or replace table fatos.autos as
with crus as (
    select a.auto_id, a.permissionario_id, a.veiculo_id, a.condutor_id, a.linha_id, a.codigo, a.ocorrido_em,
           p.norma, p.nid, pr.recurso_suspensivo, pr.transito_dias, pr.transito_dias is not null as por_transito, pr.exige_vence_em,
           coalesce(a.lavrado_em, a.ocorrido_em::date) as lavrado_em,
           coalesce(a.ciencia_em, a.lavrado_em, a.ocorrido_em::date) as ciencia_em,
           ate(a.defesa_em, $as_of) as defesa_em,
           case when a.decisao is not null and coalesce(a.decisao_em <= $as_of, true) then a.decisao end as decisao,
           coalesce(a.ciencia_decisao_em, a.decisao_em) as ciencia_decisao_em,
           ate(a.recurso_em, $as_of) as recurso_em,
           case when a.decisao_recurso is not null and coalesce(a.decisao_recurso_em <= $as_of, true)
                then a.decisao_recurso end as decisao_recurso,
           coalesce(a.ciencia_recurso_em, a.decisao_recurso_em) as ciencia_recurso_em,
           a.vence_em, a.valor, a.valor_decidido,
           coalesce(a.situacao = 'cancelado' and coalesce(a.cancelado_em <= $as_of, true), a.cancelado_em <= $as_of, false) as anulado,
           case when a.pago_em > $as_of then null else a.valor_pago end as valor_pago,
           coalesce(a.pago_em <= $as_of, false) as pago,
           a.local is null as sem_local, a.agente is null as sem_agente, a.descricao is null as sem_descricao,
           a.desconhecidos
    from extrato.autos a
    join registro.permissionarios p using (permissionario_id)
    left join norma.processo pr on pr.norma = p.norma
    where coalesce(a.lavrado_em, a.ocorrido_em::date) <= $as_of
), prazos as (
    select c.*,
           t.fim_defesa,
           coalesce(c.defesa_em <= t.fim_defesa, false) as defesa_tempestiva,
           d.fim_decisao,
           d.fim_recurso,
           -- an appeal answers the decision of a timely defence; where it suspends (the first instance is itself an appeal), it also
           -- answers the auto, within the same term as a defence
           coalesce(case when c.defesa_em <= t.fim_defesa then c.decisao is not null and c.recurso_em <= d.fim_recurso
                         when c.recurso_suspensivo then c.recurso_em <= t.fim_defesa end, false) as recurso_tempestivo,
           v.proximo_util as vence_rolado
    from crus c
    left join fatos.prazos t on t.chave = c.nid * 100000 + (c.ciencia_em - date '1900-01-01')::integer
    left join fatos.prazos d on d.chave = c.nid * 100000
        + (case when c.decisao is not null and c.defesa_em is not null then c.ciencia_decisao_em end - date '1900-01-01')::integer
    left join fatos.prazos v on v.chave = c.nid * 100000
        + (case when c.exige_vence_em then c.vence_em end - date '1900-01-01')::integer
), estados as (
    select *,
           -- a date that could not be read does not cancel: it leaves the auto in doubt
           coalesce((anulado and ilegivel(desconhecidos, ['cancelado_em']) is null)
                    or (decisao = 'improcedente' and ilegivel(desconhecidos, ['decisao_em']) is null)
                    or (decisao_recurso = 'provido' and ilegivel(desconhecidos, ['decisao_recurso_em']) is null), false) as cancelado,
           -- what could not be read and decides where the auto stands: only what the norm looks at
           case when desconhecidos is not null then ilegivel(desconhecidos, list_concat(
               ['lavrado_em', 'ciencia_em', 'defesa_em', 'decisao', 'decisao_recurso', 'situacao', 'cancelado_em'],
               case when decisao is not null then ['decisao_em'] else [] end,
               case when decisao is not null and defesa_tempestiva then ['ciencia_decisao_em'] else [] end,
               case when decisao_recurso is not null then ['decisao_recurso_em'] else [] end,
               case when recurso_suspensivo then ['recurso_em'] else [] end,
               case when recurso_suspensivo and recurso_tempestivo and decisao_recurso is not null then ['ciencia_recurso_em'] else [] end)) end as incerto,
           -- what stops the payment term: not notified, or a timely defence or suspensive appeal not settled and notified
           ciencia_em > $as_of
             or (defesa_tempestiva and (decisao is null or coalesce(ciencia_decisao_em > $as_of, false)))
             or (coalesce(recurso_suspensivo, false) and recurso_tempestivo
                 and (decisao_recurso is null or coalesce(ciencia_recurso_em > $as_of, false))) as pendente,
           coalesce(fim_defesa >= $as_of, false) and decisao is null as prazo_aberto,
           case when por_transito and coalesce(recurso_suspensivo, false) and recurso_tempestivo then ciencia_recurso_em
                when defesa_tempestiva and decisao is not null then
                    case when por_transito then fim_recurso else fim_decisao end
                else fim_defesa end as base
    from prazos
)
select e.* exclude (anulado, base, vence_rolado, por_transito, prazo_aberto, fim_decisao, recurso_suspensivo),
       case when cancelado then 'cancelado'
            when incerto is not null then 'incerto'
            when pendente or prazo_aberto then 'em_defesa'
            else 'confirmado' end as estado_auto,
       base as fim_base,
       case when por_transito then t.fim_transito
            when exige_vence_em then case when vence_rolado is not null then greatest(vence_rolado, base) end
            else base end as devido_em,
       coalesce(e.exige_vence_em, false) and e.vence_em is null as falta_vence_em,
       -- surely paid in full, the usual case: a look at debts alone skips it
       e.pago and e.desconhecidos is null
           and (e.valor_pago is null or (e.valor_decidido is null and coalesce(e.valor_pago >= e.valor, false))) as quitado
from estados e
left join fatos.prazos t on t.chave = e.nid * 100000 + (case when e.por_transito then e.base end - date '1900-01-01')::integer;
