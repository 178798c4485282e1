-- The year of make of the vehicle that came in against that of the one it replaces, withdrawn or not. One that replaces itself is a slip.
with trocas as (
    select v.*, p.anos_a_mais as minimo_geral, p.anos_a_mais_fortuito, p.motivos,
           s.ano_fabricacao as ano_substituido,
           v.ano_fabricacao - s.ano_fabricacao as diferenca,
           coalesce(v.substitui_veiculo_id = v.veiculo_id, true) as troca_ilegivel,
           ilegivel(v.desconhecidos, ['motivo_substituicao']) as motivo_ilegivel
    from registro.veiculos v
    join p using (norma)
    left join registro.veiculos s on s.veiculo_id = v.substitui_veiculo_id and s.veiculo_id <> v.veiculo_id
    where not v.baixado and not v.dono_silencioso
      and (v.substitui_veiculo_id is not null or ilegivel(v.desconhecidos, ['substitui_veiculo_id']) is not null)
), medidas as (
    select *,
           case when coalesce(list_contains(motivos, motivo_substituicao), false) then coalesce(anos_a_mais_fortuito, minimo_geral)
                else minimo_geral end as anos_exigidos,
           case when troca_ilegivel then ['veiculos.substitui_veiculo_id']
                when ano_substituido is null then ['veiculo_substituido']
                when diferenca >= coalesce(anos_a_mais_fortuito, minimo_geral) and motivo_ilegivel is not null
                     then ['veiculos.motivo_substituicao'] end as falta
    from trocas
)
select norma,
       case when falta is not null then 'nao_avaliado' else 'violacao' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, ano_fabricacao, veiculo_substituido_id := substitui_veiculo_id, ano_substituido, motivo_substituicao,
                   anos_a_mais := anos_exigidos, falta) as evidencia
from medidas
where ano_substituido is null or diferenca < anos_exigidos
