-- Seats of the vehicle against the least its type or service allows. A vehicle of no seats is a count not given.
with julgados as (
    select v.* replace (nullif(v.lugares, 0) as lugares), r.dispositivo, r.minimo, r.fora,
           nullif(list_transform(
               coalesce(case when r.servicos is not null or r.servicos_exceto is not null then ilegivel(v.desconhecidos, ['servico']) end, []),
               lambda c: 'veiculos.' || c)
               || case when nullif(v.lugares, 0) is null then ['veiculos.lugares'] else []::varchar[] end, []) as falta
    from registro.veiculos v
    join p using (norma)
    join r on r.norma = v.norma
        and (r.tipos is null or list_contains(r.tipos, v.tipo))
        and (r.servicos is null or coalesce(list_contains(r.servicos, v.servico), false) or ilegivel(v.desconhecidos, ['servico']) is not null)
        and not coalesce(list_contains(r.servicos_exceto, v.servico), false)
    where not v.baixado and not v.dono_silencioso
    qualify row_number() over (partition by v.veiculo_id order by r.ordem) = 1
)
select norma,
       case when falta is not null then 'nao_avaliado' else fora end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       struct_pack(placa, tipo_veiculo := tipo, servico, lugares, lugares_minimos := minimo, falta) as evidencia
from julgados
where coalesce(lugares < minimo, true)
