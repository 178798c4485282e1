-- Days of the window on which fewer vehicles made trips on a line than its service order demands. A vehicle belongs to the line that a
-- permit in force gives it, else to those of its holder, and counts for each of them.
-- A day nobody reported on is not judged.
with titulos as (
    select distinct a.norma, a.permissionario_id, a.veiculo_id, a.linha_id
    from registro.alvaras_ativos a
    join p using (norma)
    where a.linha_id is not null
), do_veiculo as (
    select distinct norma, veiculo_id, linha_id from titulos where veiculo_id is not null
), da_linha as (
    select norma, veiculo_id, linha_id from do_veiculo
    union
    select t.norma, v.veiculo_id, t.linha_id
    from titulos t
    join registro.veiculos v on v.permissionario_id = t.permissionario_id
    where t.veiculo_id is null and v.veiculo_id not in (select veiculo_id from do_veiculo)
), circulacao as (
    select o.norma, o.veiculo_id, o.data,
           bool_or(coalesce(o.viagens_realizadas > 0, false)) as circulou,
           bool_or(o.viagens_realizadas is null) as talvez
    from registro.operacao o
    join p using (norma)
    where o.data > $as_of - p.janela_dias
    group by o.norma, o.veiculo_id, o.data
), dias as (
    select l.norma, l.linha_id, l.frota_exigida, c.data,
           count(*) filter (c.circulou) as circularam,
           count(*) filter (c.circulou or c.talvez) as possiveis
    from registro.linhas l
    join p using (norma)
    join da_linha d on d.norma = l.norma and d.linha_id = l.linha_id
    join circulacao c on c.veiculo_id = d.veiculo_id
    where l.frota_exigida is not null
    group by l.norma, l.linha_id, l.frota_exigida, c.data
), faltosos as (
    select norma, linha_id, frota_exigida,
           min(data) filter (possiveis < frota_exigida) as dia,
           list(struct_pack(dia := data, circularam := circularam) order by data) filter (possiveis < frota_exigida) as dias_com_falta
    from dias
    where circularam < frota_exigida
    group by norma, linha_id, frota_exigida
), donos as (
    select norma, linha_id, case when count(distinct permissionario_id) = 1 then any_value(permissionario_id) end as permissionario_id
    from titulos
    group by norma, linha_id
), frotas as (
    select norma, linha_id, list_sort(list(distinct veiculo_id)) as veiculos from da_linha group by norma, linha_id
)
select f.norma,
       case when f.dia is null then 'nao_avaliado' when $as_of > f.dia then 'violacao' else 'a_vencer' end as situacao,
       f.linha_id as sujeito_id,
       d.permissionario_id,
       f.dia as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(frota_exigida := f.frota_exigida, dias_com_falta := f.dias_com_falta, janela_dias := p.janela_dias, veiculos := v.veiculos,
                   falta := case when f.dia is null then ['operacao.viagens_realizadas'] end) as evidencia
from faltosos f
join p using (norma)
left join donos d using (norma, linha_id)
left join frotas v using (norma, linha_id)
