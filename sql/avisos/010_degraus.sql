-- How far each recipient was already told of each finding (each time it opened): the place of the latest step.
-- `entregue` comes from the delivery ledger; a step that the settings no longer have is a first word.
create or replace temp table avisos_contado as
select e.destinatario_id, e.achado_id, e.reaberta, max(coalesce(d.ordem, 0)) as ordem
from entregue e
left join (select unnest($degraus) as degrau, unnest($ordens) as ordem) d using (degrau)
where e.degrau <> 'escalada'
group by all;
