-- The owner's document against the holder's; both come in one form from the reading of the extracts. A document whose check digits fail
-- is nobody's: a slip in one of the two would make a stranger of the owner himself, so it is no proof.
with pares as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, v.proprietario_documento, h.documento,
           nullif(list_filter(
               [case when not coalesce(documento_confere(v.proprietario_documento), false) then 'veiculos.proprietario_documento' end,
                case when not coalesce(documento_confere(h.documento), false) then 'permissionarios.documento' end],
               lambda c: c is not null), []) as falta
    from registro.veiculos v
    join p using (norma)
    join registro.permissionarios h using (permissionario_id)
    where not v.baixado and not v.dono_silencioso
      and coalesce(v.proprietario_documento <> h.documento, true)
)
select norma,
       case when falta is not null then 'nao_avaliado' else 'violacao' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, proprietario_documento, documento, falta) as evidencia
from pares
