-- The last lawful day of each vehicle under its norm's age rule (norma.idade_maxima): the first matching rule,
-- counted from the first filled date that the rule names; NULL with `falta` where the data cannot say.
create or replace table fatos.limite_idade as
with regras as (
    select v.veiculo_id, v.norma, r.ordem, r.anos, r.vencida, r.conta_de as ordem_de_contagem,
           r.dispositivo, r.consequencia, r.competente, v.mes_sem_dia,
           v.ano_fabricacao, v.primeiro_uso_em, v.nota_fiscal_em, v.lugares, v.servico, v.tracao,
           list_filter(
               [case when (r.lugares_min is not null or r.lugares_max is not null) and v.lugares is null then 'lugares' end,
                case when (r.servicos is not null or r.servicos_exceto is not null) and v.servico is null
                          and ilegivel(v.desconhecidos, ['servico']) is not null then 'servico' end,
                case when r.tracao_exceto is not null and ilegivel(v.desconhecidos, ['tracao']) is not null then 'tracao' end],
               lambda c: c is not null) as falta_regra,
           ilegivel(v.desconhecidos, r.conta_de) as falta_data,
           case list_extract(list_filter(r.conta_de, lambda c: case c
                    when 'primeiro_uso_em' then v.primeiro_uso_em is not null
                    when 'nota_fiscal_em' then v.nota_fiscal_em is not null
                    when 'ano_fabricacao' then v.ano_fabricacao is not null end), 1)
               when 'primeiro_uso_em' then 'primeiro_uso_em'
               when 'nota_fiscal_em' then 'nota_fiscal_em'
               when 'ano_fabricacao' then 'ano_fabricacao' end as conta_de
    from registro.veiculos v
    join norma.idade_maxima r on r.norma = v.norma
    where not coalesce(list_contains(r.tracao_exceto, v.tracao), false)
      and coalesce(list_contains(r.servicos, v.servico), r.servicos is null or (v.servico is null and ilegivel(v.desconhecidos, ['servico']) is not null))
      and not coalesce(list_contains(r.servicos_exceto, v.servico), false)
      and coalesce(v.lugares >= r.lugares_min, true)
      and coalesce(v.lugares <= r.lugares_max, true)
), datadas as (
    select *,
           case when falta_regra = [] and falta_data is null then
               case conta_de
                   when 'primeiro_uso_em' then soma_anos(primeiro_uso_em, anos, mes_sem_dia)
                   when 'nota_fiscal_em' then soma_anos(nota_fiscal_em, anos, mes_sem_dia)
                   when 'ano_fabricacao' then fim_do_ano(ano_fabricacao + anos)
               end end as limite,
           nullif(list_distinct(falta_regra || coalesce(falta_data, [])
                  || case when conta_de is null then [ordem_de_contagem[1]] else []::varchar[] end), []) as falta
    from regras
)
select veiculo_id, norma, dispositivo, anos, conta_de, limite, falta, vencida, consequencia, competente
from datadas
qualify row_number() over (partition by veiculo_id order by ordem) = 1;
