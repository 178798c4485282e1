-- The type of the vehicle against the list of its service.
with regras as (
    select norma, list(struct_pack(dispositivo, servicos, admitidos, em_duvida, tracoes, fora) order by ordem) as regras from r group by norma
), escolhidas as (
    -- the first rule that fits; one of services also fits a vehicle whose service could not be read
    select v.*, ilegivel(v.desconhecidos, ['servico']) as servico_nao_lido,
           list_filter(g.regras, lambda x: x.servicos is null or ilegivel(v.desconhecidos, ['servico']) is not null
                                           or coalesce(list_contains(x.servicos, v.servico), false))[1] as regra
    from registro.veiculos v
    join p using (norma)
    join regras g on g.norma = v.norma
    where not v.baixado and not v.dono_silencioso
), julgados as (
    select *, regra.dispositivo as dispositivo, regra.admitidos as admitidos, regra.em_duvida as em_duvida, regra.tracoes as tracoes, regra.fora as fora,
           case when regra.servicos is not null then servico_nao_lido end as servico_ilegivel,
           case when regra.tracoes is not null then ilegivel(desconhecidos, ['tracao']) end as tracao_ilegivel
    from escolhidas
    where regra is not null
), com_falta as (
    select *, nullif(list_transform(coalesce(servico_ilegivel, []) || coalesce(tracao_ilegivel, []), lambda c: 'veiculos.' || c), []) as falta
    from julgados
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when coalesce(list_contains(em_duvida, tipo), false) then 'para_decisao'
            else fora end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       struct_pack(placa, tipo_veiculo := tipo, servico, tracao, tipos_admitidos := admitidos, falta) as evidencia
from com_falta
where servico_ilegivel is not null
   or (not list_contains(admitidos, tipo) and not coalesce(list_contains(tracoes, tracao) and tracao_ilegivel is null, false))
