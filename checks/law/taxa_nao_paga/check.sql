-- Fees not paid past their due date, one finding per holder; those the norm did not yet let charge are not owed.
with abertas as (
    select t.*, t.falta is null and t.devido_em < $as_of as vencida,
           t.falta is null and t.devido_em between $as_of and $as_of + p.aviso_dias as a_vencer
    from fatos.taxas t
    join p using (norma)
    left join r on r.norma = t.norma and list_contains(r.tipos, t.tipo)
    where not t.dono_silencioso and t.aberta and not coalesce(t.vence_em < r.exigivel_desde, false)
), por_titular as (
    select norma, permissionario_id,
           case when bool_or(vencida) then 'violacao' when bool_or(falta is not null) then 'nao_avaliado' else 'a_vencer' end as situacao,
           coalesce(min(devido_em) filter (vencida), min(devido_em) filter (a_vencer)) as devido_em,
           -- an amount that is not known makes the sum unknown
           case when bool_or(vencida and valor_devido is null) then null else sum(valor_devido) filter (vencida) end as soma_vencida,
           case when bool_or(a_vencer and valor_devido is null) then null else sum(valor_devido) filter (a_vencer) end as soma_a_vencer,
           list(struct_pack(tipo, exercicio, veiculo_id, vence_em, devido_em, valor, valor_pago)
                order by devido_em, tipo, exercicio, veiculo_id) filter (vencida or a_vencer) as taxas_em_aberto,
           list(struct_pack(tipo, exercicio, veiculo_id, vence_em, valor, falta) order by exercicio, tipo, veiculo_id) filter (falta is not null) as taxas_incertas,
           list_sort(list_distinct(flatten(list(falta) filter (falta is not null)))) as falta
    from abertas
    where vencida or a_vencer or falta is not null
    group by norma, permissionario_id
)
select norma,
       situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       case when situacao <> 'nao_avaliado' then devido_em end as devido_em,
       (case situacao when 'violacao' then soma_vencida when 'a_vencer' then soma_a_vencer end)::decimal(18, 2) as valor,
       struct_pack(taxas_em_aberto, taxas_incertas, falta := case when situacao = 'nao_avaliado' then falta end) as evidencia
from por_titular
