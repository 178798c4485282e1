-- Days with trips done on which the operator had no permit in force: issued by that day, not past its end, not dead yet.
-- A permit whose end or standing is not known may have been in force: those days are not judged. Services that the norm
-- licenses in another way do not count.
with dias as (
    select o.norma, o.permissionario_id, o.data, list(distinct o.veiculo_id order by o.veiculo_id) as veiculos,
           bool_and(p.servicos_exceto <> [] and ilegivel(v.desconhecidos, ['servico']) is not null) as servico_ilegivel
    from registro.operacao o
    join p using (norma)
    join registro.permissionarios d on d.permissionario_id = o.permissionario_id and not d.silencioso
    join registro.veiculos v on v.veiculo_id = o.veiculo_id
    where o.viagens_realizadas > 0 and not coalesce(list_contains(p.servicos_exceto, v.servico), false)
    group by o.norma, o.permissionario_id, o.data
), cobertos as (
    select d.permissionario_id, d.data,
           bool_or(a.incerto is null and a.falta_fim is null) as certo,
           flatten(list(list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end))) as falta
    from dias d
    join registro.alvaras a on a.permissionario_id = d.permissionario_id and a.emitido_em <= d.data and coalesce(a.fim >= d.data, true)
        and (not a.morto or a.incerto is not null or coalesce(a.encerrado_em > d.data, false))
    group by d.permissionario_id, d.data
), emitidos as (
    select permissionario_id, count(*) as n from registro.alvaras group by permissionario_id
), descobertos as (
    select d.*, list_concat(coalesce(c.falta, []), case when d.servico_ilegivel then ['servico'] else []::varchar[] end) as falta
    from dias d
    left join cobertos c using (permissionario_id, data)
    where not coalesce(c.certo, false)
), por_operador as (
    select norma, permissionario_id,
           count(*) filter (falta = []) as dias_sem_titulo,
           min(data) filter (falta = []) as primeiro_dia,
           max(data) filter (falta = []) as ultimo_dia,
           list_sort(list_distinct(flatten(list(veiculos) filter (falta = [])))) as veiculos,
           list_sort(list_distinct(flatten(list(falta)))) as falta
    from descobertos
    group by norma, permissionario_id
)
select o.norma,
       case when dias_sem_titulo > 0 then 'violacao' else 'nao_avaliado' end as situacao,
       o.permissionario_id as sujeito_id,
       o.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(dias_sem_titulo, primeiro_dia, ultimo_dia, veiculos, titulos_emitidos := coalesce(e.n, 0),
                   falta := case when dias_sem_titulo = 0 then falta end) as evidencia
from por_operador o
left join emitidos e using (permissionario_id)
