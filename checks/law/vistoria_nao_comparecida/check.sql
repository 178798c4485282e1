-- Appointments that still bind: called in time, not kept, and no inspection made since. An absence is proved by the
-- result `ausente`; a past appointment with nothing recorded is not judged (the office may not have held it).
with marcadas as (
    select x.vistoria_id, x.veiculo_id, x.norma, x.convocada_em, x.realizada_em, x.resultado, x.desconhecidos,
           coalesce(x.programada_para, case when x.resultado = 'ausente' then x.realizada_em end) as dia,
           p.antecedencia_dias, p.aviso_dias
    from registro.vistorias x
    join p using (norma)
), inspecionados as (
    select veiculo_id, max(realizada_em) as inspecionado_em
    from marcadas
    where realizada_em is not null and coalesce(resultado <> 'ausente', true)
    group by veiculo_id
), abertas as (
    select m.*, m.dia - m.convocada_em as dias_dados,
           case when ilegivel(m.desconhecidos, ['programada_para', 'realizada_em', 'resultado', 'convocada_em']) is not null
                     then list_transform(ilegivel(m.desconhecidos, ['programada_para', 'realizada_em', 'resultado', 'convocada_em']), lambda c: 'vistorias.' || c)
                when m.dia is null then ['vistorias.programada_para']
                when m.antecedencia_dias is not null and m.convocada_em is null then ['vistorias.convocada_em']
                when m.dia < $as_of and m.resultado is null then ['vistorias.resultado'] end as falta
    from marcadas m
    left join inspecionados i using (veiculo_id)
    where coalesce(m.resultado = 'ausente', m.realizada_em is null)
      and (m.dia is not null or m.resultado = 'ausente' or ilegivel(m.desconhecidos, ['programada_para']) is not null)
      and not coalesce(i.inspecionado_em >= m.dia, false)
      and coalesce(m.dia - m.aviso_dias <= $as_of, true)
      and not coalesce(m.dia - m.convocada_em < m.antecedencia_dias, false)
), por_veiculo as (
    select veiculo_id,
           coalesce(min(struct_pack(dia := dia, id := vistoria_id, convocada_em := convocada_em, dias_dados := dias_dados, antecedencia := antecedencia_dias)) filter (falta is null),
                    min(struct_pack(dia := dia, id := vistoria_id, convocada_em := convocada_em, dias_dados := dias_dados, antecedencia := antecedencia_dias))) as primeira,
           bool_and(falta is not null) as sem_prova,
           list_distinct(flatten(list(falta))) as falta,
           list(struct_pack(dia := dia, vistoria_id := vistoria_id) order by dia, vistoria_id) filter (falta is null and dia < $as_of) as faltas
    from abertas
    group by veiculo_id
)
select v.norma,
       case when a.sem_prova then 'nao_avaliado'
            when $as_of > a.primeira.dia then 'violacao'
            else 'a_vencer' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       case when not a.sem_prova then a.primeira.dia end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, vistoria_id := a.primeira.id, convocada_em := a.primeira.convocada_em, programada_para := a.primeira.dia,
                   dias_dados := a.primeira.dias_dados, antecedencia_dias := a.primeira.antecedencia, faltas := a.faltas,
                   falta := case when a.sem_prova then a.falta end) as evidencia
from por_veiculo a
join registro.veiculos v using (veiculo_id)
where not v.baixado and not v.dono_silencioso
