-- No living permit (issued by the day, not cassado, cancelado or encerrado); an expired one belongs to alvara_vencido.
with titulos as (
    select a.norma, a.veiculo_id, a.permissionario_id, p.por,
           not a.morto and a.incerto is null as vivo,
           not a.morto and a.incerto is null and ilegivel(a.desconhecidos, ['veiculo_id']) is not null as sem_destino,
           a.incerto,
           struct_pack(alvara_id := a.alvara_id, modalidade := a.modalidade, emitido_em := a.emitido_em,
                       situacao := a.situacao, encerrado_em := a.encerrado_em) as titulo
    from registro.alvaras a
    join p using (norma)
), por_veiculo as (
    select veiculo_id, count(*) as emitidos, bool_or(vivo) as vivo, list_distinct(flatten(list(incerto) filter (incerto is not null))) as incerto,
           list(titulo order by titulo.alvara_id) filter (not vivo) as titulos
    from titulos
    where por = 'veiculo' and veiculo_id is not null
    group by veiculo_id
), por_titular as (
    select permissionario_id, count(*) as emitidos, bool_or(vivo) as vivo, bool_or(sem_destino) as sem_destino,
           list_distinct(flatten(list(incerto) filter (incerto is not null))) as incerto,
           list(titulo order by titulo.alvara_id) filter (not vivo) as titulos
    from titulos
    group by permissionario_id
), ofensores as (
    select v.norma, 'veiculo' as sujeito_tipo, v.veiculo_id as sujeito_id, v.permissionario_id, v.placa, t.emitidos, t.titulos,
           list_concat(coalesce(t.incerto, []), case when h.sem_destino then ['veiculo_id'] else []::varchar[] end) as falta
    from registro.veiculos v
    join p on p.norma = v.norma and p.por = 'veiculo'
    left join por_veiculo t on t.veiculo_id = v.veiculo_id
    left join por_titular h on h.permissionario_id = v.permissionario_id
    where not v.baixado and not v.dono_silencioso and not coalesce(t.vivo, false)
    union all
    select d.norma, 'permissionario', d.permissionario_id, d.permissionario_id, null, h.emitidos, h.titulos, coalesce(h.incerto, [])
    from registro.permissionarios d
    join p on p.norma = d.norma and p.por = 'permissionario'
    left join por_titular h on h.permissionario_id = d.permissionario_id
    where not d.silencioso and not coalesce(h.vivo, false)
)
select norma,
       case when falta <> [] then 'nao_avaliado' else 'violacao' end as situacao,
       sujeito_tipo,
       sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, titulos_emitidos := coalesce(emitidos, 0), titulos, falta := nullif(falta, [])) as evidencia
from ofensores
