-- Terms of defence and of appeal still open for the operator to use: of autos, and of processes against the permit.
-- They are no fault: nothing is demanded, and the day they end is what matters. The amount is told only while it is owed.
create or replace temp table avisos_prazos as
with dispensados as (
    select distinct sujeito_id from achados_historico
    where execucao_id = $execucao_id and situacao = 'dispensado' and sujeito_tipo = 'auto'
), autos as (
    select a.*, case when not a.pago and d.sujeito_id is null then coalesce(case when a.decisao is not null then a.valor_decidido end, a.valor) end as cobrado
    from fatos.autos a
    left join dispensados d on d.sujeito_id = a.auto_id
    where a.estado_auto in ('confirmado', 'em_defesa') and (a.fim_defesa >= $as_of or a.fim_recurso >= $as_of)
), abertos as (
    select 'prazo-defesa-' || auto_id as achado_id, 'defesa' as tipo, permissionario_id, norma, 'auto' as sujeito_tipo, auto_id as sujeito_id,
           fim_defesa as devido_em, cobrado as valor, codigo, ocorrido_em::date as fato_em, null as ato, null as fundamento
    from autos
    where estado_auto = 'em_defesa' and ciencia_em <= $as_of and fim_defesa >= $as_of and defesa_em is null and decisao is null
    union all
    select 'prazo-recurso-' || auto_id, 'recurso', permissionario_id, norma, 'auto', auto_id,
           fim_recurso, cobrado, codigo, ocorrido_em::date, null, null
    from autos
    where decisao in ('procedente', 'parcial') and ciencia_decisao_em <= $as_of and fim_recurso >= $as_of and recurso_em is null
    union all
    select 'prazo-processo-' || x.processo_id, case when x.decisao is null then 'processo_defesa' else 'processo_recurso' end,
           x.permissionario_id, x.norma, 'processo', x.processo_id,
           x.prazo_ate, null, null, x.instaurado_em, x.ato, x.fundamento
    from processos_historico x
    where x.execucao_id = $execucao_id and x.prazo_ate >= $as_of
)
select a.*, p.dispositivo
from abertos a
left join norma.processo p using (norma);
