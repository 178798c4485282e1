-- Permits in force whose operation order came when none of the vehicles that could serve it (the permit's own, else
-- those its holder then had) had passed an inspection. Where one of several had, nothing can be said of the others.
with aprovacoes as (
    select veiculo_id,
           min(realizada_em) filter (resultado = 'aprovada') as aprovada_em,
           bool_or(ilegivel(desconhecidos, ['realizada_em', 'resultado']) is not null) as ilegivel_alguma
    from registro.vistorias
    group by veiculo_id
), desde as (
    -- before its first inspection the registry is silent, not accusing
    select norma, min(realizada_em) as primeira from registro.vistorias group by norma
), ordens as (
    select a.*, list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end,
                            coalesce(ilegivel(a.desconhecidos, ['ordem_operacao_em', 'veiculo_id']), [])) as falta
    from registro.alvaras_ativos a
    join p using (norma)
    where a.ordem_operacao_em is not null
), veiculos as (
    select o.alvara_id, count(*) as do_titular,
           count(*) filter (x.aprovada_em <= o.ordem_operacao_em) as aprovados,
           min(x.aprovada_em) as aprovada_em,
           coalesce(bool_or(x.ilegivel_alguma), false) as ilegivel_alguma
    from ordens o
    join registro.veiculos v on v.permissionario_id = o.permissionario_id
        and (v.veiculo_id = o.veiculo_id
             or (o.veiculo_id is null and coalesce(v.cadastrado_em <= o.ordem_operacao_em, true) and coalesce(v.baixado_em > o.ordem_operacao_em, true)))
    left join aprovacoes x on x.veiculo_id = v.veiculo_id
    group by o.alvara_id
), julgadas as (
    select o.*, v.do_titular, v.aprovados, v.aprovada_em,
           list_concat(o.falta,
                       case when v.ilegivel_alguma then ['vistorias.resultado'] else []::varchar[] end,
                       case when coalesce(d.primeira > o.ordem_operacao_em, true) then ['vistorias.realizada_em'] else []::varchar[] end) as faltas
    from ordens o
    join veiculos v using (alvara_id)
    left join desde d on d.norma = o.norma
    where v.aprovados = 0
)
select norma,
       case when faltas <> [] then 'nao_avaliado' else 'para_decisao' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(alvara_id, linha_id, veiculo_id, modalidade, ordem_operacao_em, veiculos_do_titular := do_titular, veiculos_aprovados := aprovados,
                   vistoria_aprovada_em := aprovada_em, falta := nullif(faltas, [])) as evidencia
from julgadas
