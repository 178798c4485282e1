-- Every subject in tonight's extracts, by kind. One whose holder is not there hangs from nobody: no norm is asked of
-- it, so it is no more in the registry than its holder.
create or replace temp view ledger_sujeitos as
with titulares as (select permissionario_id as id from extrato.permissionarios)
select 'permissionario' as tipo, id from titulares
union all select 'veiculo', veiculo_id from extrato.veiculos where permissionario_id in (from titulares)
union all select 'alvara', alvara_id from extrato.alvaras where permissionario_id in (from titulares)
union all select 'condutor', condutor_id from extrato.condutores where permissionario_id in (from titulares)
union all select 'auto', auto_id from extrato.autos where permissionario_id in (from titulares)
union all select 'linha', linha_id from extrato.linhas;

-- Subjects whose rows were refused tonight under a key that could be read: they are in the extract, and can't be judged.
create or replace temp view ledger_recusados as
select distinct c.tipo, c.id
from extrato.sujeitos_rejeitados c
join (values ('permissionarios', 'permissionario_id'), ('veiculos', 'veiculo_id'), ('alvaras', 'alvara_id'),
             ('condutores', 'condutor_id'), ('autos', 'auto_id'), ('linhas', 'linha_id')) x(extrato, coluna)
    using (extrato, coluna);
