-- A permission is one holder's permits in force (renewals included), told apart by vehicle in service.
-- Who holds more than the norm admits under one document, or is not the kind of person it admits.
with titulos as (
    select d.norma, d.documento, a.permissionario_id, a.alvara_id, v.veiculo_id, a.emitido_em, a.fim, a.situacao, a.falta_fim, a.incerto,
           a.falta_fim is null and a.incerto is null as certo
    from registro.alvaras_ativos a
    join p using (norma)
    join registro.permissionarios d on d.permissionario_id = a.permissionario_id
    left join registro.veiculos v on v.veiculo_id = a.veiculo_id and not v.baixado
), por_documento as (
    select norma, documento,
           -- a permit without vehicle adds nothing to another one of the same holder
           greatest(count(distinct (permissionario_id, veiculo_id)) filter (veiculo_id is not null), count(distinct permissionario_id)) as permissoes,
           greatest(count(distinct (permissionario_id, veiculo_id)) filter (veiculo_id is not null and certo),
                    count(distinct permissionario_id) filter (certo)) as certas
    from titulos
    semi join (select norma, documento from titulos group by norma, documento having count(*) > 1) varios using (norma, documento)
    group by norma, documento
), a_mais as (
    select t.norma, t.documento, any_value(c.certas) as certas,
           list_sort(list_distinct(flatten(list(list_concat(coalesce(t.incerto, []), case when t.falta_fim is not null then [t.falta_fim] else []::varchar[] end))))) as falta,
           list(distinct t.permissionario_id) as titulares,
           list(struct_pack(alvara_id := t.alvara_id, permissionario_id := t.permissionario_id, veiculo_id := t.veiculo_id, emitido_em := t.emitido_em,
                            fim := nullif(t.fim, 'infinity'::date), situacao := t.situacao) order by t.emitido_em, t.alvara_id) as titulos
    from por_documento c
    join p on p.norma = c.norma and c.permissoes > p.permissoes_por_pessoa
    join titulos t on t.norma = c.norma and t.documento = c.documento
    group by t.norma, t.documento
), julgados as (
    select d.norma, d.permissionario_id, d.tipo_pessoa, t.titulos, t.falta,
           not list_contains(p.tipos_admitidos, d.tipo_pessoa) as tipo_estranho,
           coalesce(list_contains(t.titulares, d.permissionario_id), false) as talvez,
           coalesce(t.certas > p.permissoes_por_pessoa, false) as certo
    from registro.permissionarios d
    join p using (norma)
    left join a_mais t on t.norma = d.norma and t.documento = d.documento
    where not d.silencioso
)
select norma,
       case when tipo_estranho or certo then 'violacao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(tipo_pessoa, titulos, falta := case when not (tipo_estranho or certo) then falta end) as evidencia
from julgados
where tipo_estranho or talvez
