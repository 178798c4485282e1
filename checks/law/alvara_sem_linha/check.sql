-- Permits in force on the day without a line. One whose end or standing could not be read may be in force: not judged.
with atuais as (
    select a.*,
           list_concat(coalesce(a.incerto, []), coalesce(ilegivel(a.desconhecidos, ['linha_id']), []),
                       case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end) as falta
    from registro.alvaras_ativos a
    join p using (norma)
    left join registro.veiculos v on v.veiculo_id = a.veiculo_id
    where a.linha_id is null and not coalesce(v.baixado, false)
)
select norma,
       case when falta <> [] then 'nao_avaliado' else 'violacao' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(alvara_id, veiculo_id, modalidade, emitido_em, valido_ate, fim := nullif(fim, 'infinity'::date), fim_de,
                   falta := nullif(falta, [])) as evidencia
from atuais
