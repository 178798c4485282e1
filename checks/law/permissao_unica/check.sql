-- A permission is one holder's permits in force (renewals included), told apart by vehicle in service.
-- Who holds more than the norm admits under one document, or is not the kind of person it admits.
with titulos as (
    select d.norma, d.documento, a.permissionario_id, a.alvara_id, a.veiculo_id, a.emitido_em,
           nullif(a.fim, 'infinity'::date) as fim, a.situacao,
           list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end) as falta,
           a.permissionario_id || coalesce('/' || v.veiculo_id, '') as permissao
    from registro.alvaras_ativos a
    join p using (norma)
    join registro.permissionarios d on d.permissionario_id = a.permissionario_id
    left join registro.veiculos v on v.veiculo_id = a.veiculo_id and not v.baixado
), por_documento as (
    select norma, documento,
           -- a permit without vehicle adds nothing to another one of the same holder
           greatest(count(distinct permissao) filter (permissao <> permissionario_id), count(distinct permissionario_id)) as permissoes,
           greatest(count(distinct permissao) filter (permissao <> permissionario_id and falta = []),
                    count(distinct permissionario_id) filter (falta = [])) as certas,
           list_distinct(flatten(list(falta))) as falta,
           list(distinct permissionario_id) as titulares,
           list(struct_pack(alvara_id, permissionario_id, veiculo_id, emitido_em, fim, situacao) order by emitido_em, alvara_id) as titulos
    from titulos
    group by norma, documento
), julgados as (
    select d.norma, d.permissionario_id, d.tipo_pessoa, t.titulos, t.falta,
           not list_contains(p.tipos_admitidos, d.tipo_pessoa) as tipo_estranho,
           coalesce(list_contains(t.titulares, d.permissionario_id) and t.certas > p.permissoes_por_pessoa, false) as a_mais,
           coalesce(list_contains(t.titulares, d.permissionario_id) and t.permissoes > p.permissoes_por_pessoa, false) as talvez
    from registro.permissionarios d
    join p using (norma)
    left join por_documento t on t.norma = d.norma and t.documento = d.documento
    where not d.silencioso
)
select norma,
       case when tipo_estranho or a_mais then 'violacao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(tipo_pessoa, titulos, falta := case when tipo_estranho or a_mais then null else falta end) as evidencia
from julgados
where tipo_estranho or talvez
