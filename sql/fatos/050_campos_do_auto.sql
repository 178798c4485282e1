-- What is written on each auto, as the extract brings it, for the checks that ask whether the form is whole.
-- Views: they cost nothing to the nights that do not read them.
create or replace view fatos.autos_campos as
select a.auto_id, a.permissionario_id, p.norma, a.veiculo_id, a.condutor_id, a.linha_id, a.local, a.agente, a.descricao, a.valor, a.desconhecidos
from extrato.autos a
join registro.permissionarios p using (permissionario_id);

-- The columns that the load in force brings.
create or replace view registro.colunas as
select extrato, coluna from extrato.colunas;
