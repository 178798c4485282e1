-- Days with trips done on which the operator had no permit in force: issued by that day, not past its end, not dead yet.
-- A permit whose end or standing is not known may have been in force: those days are not judged. Services that the norm
-- licenses in another way do not count.
with viagens_descobertas as (
    select o.norma, o.permissionario_id, o.data, o.veiculo_id, p.servicos_exceto <> [] and o.servico_ilegivel as servico_ilegivel
    from registro.operacao o
    join p using (norma)
    anti join registro.alvaras a on a.permissionario_id = o.permissionario_id and a.emitido_em <= o.data and coalesce(a.fim >= o.data, true)
        and (not a.morto or coalesce(a.encerrado_em > o.data, false)) and a.incerto is null and a.falta_fim is null
    where o.viagens_realizadas > 0 and not o.dono_silencioso and not coalesce(list_contains(p.servicos_exceto, o.servico), false)
), dias as (
    select norma, permissionario_id, data, list(distinct veiculo_id order by veiculo_id) as veiculos, bool_and(servico_ilegivel) as servico_ilegivel
    from viagens_descobertas
    group by norma, permissionario_id, data
), duvidas as (
    select d.permissionario_id, d.data,
           flatten(list(list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end))) as falta
    from dias d
    join registro.alvaras a on a.permissionario_id = d.permissionario_id and a.emitido_em <= d.data and coalesce(a.fim >= d.data, true)
        and (not a.morto or a.incerto is not null or coalesce(a.encerrado_em > d.data, false))
    group by d.permissionario_id, d.data
), emitidos as (
    select permissionario_id, count(*) as n from registro.alvaras
    where permissionario_id in (select permissionario_id from dias)
    group by permissionario_id
), descobertos as (
    select d.*, list_concat(coalesce(c.falta, []), case when d.servico_ilegivel then ['servico'] else []::varchar[] end) as falta
    from dias d
    left join duvidas c using (permissionario_id, data)
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
