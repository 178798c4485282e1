-- Days on which the most passengers counted aboard passed the seats, in services where everybody travels seated. A vehicle of no seats is
-- a count not given.
with viagens as (
    select o.norma, o.veiculo_id, o.data, o.lotacao_maxima, v.placa, v.permissionario_id, nullif(v.lugares, 0) as lugares, v.servico, r.dispositivo, r.conclusao,
           ilegivel(o.desconhecidos, ['lotacao_maxima']) is not null as ilegivel_do_dia
    from registro.operacao o
    join registro.veiculos v using (veiculo_id)
    join r on r.norma = o.norma and list_contains(r.servicos, v.servico)
    where (o.lotacao_maxima is not null or o.desconhecidos is not null) and not v.baixado and not v.dono_silencioso
), por_veiculo as (
    select norma, veiculo_id, placa, permissionario_id, lugares, servico, dispositivo, conclusao,
           min(data) filter (lotacao_maxima > lugares) as dia,
           list(struct_pack(dia := data, lotacao := lotacao_maxima) order by data, lotacao_maxima) filter (lotacao_maxima > lugares) as dias_excedidos,
           bool_or(ilegivel_do_dia) as algum_ilegivel,
           bool_or(lotacao_maxima is not null) as alguma_contagem
    from viagens
    group by all
), com_falta as (
    select *, case when dia is not null then null
                   when lugares is null and (alguma_contagem or algum_ilegivel) then ['veiculos.lugares']
                   when algum_ilegivel then ['operacao.lotacao_maxima'] end as falta
    from por_veiculo
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > dia then conclusao
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       dia as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       struct_pack(placa := placa, servico := servico, lugares := lugares, dias_excedidos := dias_excedidos,
                   motivo := case when $as_of > dia and conclusao = 'para_decisao' then 'a contagem a bordo pode incluir quem acompanha os alunos' end,
                   falta := falta) as evidencia
from com_falta
where dia is not null or falta is not null
