-- The end of the last approved inspection, by the first rule that fits the vehicle on the day it was inspected, else by
-- the general validity; never approved is a violation without a day. An inspection whose date or result cannot be read
-- may be the one that cures: nothing is affirmed then.
with sem_data as (  -- the registry drops a result that has no day: here it must not pass for "never inspected"
    select distinct veiculo_id from extrato.vistorias where resultado = 'aprovada' and realizada_em is null
), veiculos as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, v.servico, v.ano_fabricacao, v.primeiro_uso_em, v.mes_sem_dia, p.aviso_dias,
           p.validade as validade_geral, p.unidade as unidade_geral,
           u.aprovada.dia as realizada_em, u.aprovada.id as vistoria_id,
           coalesce(v.primeiro_uso_em, fim_do_ano(v.ano_fabricacao)) as usado_desde,
           ilegivel(v.desconhecidos, ['servico']) as servico_ilegivel,
           ilegivel(v.desconhecidos, ['primeiro_uso_em']) as uso_ilegivel,
           case when u.duvida_em > u.aprovada.dia or (u.aprovada is null and u.duvida_em is not null) then u.duvida
                when u.aprovada is null and s.veiculo_id is not null then ['realizada_em'] end as duvida
    from registro.veiculos v
    join p using (norma)
    left join fatos.ultimas_vistorias u using (veiculo_id)
    left join sem_data s using (veiculo_id)
    where not v.baixado and not v.dono_silencioso
), regras as (
    select norma, list(struct_pack(dispositivo, idade_ate, validade, unidade, servicos) order by ordem) as regras from r group by norma
), escolhidas as (
    select v.*,
           case when v.realizada_em is not null then list_filter(g.regras, lambda x:
               (x.servicos is null or v.servico_ilegivel is not null or coalesce(list_contains(x.servicos, v.servico), false))
               and (x.idade_ate is null or v.uso_ilegivel is not null
                    or v.realizada_em <= soma_anos(v.usado_desde, x.idade_ate, v.mes_sem_dia)))[1] end as regra
    from veiculos v
    left join regras g using (norma)
), medidas as (
    select *, regra.dispositivo as dispositivo, regra.idade_ate as idade_ate,
           coalesce(regra.validade, validade_geral) as validade,
           coalesce(regra.unidade, unidade_geral) as unidade,
           coalesce(case when regra.servicos is not null then servico_ilegivel end,
                    case when regra.idade_ate is not null then uso_ilegivel end) as falta_regra
    from escolhidas
), fins as (
    select *, fim_de_prazo(realizada_em, validade, unidade, mes_sem_dia) as fim_lido from medidas
), prontas as (
    select *, case when falta_regra is null then fim_lido end as fim,
           nullif(list_transform(list_distinct(coalesce(duvida, [])), lambda c: 'vistorias.' || c)
                  || list_transform(coalesce(falta_regra, []), lambda c: 'veiculos.' || c)
                  || case when realizada_em is not null and falta_regra is null and fim_lido is null then ['validade_vistoria']
                          else []::varchar[] end, []) as falta
    from fins
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when coalesce($as_of > fim, true) then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then fim end as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       struct_pack(placa, servico, ano_fabricacao, primeiro_uso_em, vistoria_id, realizada_em, validade, validade_unidade := unidade,
                   idade_ate, fim, falta) as evidencia
from prontas
where fim is null or fim - aviso_dias <= $as_of
