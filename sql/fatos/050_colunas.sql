-- The columns that the load in force brings.
create or replace view registro.colunas as
select extrato, coluna from extrato.colunas;
