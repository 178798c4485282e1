-- Facts communicated after their term, or not at all. Hours run minute to minute from the fact; where the fact has no hour, from the end of its
-- day. Days end at midnight, rolled; business days before a trip are counted back from its eve.
with comunicadas as (
    select c.norma, c.permissionario_id, c.tipo, c.veiculo_id, c.ocorrido_em, c.comunicado_em, r.ordem, r.dispositivo, r.consequencia, r.competente, r.prazo, p.aviso_dias,
           c.ocorrido_em::date as dia,
           case r.unidade
               when 'horas' then case when c.ocorrido_em = c.ocorrido_em::date then c.ocorrido_em + interval '1 day' - interval '1 minute' else c.ocorrido_em end + to_hours(r.prazo)
               when 'mesmo_dia' then c.ocorrido_em::date + interval '1 day' - interval '1 second'
               when 'dias' then d.proximo_util + interval '1 day' - interval '1 second'
               when 'dias_uteis_antes' then u.dia + interval '1 day' - interval '1 second' end as ate,
           ilegivel(c.desconhecidos, ['comunicado_em']) is not null as ilegivel_na_data
    from registro.comunicacoes c
    join p using (norma)
    join r on r.norma = c.norma and r.tipo = c.tipo
    left join calendario.dias d on r.unidade = 'dias' and d.norma = c.norma and d.dia = c.ocorrido_em::date + r.prazo
    left join calendario.dias v on r.unidade = 'dias_uteis_antes' and v.norma = c.norma and v.dia = c.ocorrido_em::date - 1
    left join calendario.dias u on u.norma = c.norma and u.util and u.ordem = v.ordem - r.prazo + 1
    where not c.dono_silencioso
), julgadas as (
    select *, ate::date as prazo_ate,
           case when ilegivel_na_data or (prazo is null and comunicado_em is null and ate is null) then 'nao_avaliado'
                when comunicado_em <= ate or (comunicado_em is not null and ate is null) then null
                when $as_of > ate::date then 'violacao'
                when comunicado_em is not null or ate::date - aviso_dias <= $as_of then 'a_vencer' end as situacao
    from comunicadas
), situados as (
    select *, min(case situacao when 'violacao' then 0 when 'a_vencer' then 1 else 2 end) over (partition by permissionario_id) as melhor,
           case situacao when 'violacao' then 0 when 'a_vencer' then 1 else 2 end as posto
    from julgadas
    where situacao is not null
)
select norma,
       any_value(situacao) as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       case when any_value(situacao) <> 'nao_avaliado' then min(prazo_ate) end as devido_em,
       null::decimal(18, 2) as valor,
       array_to_string(list_distinct(list(dispositivo order by ordem)), '; ') as dispositivo,
       list(consequencia order by ordem)[1] as consequencia,
       list(competente order by ordem)[1] as competente,
       struct_pack(comunicacoes := list(struct_pack(ocorrido_em, tipo, veiculo_id, comunicado_em, prazo_ate := ate) order by ocorrido_em, tipo),
                   falta := case when any_value(situacao) = 'nao_avaliado' then list_distinct(list(
                       case when ilegivel_na_data then 'comunicacoes.comunicado_em' else 'prazo' end)) end) as evidencia
from situados
where posto = melhor
group by norma, permissionario_id
