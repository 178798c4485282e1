-- Confirmed autos that name the crew member, the last of them after the last suspension: what came before it has had its answer.
with condutas as (
    select norma, ordem, dispositivo, ocorrencias, coalesce(mesmo_codigo, false) as mesmo_codigo, funcoes, unnest(codigos) as codigo from r
), autos as (
    select c.norma, c.condutor_id, c.permissionario_id, c.funcao, c.matricula_situacao, c.suspenso_em,
           ilegivel(c.desconhecidos, ['matricula_situacao', 'suspenso_em', 'desligado_em', 'funcao']) as falta,
           a.auto_id, a.codigo, a.ocorrido_em, f.ordem, f.dispositivo, f.ocorrencias,
           dense_rank() over (partition by c.condutor_id, f.ordem, case when f.mesmo_codigo then a.codigo end order by a.ocorrido_em) as vez
    from fatos.autos a
    join condutas f using (norma, codigo)
    join registro.condutores c on c.condutor_id = a.condutor_id and c.norma = a.norma
    where a.estado_auto = 'confirmado' and c.ativo and coalesce(list_contains(f.funcoes, c.funcao), true)
), fundadas as (
    select *, max(case when vez >= ocorrencias and coalesce(ocorrido_em::date > suspenso_em, true) then 1 else 0 end)
                  over (partition by condutor_id, ordem) = 1 as fundada
    from autos
)
select norma,
       case when any_value(falta) is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       condutor_id as sujeito_id,
       any_value(permissionario_id) as permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       array_to_string(list_distinct(list(dispositivo order by ordem)), '; ') as dispositivo,
       struct_pack(funcao := any_value(funcao), matricula_situacao := any_value(matricula_situacao), suspenso_em := any_value(suspenso_em),
                   fundamentos := list_sort(list_distinct(list(dispositivo || ': ' || codigo))),
                   autos := list(struct_pack(auto_id, dia := ocorrido_em::date, codigo, vez, dispositivo) order by ocorrido_em, auto_id, ordem),
                   no_limite := false, falta := any_value(falta)) as evidencia
from fundadas
where fundada
group by norma, condutor_id
