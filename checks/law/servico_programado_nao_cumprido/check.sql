-- Days of the window on which a vehicle made fewer trips than were scheduled for it. A day whose trips made are not told is not judged;
-- where the norm excuses interruptions, a day with one on record (of the vehicle, or of its holder without a vehicle) proves no fault.
with dias as (
    select o.norma, o.veiculo_id, o.data, p.janela_dias, p.conclusao, p.interrupcao_decide,
           sum(o.viagens_programadas) as programadas,
           coalesce(sum(o.viagens_realizadas), 0) as realizadas,
           bool_or(coalesce(o.viagens_programadas > 0, false) and o.viagens_realizadas is null) as sem_realizadas,
           bool_or(ilegivel(o.desconhecidos, ['viagens_programadas', 'viagens_realizadas']) is not null) as duvidoso
    from registro.operacao o
    join p using (norma)
    where o.data > $as_of - p.janela_dias
    group by o.norma, o.veiculo_id, o.data, p.janela_dias, p.conclusao, p.interrupcao_decide
), interrupcoes as (
    select distinct c.permissionario_id, c.veiculo_id, c.ocorrido_em::date as data
    from registro.comunicacoes c
    join p using (norma)
    where p.interrupcao_decide and c.tipo = 'interrupcao' and c.ocorrido_em::date > $as_of - p.janela_dias
), julgados as (
    select d.*, v.norma as norma_do_veiculo, v.placa, v.permissionario_id,
           d.duvidoso or d.sem_realizadas as incerto,
           d.interrupcao_decide and (iv.data is not null or ih.data is not null) as interrompido
    from dias d
    join registro.veiculos_ativos v using (veiculo_id)
    left join interrupcoes iv on iv.permissionario_id = v.permissionario_id and iv.veiculo_id = d.veiculo_id and iv.data = d.data
    left join interrupcoes ih on ih.permissionario_id = v.permissionario_id and ih.veiculo_id is null and ih.data = d.data
    where d.realizadas < d.programadas or d.duvidoso or d.sem_realizadas
), faltosos as (
    select norma_do_veiculo as norma, veiculo_id, placa, permissionario_id, janela_dias, conclusao,
           min(data) filter (not incerto and not interrompido) as sem_interrupcao,
           coalesce(min(data) filter (not incerto and not interrompido), min(data) filter (not incerto)) as dia,
           list(struct_pack(dia := data, programadas := programadas::integer, realizadas := realizadas::integer) order by data)
               filter (not incerto) as dias_com_falta
    from julgados
    group by norma_do_veiculo, veiculo_id, placa, permissionario_id, janela_dias, conclusao
)
select norma,
       case when dia is null then 'nao_avaliado'
            when $as_of <= dia then 'a_vencer'
            when sem_interrupcao is null then 'para_decisao'
            else conclusao end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       dia as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := placa, dias_com_falta := dias_com_falta, janela_dias := janela_dias,
                   motivo := case when dia is null or $as_of <= dia then null
                                  when sem_interrupcao is null then 'há interrupção registrada em cada dia com falta'
                                  when conclusao = 'para_decisao' then 'o motivo da viagem não feita não vem nos extratos' end,
                   falta := case when dia is null then ['operacao.viagens_realizadas'] end) as evidencia
from faltosos
