-- The last vehicle each holder gave in guarantee and did not get back: its years of use on that day and now, from the first licensing, else from
-- the end of its year of manufacture. That it must be exchanged after some years and that it may stay until older are both in the law: a person decides.
with dados as (
    select g.norma, g.permissionario_id, g.veiculo_id, g.data, p.anos_na_entrega, p.anos_de_permanencia, p.anos_de_troca, p.aviso_dias
    from registro.garantias g
    join p using (norma)
    where g.modalidade = 'veiculo' and g.movimento in ('deposito', 'reforco') and g.veiculo_id is not null and not g.dono_silencioso
    qualify row_number() over (partition by g.permissionario_id order by g.data desc, g.veiculo_id) = 1
), atuais as (
    select d.*, v.placa, v.ano_fabricacao, v.primeiro_uso_em, v.mes_sem_dia, coalesce(v.primeiro_uso_em, fim_do_ano(v.ano_fabricacao)) as usado_desde,
           list_transform(ilegivel(v.desconhecidos, ['primeiro_uso_em']), lambda c: 'veiculos.' || c) as falta
    from dados d
    join registro.veiculos v on v.veiculo_id = d.veiculo_id and not v.baixado
    where not exists (select 1 from registro.garantias x where x.permissionario_id = d.permissionario_id and x.veiculo_id = d.veiculo_id
                      and x.movimento = 'devolucao' and x.data >= d.data)
), limites as (
    select *, soma_anos(usado_desde, anos_na_entrega, mes_sem_dia) as na_entrega, soma_anos(usado_desde, anos_de_permanencia, mes_sem_dia) as permanencia,
           soma_anos(data, anos_de_troca, mes_sem_dia) as troca
    from atuais
), julgados as (
    select *,
           case when data > na_entrega then na_entrega when $as_of > permanencia then permanencia end as violado_em,
           least(permanencia, troca) as proximo
    from limites
)
select norma,
       case when falta is not null then 'nao_avaliado' when violado_em is not null then 'violacao' when $as_of > troca then 'para_decisao' else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then coalesce(violado_em, proximo) end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, depositado_em := data, ano_fabricacao, primeiro_uso_em,
                   irregularidades := list_filter([case when data > na_entrega then 'idade na entrega' end, case when $as_of > permanencia then 'idade de permanência' end,
                                                   case when $as_of > troca then 'troca' end], lambda x: x is not null),
                   limite_na_entrega := na_entrega, limite_de_permanencia := permanencia, limite_de_troca := troca, falta) as evidencia
from julgados
where falta is not null or violado_em is not null or proximo - aviso_dias <= $as_of
