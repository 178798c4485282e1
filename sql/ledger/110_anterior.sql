-- The findings of the previous run.
create or replace temp table ledger_anterior as
select
    h.rowid as linha, h.achado_id, h.aberta_em, h.reaberta,
    h.situacao in ('violacao', 'a_vencer', 'para_decisao') as aberto
from achados_historico h
where h.execucao_id = $anterior_id;
