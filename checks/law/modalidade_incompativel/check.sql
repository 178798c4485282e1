-- Permits in force whose modalidade is not one the norm admits for the category of their line (or for any).
with comparados as (
    select a.*, l.categoria, r.admite, r.dispositivo, list_contains(r.a_apurar, a.modalidade) as a_apurar,
           list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end,
                       case when r.categoria is not null then coalesce(ilegivel(l.desconhecidos, ['categoria']), []) else []::varchar[] end,
                       case when r.categoria is not null then coalesce(ilegivel(a.desconhecidos, ['linha_id']), []) else []::varchar[] end) as falta
    from registro.alvaras_ativos a
    join p using (norma)
    left join registro.linhas l on l.linha_id = a.linha_id and l.norma = a.norma
    join r on r.norma = a.norma
        and (r.categoria is null or r.categoria = l.categoria or ilegivel(l.desconhecidos, ['categoria']) is not null
             or ilegivel(a.desconhecidos, ['linha_id']) is not null)
    where not list_contains(r.admite, a.modalidade)
)
select norma,
       case when bool_or(falta = [] and not a_apurar) then 'violacao' when bool_or(falta = []) then 'para_decisao' else 'nao_avaliado' end as situacao,
       alvara_id as sujeito_id,
       any_value(permissionario_id) as permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       string_agg(distinct dispositivo, '; ' order by dispositivo) as dispositivo,
       struct_pack(alvara_id := alvara_id, linha_id := any_value(linha_id), modalidade := any_value(modalidade), categoria := any_value(categoria),
                   modalidades_admitidas := list_sort(list_distinct(flatten(list(admite)))), emitido_em := any_value(emitido_em),
                   fim := any_value(nullif(fim, 'infinity'::date)),
                   falta := case when not bool_or(falta = []) then list_sort(list_distinct(flatten(list(falta)))) end) as evidencia
from comparados
group by norma, alvara_id
