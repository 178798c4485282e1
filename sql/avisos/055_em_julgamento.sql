-- Autos that nothing is asked of: a defence or a suspensive appeal waits for its decision.
create or replace temp table avisos_em_julgamento as
select permissionario_id, count(*) as quantos
from fatos.autos
where estado_auto = 'em_defesa' and (defesa_tempestiva or recurso_tempestivo) and ciencia_em <= $as_of
group by all;
