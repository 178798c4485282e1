-- Autos and trips that name a crew member on a day of his suspension, both ends included; one without an end lasts, into the cassation
-- where there was one. The extract tells no day of a cassation by itself and, of a suspension lifted without an end, not until when:
-- facts that may fall inside are not judged. A day's row without any trip made
-- is no work.
with afastados as (
    select c.*,
           c.matricula_situacao <> 'ativa' as segue_suspenso,
           ilegivel(c.desconhecidos, ['matricula_situacao', 'suspenso_em', 'suspenso_ate', 'desligado_em']) as ilegiveis
    from registro.condutores c
    where c.norma in (select norma from p) and not c.dono_silencioso
      and (c.suspenso_em is not null or c.matricula_situacao <> 'ativa' or c.desconhecidos is not null)
), citacoes as (
    select 'autos' as fonte, a.auto_id, a.condutor_id, a.ocorrido_em::date as dia, a.estado_auto
    from fatos.autos a
    where a.estado_auto <> 'cancelado' and a.condutor_id in (select condutor_id from afastados)
    union all
    select distinct 'operacao', null, o.condutor_id, o.data, 'confirmado'
    from registro.operacao o
    where coalesce(o.viagens_realizadas > 0, true) and o.condutor_id in (select condutor_id from afastados)
), situados as (
    select f.*, c.* exclude (condutor_id),
           -- certain: the day is inside; possible: it may be
           coalesce(f.dia >= c.suspenso_em and case when c.suspenso_ate is not null then f.dia <= c.suspenso_ate
                                                    when c.segue_suspenso then true else f.dia = c.suspenso_em end, false) as dentro,
           case when c.ilegiveis is not null then list_transform(c.ilegiveis, lambda x: 'condutores.' || x)
                when c.matricula_situacao = 'cassada' and (c.suspenso_em is null or f.dia > c.suspenso_ate) then ['data da cassação da matrícula']
                when c.segue_suspenso and c.suspenso_em is null then ['condutores.suspenso_em']
                when not c.segue_suspenso and c.suspenso_ate is null and f.dia > c.suspenso_em then ['condutores.suspenso_ate'] end as duvida
    from citacoes f
    join afastados c using (condutor_id)
), por_pessoa as (
    select norma, condutor_id, permissionario_id, funcao, matricula_situacao, suspenso_em, suspenso_ate,
           min(dia) filter (dentro and ilegiveis is null and estado_auto = 'confirmado') as provado_em,
           min(dia) filter (dentro and ilegiveis is null and estado_auto = 'em_defesa') as em_defesa_em,
           list_sort(list_distinct(flatten(list(duvida)))) as duvida,
           list(struct_pack(dia, fonte, auto_id, estado := estado_auto) order by dia, fonte, auto_id) filter (dentro or duvida is not null) as fatos
    from situados
    where dentro or duvida is not null
    group by all
)
select norma,
       case when provado_em is not null then case when $as_of > provado_em then 'violacao' else 'a_vencer' end
            when em_defesa_em is not null then 'a_vencer'
            else 'nao_avaliado' end as situacao,
       condutor_id as sujeito_id,
       permissionario_id,
       coalesce(provado_em, em_defesa_em) as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(funcao, matricula_situacao, suspenso_em, suspenso_ate, fatos,
                   falta := case when coalesce(provado_em, em_defesa_em) is null then case when duvida <> [] then duvida else ['autos'] end end) as evidencia
from por_pessoa
union all
select p.norma, 'nao_avaliado', p.norma, null, null, null,
       struct_pack(funcao := null, matricula_situacao := null, suspenso_em := null, suspenso_ate := null, fatos := null, falta := a.falta)
from p
cross join (
    select list(e order by e) as falta
    from (select unnest(['autos', 'operacao']) as e)
    where e not in (select extrato from registro.colunas)
) a
where len(a.falta) > 0
