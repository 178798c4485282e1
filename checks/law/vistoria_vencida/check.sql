-- The end of the last approved inspection, by the first rule that fits the vehicle on the day it was inspected, else by
-- the general validity; never approved is a violation without a day. An inspection whose date or result cannot be read
-- may be the one that cures: nothing is affirmed then.
with vistas as (
    select veiculo_id, vistoria_id, realizada_em, resultado = 'aprovada' and realizada_em is not null as aprovada,
           case when realizada_em is not null then ilegivel(desconhecidos, ['resultado'])
                else ilegivel(desconhecidos, ['realizada_em']) end as duvida
    from registro.vistorias
), sem_data as (  -- the registry drops a result that has no day: here it must not pass for "never inspected"
    select distinct veiculo_id from extrato.vistorias where resultado = 'aprovada' and realizada_em is null
), ultimas as (
    select veiculo_id,
           max(struct_pack(dia := realizada_em, id := vistoria_id)) filter (aprovada) as ultima,
           max(coalesce(realizada_em, 'infinity'::date)) filter (duvida is not null) as duvida_em,
           flatten(list(duvida) filter (duvida is not null)) as duvida
    from vistas
    group by veiculo_id
), veiculos as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, v.servico, v.ano_fabricacao, v.primeiro_uso_em, v.mes_sem_dia, p.aviso_dias,
           p.validade as validade_geral, p.unidade as unidade_geral,
           u.ultima.dia as realizada_em, u.ultima.id as vistoria_id,
           coalesce(v.primeiro_uso_em, fim_do_ano(v.ano_fabricacao)) as usado_desde,
           ilegivel(v.desconhecidos, ['servico']) as servico_ilegivel,
           ilegivel(v.desconhecidos, ['primeiro_uso_em']) as uso_ilegivel,
           case when u.duvida_em > u.ultima.dia or (u.ultima is null and u.duvida_em is not null) then u.duvida
                when u.ultima is null and s.veiculo_id is not null then ['realizada_em'] end as duvida
    from registro.veiculos v
    join p using (norma)
    left join ultimas u using (veiculo_id)
    left join sem_data s using (veiculo_id)
    where not v.baixado and not v.dono_silencioso
), medidas as (
    select v.*, r.dispositivo, r.idade_ate,
           coalesce(r.validade, v.validade_geral) as validade,
           coalesce(r.unidade, v.unidade_geral) as unidade,
           coalesce(case when r.servicos is not null then v.servico_ilegivel end,
                    case when r.idade_ate is not null then v.uso_ilegivel end) as falta_regra
    from veiculos v
    left join r on r.norma = v.norma and v.realizada_em is not null
        and (r.servicos is null or v.servico_ilegivel is not null or coalesce(list_contains(r.servicos, v.servico), false))
        and (r.idade_ate is null or v.uso_ilegivel is not null
             or v.realizada_em <= soma_anos(v.usado_desde, r.idade_ate, v.mes_sem_dia))
    qualify row_number() over (partition by v.veiculo_id order by r.ordem) = 1
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
