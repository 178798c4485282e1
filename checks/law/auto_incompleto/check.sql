-- An obligatory field that the load brings and this auto leaves empty. A column that the load does not bring says
-- nothing of any auto: said once per norm. A cell that could not be read was filled in.
-- What is missing of each auto is one number, a bit for each rule of its norm; the few that there are get their words at the end.
with pedidos as (
    select n.nid, r.*, 1::bigint << r.ordem as bit, c.coluna is not null as presente
    from r
    join registro.normas n using (norma)
    left join registro.colunas c on c.extrato = 'autos' and c.coluna = r.campo
), ausentes as (
    select norma, list('autos.' || campo order by ordem) as falta from pedidos where not presente group by norma
), pedidos_por_norma as (
    select nid, bit_or(bit) filter (coalesce(so_com_multa, false)) as com_multa,
           bit_or(bit) filter (campo = 'local') as local, bit_or(bit) filter (campo = 'agente') as agente,
           bit_or(bit) filter (campo = 'descricao') as descricao, bit_or(bit) filter (campo = 'valor') as valor,
           bit_or(bit) filter (campo = 'veiculo_id') as veiculo, bit_or(bit) filter (campo = 'condutor_id') as condutor,
           bit_or(bit) filter (campo = 'linha_id') as linha
    from pedidos where presente group by nid
), vazios as materialized (
    select * from (
        select a.rowid as rid, q.com_multa,
               coalesce(case when a.sem_local and ilegivel(a.desconhecidos, ['local']) is null then q.local end, 0)
               | coalesce(case when a.sem_agente and ilegivel(a.desconhecidos, ['agente']) is null then q.agente end, 0)
               | coalesce(case when a.sem_descricao and ilegivel(a.desconhecidos, ['descricao']) is null then q.descricao end, 0)
               | coalesce(case when a.valor is null and ilegivel(a.desconhecidos, ['valor']) is null then q.valor end, 0)
               | coalesce(case when a.veiculo_id is null and ilegivel(a.desconhecidos, ['veiculo_id']) is null then q.veiculo end, 0)
               | coalesce(case when a.condutor_id is null and ilegivel(a.desconhecidos, ['condutor_id']) is null then q.condutor end, 0)
               | coalesce(case when a.linha_id is null and ilegivel(a.desconhecidos, ['linha_id']) is null then q.linha end, 0) as falhas
        from fatos.autos a
        join pedidos_por_norma q using (nid)
        where not a.cancelado
    )
    where falhas <> 0
), incompletos as (
    select a.auto_id, a.permissionario_id, a.norma, a.codigo, a.ocorrido_em, a.lavrado_em, a.estado_auto, a.incerto,
           case when v.com_multa is null or i.valor is not null or i.legivel = 'nao' then v.falhas
                else v.falhas & ~v.com_multa end as falhas
    from vazios v
    join fatos.autos_leves l using (rid)
    join fatos.autos a on a.rowid = v.rid
    left join fatos.infracoes i using (kid)
    where l.em_servico
), textos as (
    select i.norma, i.falhas, list_sort(list(distinct q.campo)) as campos, string_agg(distinct q.dispositivo, '; ' order by q.dispositivo) as dispositivo
    from (select distinct norma, falhas from incompletos) i
    join pedidos q on q.norma = i.norma and (i.falhas >> q.ordem) & 1 = 1
    group by all
)
select i.norma,
       case when i.incerto is not null then 'nao_avaliado' else 'violacao' end as situacao,
       'auto' as sujeito_tipo,
       i.auto_id as sujeito_id,
       i.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       d.dispositivo,
       struct_pack(codigo := i.codigo, ocorrido_em := i.ocorrido_em, lavrado_em := i.lavrado_em, estado_auto := i.estado_auto,
                   campos := d.campos, falta := i.incerto) as evidencia
from incompletos i
join textos d using (norma, falhas)
union all
select a.norma, 'nao_avaliado', 'norma', a.norma, null, null, null, null,
       struct_pack(codigo := null, ocorrido_em := null, lavrado_em := null, estado_auto := null, campos := null, falta := a.falta)
from ausentes a
where exists (select 1 from fatos.autos x where x.norma = a.norma)
