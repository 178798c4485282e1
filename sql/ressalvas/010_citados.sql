-- Each row rejected tonight and whom it speaks of. A plate is the one vehicle that carries it; who a vehicle belongs to is told by
-- the registry where the row itself does not say.
create or replace temp table ressalvas_citados as
with linhas as (
    select extrato, arquivo, linha,
           max(id) filter (tipo = 'permissionario') as permissionario,
           max(id) filter (tipo = 'veiculo' and coluna <> 'substitui_veiculo_id') as veiculo,
           max(id) filter (coluna = 'substitui_veiculo_id') as substitui,
           max(id) filter (tipo = 'placa') as placa,
           max(id) filter (tipo = 'alvara') as alvara,
           max(id) filter (tipo = 'condutor') as condutor,
           max(id) filter (tipo = 'auto') as auto,
           max(id) filter (tipo = 'linha') as linha_id
    from extrato.sujeitos_rejeitados
    group by extrato, arquivo, linha
), placas as (
    select placa_canonica, min(veiculo_id) as veiculo_id
    from extrato.veiculos
    where placa_canonica in (select placa from linhas)
    group by placa_canonica
    having count(*) = 1
)
select l.* exclude (placa)
           replace (coalesce(l.veiculo, p.veiculo_id) as veiculo, coalesce(l.permissionario, v.permissionario_id) as permissionario),
       (row_number() over (order by l.extrato, l.arquivo, l.linha))::integer as n
from linhas l
left join placas p on p.placa_canonica = l.placa
left join extrato.veiculos v on v.veiculo_id = coalesce(l.veiculo, p.veiculo_id);

-- The same by subject, to be looked up from a finding.
create or replace temp table ressalvas_sujeitos as
select n, extrato, s.tipo, s.id
from (
    select n, extrato, unnest([
        {'tipo': 'permissionario', 'id': permissionario}, {'tipo': 'veiculo', 'id': veiculo}, {'tipo': 'substitui', 'id': substitui},
        {'tipo': 'alvara', 'id': alvara}, {'tipo': 'condutor', 'id': condutor}, {'tipo': 'auto', 'id': auto}, {'tipo': 'linha', 'id': linha_id}
    ]) as s
    from ressalvas_citados
)
where s.id is not null;
