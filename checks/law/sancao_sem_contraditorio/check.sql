-- Processes that ended in a penalty with no notice to the operator, or decided before the defence term ran and before he defended himself.
-- What an appeal undid is left out. The term is the norm's own for autos, a reading where the law gives the process none.
with aplicados as (
    select x.*, t.fim_defesa, ilegivel(x.desconhecidos, ['ciencia_em', 'defesa_em', 'decisao_em', 'decisao_recurso']) as ilegiveis
    from registro.processos x
    join p on p.norma = x.norma and list_contains(p.atos, x.ato)
    left join fatos.prazos t on t.norma = x.norma and t.dia = x.ciencia_em
    where x.decisao = 'aplicada' and x.decisao_recurso is distinct from 'provido'
), julgados as (
    select *,
           case when ilegiveis is not null then null
                when ciencia_em is null then 'sem ciência'
                when ciencia_em > decisao_em then 'ciência depois da decisão'
                when defesa_em <= decisao_em or (defesa_em is not null and decisao_em is null) then null
                when coalesce(decisao_em, $as_of) <= fim_defesa then 'antes do fim da defesa' end as motivo,
           case when ilegiveis is not null then list_transform(ilegiveis, lambda c: 'processos.' || c)
                when decisao_em is null and ciencia_em is not null and defesa_em is null and fim_defesa < $as_of then ['processos.decisao_em'] end as falta
    from aplicados
), por_titular as (
    select norma, permissionario_id, bool_or(motivo is not null) as provado,
           list(struct_pack(instaurado_em, processo_id, ato, ciencia_em, fim_defesa, defesa_em, decisao_em, motivo) order by instaurado_em, processo_id) as processos,
           list_sort(list_distinct(flatten(list(falta)))) as falta
    from julgados
    where motivo is not null or falta is not null
    group by norma, permissionario_id
)
select norma,
       case when provado then 'para_decisao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(processos_sem_contraditorio := processos, falta := case when not provado then falta end) as evidencia
from por_titular
