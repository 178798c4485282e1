-- The type of the vehicle against the list of its service.
with julgados as (
    select v.*, r.dispositivo, r.ordem, r.admitidos, r.em_duvida, r.tracoes, r.fora,
           case when r.servicos is not null then ilegivel(v.desconhecidos, ['servico']) end as servico_ilegivel,
           case when r.tracoes is not null then ilegivel(v.desconhecidos, ['tracao']) end as tracao_ilegivel
    from registro.veiculos v
    join p using (norma)
    join r on r.norma = v.norma
        and (r.servicos is null or coalesce(list_contains(r.servicos, v.servico), false)
             or ilegivel(v.desconhecidos, ['servico']) is not null)
    where not v.baixado and not v.dono_silencioso
    qualify row_number() over (partition by v.veiculo_id order by r.ordem) = 1
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
