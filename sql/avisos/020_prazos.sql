-- Terms of defence and of appeal still open for the operator to use: of autos, and of processes against the permit.
-- They are no fault: nothing is demanded, and the day they end is what matters.
create or replace temp table avisos_prazos as
select 'prazo-defesa-' || a.auto_id as achado_id, 'defesa' as tipo, a.permissionario_id, a.norma, 'auto' as sujeito_tipo, a.auto_id as sujeito_id,
       a.fim_defesa as devido_em, a.valor, a.codigo, a.ocorrido_em::date as fato_em, null as ato, null as fundamento
from fatos.autos a
where a.estado_auto = 'em_defesa' and a.ciencia_em <= $as_of and a.fim_defesa >= $as_of and a.defesa_em is null and a.decisao is null
union all
select 'prazo-recurso-' || a.auto_id, 'recurso', a.permissionario_id, a.norma, 'auto', a.auto_id,
       a.fim_recurso, coalesce(a.valor_decidido, a.valor), a.codigo, a.ocorrido_em::date, null, null
from fatos.autos a
where a.estado_auto in ('confirmado', 'em_defesa') and a.decisao in ('procedente', 'parcial') and a.ciencia_decisao_em <= $as_of
  and a.fim_recurso >= $as_of and a.recurso_em is null
union all
select 'prazo-processo-' || x.processo_id, case when x.decisao is null then 'processo_defesa' else 'processo_recurso' end,
       x.permissionario_id, x.norma, 'processo', x.processo_id,
       x.prazo_ate, null, null, x.instaurado_em, x.ato, x.fundamento
from processos_historico x
where x.execucao_id = $execucao_id and x.prazo_ate >= $as_of;
