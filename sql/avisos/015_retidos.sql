-- Findings held back from their operators on this night.
create or replace temp table avisos_retidos as
select distinct achado_id from ressalvas_historico where execucao_id = $execucao_id;
