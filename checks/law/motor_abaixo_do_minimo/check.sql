-- The figure comes from the registration document and may be rounded: a person decides.
select v.norma,
       case when v.cilindradas is null then 'nao_avaliado' else 'para_decisao' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, cilindradas := v.cilindradas, cilindradas_minimas := p.minimo,
                   falta := case when v.cilindradas is null then ['veiculos.cilindradas'] end) as evidencia
from registro.veiculos v
join p using (norma)
where not v.baixado and not v.dono_silencioso
  and coalesce(v.cilindradas < p.minimo, true)
