-- The last inspection scheduled for the vehicle by the day of the fact: called fewer days before than the norm asks, the absence
-- cannot be fined without somebody deciding.
with autos as (
    select a.auto_id, a.permissionario_id, a.norma, a.codigo, a.ocorrido_em, a.veiculo_id, a.incerto, p.antecedencia_dias
    from fatos.autos a
    join p on p.norma = a.norma and list_contains(p.codigos, a.codigo)
    where a.estado_auto <> 'cancelado' and a.veiculo_id is not null
), convocacoes as (
    select a.*, v.vistoria_id, v.convocada_em, v.programada_para, v.programada_para - v.convocada_em as dias_dados,
           nullif(list_concat(coalesce(a.incerto, []),
               case when v.convocada_em is null then ['vistorias.convocada_em'] else []::varchar[] end), []) as falta
    from autos a
    join registro.vistorias v on v.veiculo_id = a.veiculo_id and v.programada_para <= a.ocorrido_em::date
    qualify row_number() over (partition by a.auto_id order by v.programada_para desc, v.vistoria_id desc) = 1
)
select norma,
       case when falta is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       auto_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(codigo, ocorrido_em, veiculo_id, vistoria_id, convocada_em, programada_para, antecedencia_dias, dias_dados, falta) as evidencia
from convocacoes
join registro.permissionarios h using (permissionario_id, norma)
where (falta is not null or dias_dados < antecedencia_dias) and not h.silencioso
