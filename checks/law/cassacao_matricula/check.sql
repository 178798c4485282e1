-- Confirmed autos that name the crew member. An act the law leaves no choice about is a violacao; one that rests on the last day
-- of the term after a suspension, or that the law leaves to the authority, is para_decisao.
with condutas as (
    select norma, ordem, dispositivo, ocorrencias, coalesce(mesmo_codigo, false) as mesmo_codigo, funcoes, dias_da_suspensao,
           coalesce(obrigatoria, false) as obrigatoria, unnest(codigos) as codigo
    from r
), autos as (
    select c.norma, c.condutor_id, c.permissionario_id, c.funcao, c.matricula_situacao, c.suspenso_em,
           ilegivel(c.desconhecidos, ['matricula_situacao', 'suspenso_em', 'desligado_em', 'funcao']) as falta,
           a.auto_id, a.codigo, a.ocorrido_em, a.ocorrido_em::date as dia, f.ordem, f.dispositivo, f.ocorrencias, f.obrigatoria, f.dias_da_suspensao,
           dense_rank() over (partition by c.condutor_id, f.ordem, case when f.mesmo_codigo then a.codigo end order by a.ocorrido_em) as vez
    from fatos.autos a
    join condutas f using (norma, codigo)
    join registro.condutores c on c.condutor_id = a.condutor_id and c.norma = a.norma
    where a.estado_auto = 'confirmado' and c.ativo
      and (coalesce(list_contains(f.funcoes, c.funcao), true) or ilegivel(c.desconhecidos, ['funcao']) is not null)
), gatilhos as (
    select *,
           case when dias_da_suspensao is not null then dia > suspenso_em and dia <= suspenso_em + dias_da_suspensao
                else vez >= ocorrencias and (obrigatoria or coalesce(dia > suspenso_em, true)) end as gatilho,
           coalesce(dia = suspenso_em + dias_da_suspensao, false) as na_borda
    from autos
    where not (dias_da_suspensao is not null and suspenso_em is null and falta is null)
), fundadas as (
    select *, bool_or(coalesce(gatilho, false)) over por_regra as fundada,
           bool_or(coalesce(gatilho, false) and obrigatoria and not na_borda) over por_regra as certa,
           bool_and(na_borda) filter (gatilho) over por_regra as no_limite,
           bool_or(gatilho is null) over por_regra as duvida
    from gatilhos
    window por_regra as (partition by condutor_id, ordem)
)
select norma,
       case when any_value(falta) is not null then 'nao_avaliado'
            when bool_or(certa) then 'violacao'
            else 'para_decisao' end as situacao,
       condutor_id as sujeito_id,
       any_value(permissionario_id) as permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       array_to_string(list_distinct(list(dispositivo order by ordem)), '; ') as dispositivo,
       struct_pack(funcao := any_value(funcao), matricula_situacao := any_value(matricula_situacao), suspenso_em := any_value(suspenso_em),
                   fundamentos := list_sort(list_distinct(list(dispositivo || ': ' || codigo))),
                   autos := list(struct_pack(auto_id, dia, codigo, vez, dispositivo) order by ocorrido_em, auto_id, ordem),
                   no_limite := bool_and(coalesce(no_limite, false)), falta := any_value(falta)) as evidencia
from fundadas
where fundada or (duvida and falta is not null)
group by norma, condutor_id
