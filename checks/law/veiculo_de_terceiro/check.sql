-- The owner's document against the holder's; both come in one form from the reading of the extracts.
select v.norma,
       case when v.proprietario_documento is null then 'nao_avaliado' else 'violacao' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, proprietario_documento := v.proprietario_documento, documento := h.documento,
                   falta := case when v.proprietario_documento is null then ['veiculos.proprietario_documento'] end) as evidencia
from registro.veiculos v
join p using (norma)
join registro.permissionarios h using (permissionario_id)
where not v.baixado and not v.dono_silencioso
  and coalesce(v.proprietario_documento <> h.documento, true)
