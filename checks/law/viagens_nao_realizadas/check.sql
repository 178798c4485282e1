-- Days of the window on which a vehicle made fewer trips than were scheduled for it. A day whose trips made are not told is not judged.
with dias as (
    select o.norma, o.veiculo_id, o.data, p.janela_dias,
           sum(o.viagens_programadas) as programadas,
           coalesce(sum(o.viagens_realizadas), 0) as realizadas,
           bool_or(coalesce(o.viagens_programadas > 0, false) and o.viagens_realizadas is null) as sem_realizadas,
           bool_or(ilegivel(o.desconhecidos, ['viagens_programadas', 'viagens_realizadas']) is not null) as duvidoso
    from registro.operacao o
    join p using (norma)
    where o.data > $as_of - p.janela_dias
    group by o.norma, o.veiculo_id, o.data, p.janela_dias
), faltosos as (
    select norma, veiculo_id, janela_dias,
           min(data) filter (not duvidoso and not sem_realizadas and realizadas < programadas) as dia,
           list(struct_pack(dia := data, programadas := programadas::integer, realizadas := realizadas::integer) order by data)
               filter (not duvidoso and not sem_realizadas and realizadas < programadas) as dias_com_falta
    from dias
    where realizadas < programadas or duvidoso or sem_realizadas
    group by norma, veiculo_id, janela_dias
)
select v.norma,
       case when f.dia is null then 'nao_avaliado' when $as_of > f.dia then 'violacao' else 'a_vencer' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       f.dia as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, dias_com_falta := f.dias_com_falta, janela_dias := f.janela_dias,
                   falta := case when f.dia is null then ['operacao.viagens_realizadas'] end) as evidencia
from faltosos f
join registro.veiculos_ativos v using (veiculo_id)
