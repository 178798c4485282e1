-- Reserve vehicles in service against a part, rounded up, of the fleet that the lines of the holder's permits in force demand, or of its
-- vehicles in operation. What could not be read is given both readings: a finding only where none of them would do.
with frotas as (
    select f.norma, f.permissionario_id,
           count(*) filter (f.duvida_do_veiculo is null and f.funcao = 'reserva') as reserva,
           count(*) filter (f.duvida_do_veiculo is null and f.funcao <> 'reserva') as operando,
           count(*) filter (f.duvida_do_veiculo is not null) as incertos,
           list_distinct(flatten(list(f.duvida_do_veiculo) filter (f.duvida_do_veiculo is not null))) as duvida
    from fatos.frota f
    join p using (norma)
    group by f.norma, f.permissionario_id
), outorgas as (
    select a.norma, a.permissionario_id, a.linha_id, l.frota_exigida,
           bool_and(a.incerto is not null or a.falta_fim is not null) as incerta,
           bool_or(ilegivel(l.desconhecidos, ['frota_exigida']) is not null) as ilegivel_na_linha
    from registro.alvaras_ativos a
    join p on p.norma = a.norma and p.base = 'frota_exigida'
    left join registro.linhas l on l.linha_id = a.linha_id and l.norma = a.norma
    group by a.norma, a.permissionario_id, a.linha_id, l.frota_exigida
), demandas as (
    select norma, permissionario_id,
           coalesce(sum(frota_exigida) filter (not incerta), 0) as base_minima,
           case when bool_and(frota_exigida is not null or linha_id is null) then coalesce(sum(frota_exigida), 0) end as base_maxima,
           sum(frota_exigida) as frota_exigida,
           list(linha_id order by linha_id) filter (linha_id is not null) as linhas,
           bool_and(incerta) as outorga_incerta,
           case when bool_or(linha_id is not null and frota_exigida is null) then ['linhas.frota_exigida'] else []::varchar[] end
               || case when bool_or(incerta) then ['alvaras.valido_ate'] else []::varchar[] end as duvida
    from outorgas
    group by norma, permissionario_id
), titulares as (
    select p.norma, h.permissionario_id, p.base, p.fracao, p.minimo,
           coalesce(f.reserva, 0) as reserva, coalesce(f.operando, 0) as operando, coalesce(f.incertos, 0) as incertos,
           d.linhas, d.frota_exigida, coalesce(d.outorga_incerta, false) as outorga_incerta,
           list_distinct(coalesce(f.duvida, []) || coalesce(d.duvida, [])) as duvida,
           case p.base when 'frota_exigida' then d.base_minima else coalesce(f.operando, 0) end as base_minima,
           case p.base when 'frota_exigida' then d.base_maxima else coalesce(f.operando + f.incertos, 0) end as base_maxima
    from registro.permissionarios h
    join p on p.norma = h.norma
    left join frotas f on f.permissionario_id = h.permissionario_id
    left join demandas d on d.permissionario_id = h.permissionario_id
    where not h.silencioso and case p.base when 'frota_exigida' then d.permissionario_id else f.permissionario_id end is not null
), contas as (
    select *, greatest(minimo, ceil(fracao * base_minima)::integer) as exigida_ao_menos,
           case when base_maxima is not null then greatest(minimo, ceil(fracao * base_maxima)::integer) end as exigida_no_maximo
    from titulares
), julgados as (
    select *, reserva + incertos < exigida_ao_menos and not outorga_incerta as provado from contas
    where not coalesce(reserva >= exigida_no_maximo, false)
)
select norma,
       case when provado then 'violacao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(reserva, reserva_exigida := coalesce(case when exigida_no_maximo = exigida_ao_menos then exigida_no_maximo end, exigida_ao_menos),
                   frota_em_operacao := operando, frota_exigida := frota_exigida::integer, linhas, parte_da_frota := fracao,
                   falta := case when not provado then duvida end) as evidencia
from julgados
