-- Vehicles with more permits in force than the norm admits. What cannot be read counts only as doubt.
with repetidos as (
    select a.norma, a.veiculo_id
    from registro.alvaras_ativos a
    join p using (norma)
    where a.veiculo_id is not null
    group by a.norma, a.veiculo_id
    having count(*) > any_value(p.titulos_por_veiculo)
), por_veiculo as (
    select a.norma, a.veiculo_id,
           count(*) as em_vigor,
           count(*) filter (a.incerto is null and a.falta_fim is null) as certos,
           list_distinct(flatten(list(list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end)))) as falta,
           list(struct_pack(alvara_id := a.alvara_id, permissionario_id := a.permissionario_id, linha_id := a.linha_id,
                            emitido_em := a.emitido_em, fim := nullif(a.fim, 'infinity'::date), situacao := a.situacao)
                order by a.emitido_em, a.alvara_id) as titulos
    from registro.alvaras_ativos a
    join repetidos using (norma, veiculo_id)
    group by a.norma, a.veiculo_id
)
select v.norma,
       case when d.certos > p.titulos_por_veiculo then 'violacao' else 'nao_avaliado' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, titulos_emitidos := d.em_vigor, titulos := d.titulos,
                   falta := case when d.certos > p.titulos_por_veiculo then null else d.falta end) as evidencia
from por_veiculo d
join registro.veiculos v on v.veiculo_id = d.veiculo_id
join p on p.norma = v.norma
where not v.baixado and not v.dono_silencioso
