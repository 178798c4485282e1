-- Days of one calendar month on which the vehicle was scheduled and no trip was made; an inspection approved after the day
-- that completes the count puts the vehicle back. A row with no trip scheduled is no scheduled day.
with dias as (
    select o.norma, o.veiculo_id, o.data, date_trunc('month', o.data)::date as mes, p.dias as minimo,
           count(*) filter (o.viagens_realizadas is distinct from 0) = 0 as parado,
           count(*) filter (o.viagens_realizadas > 0) = 0 and bool_or(ilegivel(o.desconhecidos, ['viagens_realizadas']) is not null) as duvidoso
    from registro.operacao o
    join p using (norma)
    where coalesce(o.viagens_programadas <> 0, true)
    group by all
), contados as (
    select *, count(*) filter (parado) over ate_o_dia as parados, count(*) over ate_o_dia as possiveis
    from dias
    where parado or duvidoso
    window ate_o_dia as (partition by veiculo_id, mes order by data)
), meses as (
    select norma, veiculo_id, mes, any_value(minimo) as minimo,
           min(data) filter (parados = minimo) as completo_em,
           min(data) filter (possiveis = minimo) as possivel_em,
           list(data order by data) filter (parado) as dias_parados
    from contados
    group by norma, veiculo_id, mes
), aprovadas as (
    select veiculo_id, max(realizada_em) filter (resultado = 'aprovada') as ultima_aprovada_em,
           flatten(list(ilegivel(desconhecidos, ['resultado', 'realizada_em']))) as duvida
    from registro.vistorias
    where veiculo_id in (select veiculo_id from meses where possivel_em is not null)
    group by veiculo_id
), abertos as (
    select m.*, a.ultima_aprovada_em, coalesce(m.completo_em, m.possivel_em) as dia,
           nullif(list_transform(list_distinct(coalesce(a.duvida, [])), lambda c: 'vistorias.' || c)
                  || case when m.completo_em is null then ['operacao.viagens_realizadas'] else []::varchar[] end, []) as falta
    from meses m
    left join aprovadas a using (veiculo_id)
    where m.possivel_em is not null
      and not coalesce(a.ultima_aprovada_em > coalesce(m.completo_em, m.possivel_em), false)
    qualify row_number() over (partition by m.veiculo_id order by m.completo_em is null, m.mes) = 1
)
select v.norma,
       case when b.falta is not null then 'nao_avaliado'
            when $as_of > b.dia then 'violacao'
            else 'a_vencer' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       case when b.falta is null then b.dia end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, mes := strftime(b.mes, '%Y-%m'), dias_parados := b.dias_parados, minimo_dias := b.minimo,
                   ultima_aprovada_em := b.ultima_aprovada_em, falta := b.falta) as evidencia
from abertos b
join registro.veiculos v using (veiculo_id)
where not v.baixado and not v.dono_silencioso
