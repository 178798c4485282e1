-- Days on which the most passengers counted aboard passed the seats times the factor, rounded down. A vehicle of no seats is a count not given.
with viagens as (
    select o.norma, o.veiculo_id, o.data, o.lotacao_maxima, nullif(o.lugares, 0) as lugares, p.fator, floor(p.fator * nullif(o.lugares, 0))::integer as permitida,
           ilegivel(o.desconhecidos, ['lotacao_maxima']) as ilegivel_do_dia
    from registro.operacao o
    join p on p.norma = o.norma and list_contains(p.tipos, o.tipo)
    where o.lotacao_maxima is not null or o.desconhecidos is not null
), por_veiculo as (
    select norma, veiculo_id, any_value(lugares) as lugares, any_value(fator) as fator, any_value(permitida) as permitida,
           min(data) filter (lotacao_maxima > permitida) as dia,
           list(struct_pack(dia := data, lotacao := lotacao_maxima) order by data, lotacao_maxima) filter (lotacao_maxima > permitida) as dias_excedidos,
           bool_or(ilegivel_do_dia is not null) as algum_ilegivel,
           bool_or(lotacao_maxima is not null) as alguma_contagem
    from viagens
    group by norma, veiculo_id
), com_falta as (
    select *, case when dia is not null then null
                   when lugares is null and (alguma_contagem or algum_ilegivel) then ['veiculos.lugares']
                   when algum_ilegivel then ['operacao.lotacao_maxima'] end as falta
    from por_veiculo
)
select v.norma,
       case when c.falta is not null then 'nao_avaliado'
            when $as_of > c.dia then 'violacao'
            else 'a_vencer' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       c.dia as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, lugares := c.lugares, fator_lotacao := c.fator, lotacao_permitida := c.permitida,
                   dias_excedidos := c.dias_excedidos, falta := c.falta) as evidencia
from com_falta c
join registro.veiculos v using (veiculo_id)
where not v.baixado and not v.dono_silencioso
  and (c.dia is not null or c.falta is not null)
