-- Grants in force without a line. One whose end or standing is not known may not be in force: not judged.
with atuais as (
    select a.*,
           list_concat(coalesce(a.incerto, []), coalesce(ilegivel(a.desconhecidos, ['linha_id']), []),
                       case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end) as falta
    from registro.alvaras_ativos a
    join p on p.norma = a.norma and list_contains(p.modalidades, a.modalidade)
    where a.linha_id is null
)
select norma,
       case when falta <> [] then 'nao_avaliado' else 'violacao' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(alvara_id, modalidade, emitido_em, valido_ate, fim := nullif(fim, 'infinity'::date), fim_de, falta := nullif(falta, [])) as evidencia
from atuais
