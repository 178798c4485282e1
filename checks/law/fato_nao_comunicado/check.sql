-- Facts that the norm wants told before they happen, on the next working day, or at once without a term. Where there is no term, one told
-- late is not judged: only one never told, from the day after it. A fact without an hour that is told on its own day is told in time.
with comunicadas as (
    select c.norma, c.permissionario_id, c.tipo, c.veiculo_id, c.ocorrido_em, c.comunicado_em, r.ordem, r.dispositivo, r.consequencia, r.competente,
           r.ate as regra, r.conclusao, p.aviso_dias,
           case r.ate when 'antes' then case when c.ocorrido_em = c.ocorrido_em::date then c.ocorrido_em + interval '1 day' - interval '1 second' else c.ocorrido_em end
                      when 'expediente_seguinte' then d.proximo_util + interval '1 day' - interval '1 second'
                      else c.ocorrido_em::date + interval '1 day' - interval '1 second' end as ate,
           ilegivel(c.desconhecidos, ['comunicado_em']) is not null as ilegivel_na_data
    from registro.comunicacoes c
    join p using (norma)
    join r on r.norma = c.norma and r.tipo = c.tipo
    left join calendario.dias d on r.ate = 'expediente_seguinte' and d.norma = c.norma and d.dia = c.ocorrido_em::date + 1
    where not c.dono_silencioso
), julgadas as (
    select *,
           case when ilegivel_na_data or ate is null then 'nao_avaliado'
                when comunicado_em <= ate or (comunicado_em is not null and regra = 'sem_prazo') then null
                when $as_of > ate::date then conclusao
                when comunicado_em is not null or ate::date - aviso_dias <= $as_of then 'a_vencer' end as situacao
    from comunicadas
), situados as (
    select *, list_position(['violacao', 'para_decisao', 'a_vencer', 'nao_avaliado'], situacao) as posto
    from julgadas
    where situacao is not null
), melhores as (
    select * from situados
    qualify posto = min(posto) over (partition by permissionario_id)
)
select norma,
       any_value(situacao) as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       case when any_value(situacao) <> 'nao_avaliado' then min(ate::date) end as devido_em,
       null::decimal(18, 2) as valor,
       array_to_string(list_distinct(list(dispositivo order by ordem)), '; ') as dispositivo,
       list(consequencia order by ordem)[1] as consequencia,
       list(competente order by ordem)[1] as competente,
       struct_pack(comunicacoes := list(struct_pack(ocorrido_em, tipo, veiculo_id, comunicado_em, prazo_ate := case when regra <> 'sem_prazo' then ate end) order by ocorrido_em, tipo),
                   motivo := case when any_value(situacao) = 'para_decisao' then 'não consta comunicação a tempo; a norma não dá prazo em dias ou a autorização não vem nos extratos' end,
                   falta := case when any_value(situacao) = 'nao_avaliado' then ['comunicacoes.comunicado_em'] end) as evidencia
from melhores
group by norma, permissionario_id
