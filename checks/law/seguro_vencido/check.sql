-- The last day of the policy is still covered.
select v.norma,
       case when v.seguro_vence_em is null then 'nao_avaliado'
            when $as_of > v.seguro_vence_em then 'violacao'
            else 'a_vencer' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       v.seguro_vence_em as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, seguro_vence_em := v.seguro_vence_em,
                   falta := case when v.seguro_vence_em is null then ['veiculos.seguro_vence_em'] end) as evidencia
from registro.veiculos v
join p using (norma)
where not v.baixado and not v.dono_silencioso
  and coalesce(v.seguro_vence_em - p.aviso_dias <= $as_of, true)
