-- The owner's document against the holder's; both come in one form from the reading of the extracts. Where one of the two has check digits
-- that fail and they are but a slip or two apart (a digit changed or lost, two exchanged), that slip would make a stranger of the owner himself: no proof.
with pares as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, v.proprietario_documento, h.documento,
           case when v.proprietario_documento is null then ['veiculos.proprietario_documento']
                when h.documento is null then ['permissionarios.documento']
                when levenshtein(v.proprietario_documento, h.documento) <= 2 then nullif(list_filter(
                    [case when not documento_confere(v.proprietario_documento) then 'veiculos.proprietario_documento' end,
                     case when not documento_confere(h.documento) then 'permissionarios.documento' end],
                    lambda c: c is not null), [])
           end as falta
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
