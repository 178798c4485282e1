-- The fleet of the day: vehicles in the registry, not withdrawn, of holders in service, and the permit that covers each.
-- `titulo`: 'do_veiculo' (a permit in force names it), 'do_titular' (one of its holder names no vehicle), 'incerto' (one whose end,
-- standing or vehicle could not be read), 'nenhum'. `duvida_do_veiculo`: what keeps the vehicle's place in the fleet from being certain;
-- `duvida`: that, or its permit.
create or replace table fatos.frota as
with titulos as (
    select permissionario_id, veiculo_id,
           bool_or(incerto is null and falta_fim is null and ilegivel(desconhecidos, ['veiculo_id']) is null) as certo
    from registro.alvaras_ativos
    group by all
), situados as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.tipo, v.lugares, v.funcao, v.cadastrado_em,
           case when d.certo then 'do_veiculo'
                when h.certo then 'do_titular'
                when d.certo is not null or h.certo is not null then 'incerto'
                else 'nenhum' end as titulo,
           v.incerto, p.incerto as dono_incerto, v.desconhecidos
    from registro.veiculos_ativos v
    join registro.permissionarios p using (permissionario_id)
    left join titulos d on d.permissionario_id = v.permissionario_id and d.veiculo_id = v.veiculo_id
    left join titulos h on h.permissionario_id = v.permissionario_id and h.veiculo_id is null
)
select * exclude (incerto, dono_incerto, desconhecidos),
       case when incerto is not null or dono_incerto is not null or desconhecidos is not null then nullif(
           list_transform(coalesce(incerto, []) || coalesce(ilegivel(desconhecidos, ['funcao']), []), lambda c: 'veiculos.' || c)
           || list_transform(coalesce(dono_incerto, []), lambda c: 'permissionarios.' || c), []) end as duvida_do_veiculo,
       case when titulo = 'incerto' then coalesce(duvida_do_veiculo, []) || ['alvaras.valido_ate'] else duvida_do_veiculo end as duvida
from situados;
