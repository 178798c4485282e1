-- Every subject in tonight's extracts, by kind.
create or replace temp view ledger_sujeitos as
select 'permissionario' as tipo, permissionario_id as id from extrato.permissionarios
union all select 'veiculo', veiculo_id from extrato.veiculos
union all select 'alvara', alvara_id from extrato.alvaras
union all select 'condutor', condutor_id from extrato.condutores
union all select 'auto', auto_id from extrato.autos
union all select 'linha', linha_id from extrato.linhas;
