-- Nothing is ready while a row that was rejected tonight, or a dispensa for a like check, may change the finding it rests on.
create or replace temp table atos_ressalvas as
select achado_id, arg_min(frase, ordem) || case max(total) when 1 then '' when 2 then ', e mais uma razão' else ', e mais ' || (max(total) - 1) || ' razões' end as ressalva
from ressalvas_historico
where execucao_id = $execucao_id
group by achado_id;

update resultado.atos as a set pronto = false from atos_ressalvas r where r.achado_id = a.achado_id;
update atos_historico as a set pronto = false, ressalva = r.ressalva
from atos_ressalvas r
where a.execucao_id = $execucao_id and r.achado_id = a.achado_id;
drop table atos_ressalvas;
