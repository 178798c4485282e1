-- The infractions of tonight's norms with small numbers: `kid` one row of norma.infracoes, `cid` one code of one norm whatever
-- its periods. `quantidade` is the milder amount where articles and annex disagree.
create or replace table fatos.infracoes as
select (row_number() over (order by i.norma, i.codigo, i.vigente_de))::integer as kid,
       (dense_rank() over (order by i.norma, i.codigo))::integer as cid,
       n.nid, i.norma, i.codigo, i.dispositivo, i.descricao, i.grupo, i.unidade, i.valor, i.pontos, i.sujeito, i.legivel,
       coalesce(c.valor_adotado, i.valor) as quantidade,
       c.conduta is not null as em_conflito, c.valor_artigo, c.valor_anexo,
       coalesce(i.vigente_de, '-infinity'::date) as desde, coalesce(i.vigente_ate, 'infinity'::date) as ate
from norma.infracoes i
join registro.normas n using (norma)
left join norma.conflitos c on c.norma = i.norma and c.situacao = 'grupo_diverge' and i.codigo in (c.codigo_artigo, c.codigo_anexo);

-- The autos that are not cancelled: numbers only, so that a check over all of them reads little. `rid` is the row of fatos.autos, where the
-- rest is; `kid` and `cid` are NULL where the norm has no such code on the day of the fact; `vid` and `did` the rows of registro.veiculos and
-- registro.condutores, NULL where the auto names none or one unknown; `em_servico`: the holder is (a driver's autos under a closed permit still count for the driver).
create or replace table fatos.autos_leves as
select a.rowid as rid, p.pid, v.rowid::integer as vid, c.rowid::integer as did, a.nid, i.kid, i.cid,
       instante(a.ocorrido_em) as instante,
       dia_inteiro(a.ocorrido_em::date) as dia,
       a.estado_auto = 'confirmado' as confirmado,
       a.desconhecidos is not null as duvidoso,
       a.pago,
       not p.silencioso as em_servico,
       a.valor
from fatos.autos a
join registro.permissionarios p using (permissionario_id)
left join fatos.infracoes i on i.nid = a.nid and i.codigo = a.codigo and a.ocorrido_em::date >= i.desde and a.ocorrido_em::date <= i.ate
left join registro.veiculos v on v.veiculo_id = a.veiculo_id
left join registro.condutores c on c.condutor_id = a.condutor_id
where a.estado_auto <> 'cancelado';
