-- Permits in force whose vehicle still owes the fee of the year they were issued in. Without the fee in the extract
-- nothing is said: what was not launched is not a debt.
with devidas as (
    select a.norma, a.alvara_id, a.permissionario_id, a.veiculo_id, a.emitido_em, a.fim,
           list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end,
                       coalesce(t.ilegiveis, [])) as falta, t.valor_devido,
           struct_pack(tipo := t.tipo, exercicio := t.exercicio, veiculo_id := t.veiculo_id, vence_em := t.vence_em, devido_em := t.devido_em, valor := t.valor, valor_pago := t.valor_pago) as taxa
    from fatos.taxas t
    join p on p.norma = t.norma and list_contains(p.tipos, t.tipo)
    join registro.alvaras_ativos a on a.veiculo_id = t.veiculo_id and a.permissionario_id = t.permissionario_id and year(a.emitido_em) = t.exercicio
    left join registro.veiculos v on v.veiculo_id = a.veiculo_id
    where t.aberta and not coalesce(v.baixado, false)
)
select norma,
       case when bool_or(falta = []) then 'para_decisao' else 'nao_avaliado' end as situacao,
       alvara_id as sujeito_id,
       any_value(permissionario_id) as permissionario_id,
       null::date as devido_em,
       -- an amount that is not known makes the sum unknown
       (case when not bool_or(falta = [] and valor_devido is null) then sum(valor_devido) filter (falta = []) end)::decimal(18, 2) as valor,
       struct_pack(alvara_id := alvara_id, veiculo_id := any_value(veiculo_id), emitido_em := any_value(emitido_em), fim := any_value(nullif(fim, 'infinity'::date)),
                   taxas_em_aberto := list(taxa order by taxa.vence_em), falta := case when not bool_or(falta = []) then list_sort(list_distinct(flatten(list(falta)))) end) as evidencia
from devidas
group by norma, alvara_id
