-- An obligatory field that the load brings and this auto leaves empty. A column that the load does not bring says
-- nothing of any auto: said once per norm. A cell that could not be read was filled in.
with pedidos as (
    select r.*, c.coluna is not null as presente
    from r
    left join registro.colunas c on c.extrato = 'autos' and c.coluna = r.campo
), ausentes as (
    select norma, list('autos.' || campo order by ordem) as falta from pedidos where not presente group by norma
), pedidos_por_norma as (
    select norma,
           list(campo) filter (presente and not coalesce(so_com_multa, false)) as sempre,
           list(campo) filter (presente and coalesce(so_com_multa, false)) as com_multa,
           bool_or(presente and campo = 'local') as local, bool_or(presente and campo = 'agente') as agente,
           bool_or(presente and campo = 'descricao') as descricao, bool_or(presente and campo = 'valor') as valor,
           bool_or(presente and campo = 'veiculo_id') as veiculo, bool_or(presente and campo = 'condutor_id') as condutor,
           bool_or(presente and campo = 'linha_id') as linha
    from pedidos group by norma
), vazios as (
    select c.auto_id, c.permissionario_id, c.norma, q.sempre, q.com_multa,
           list_filter([case when c.local is null then 'local' end, case when c.agente is null then 'agente' end,
                        case when c.descricao is null then 'descricao' end, case when c.valor is null then 'valor' end,
                        case when c.veiculo_id is null then 'veiculo_id' end, case when c.condutor_id is null then 'condutor_id' end,
                        case when c.linha_id is null then 'linha_id' end],
                       lambda f: f is not null and not list_contains(coalesce(c.desconhecidos, []), f)) as campos_vazios
    from fatos.autos_campos c
    join pedidos_por_norma q using (norma)
    where (q.local and c.local is null) or (q.agente and c.agente is null) or (q.descricao and c.descricao is null)
       or (q.valor and c.valor is null) or (q.veiculo and c.veiculo_id is null) or (q.condutor and c.condutor_id is null)
       or (q.linha and c.linha_id is null)
), incompletos as (
    select v.auto_id, v.permissionario_id, v.norma, a.codigo, a.ocorrido_em, a.lavrado_em, a.estado_auto, a.incerto,
           list_sort(list_concat(list_intersect(v.campos_vazios, coalesce(v.sempre, [])),
                                 case when coalesce(i.valor is not null or i.legivel = 'nao', false)
                                      then list_intersect(v.campos_vazios, coalesce(v.com_multa, [])) else []::varchar[] end)) as campos
    from vazios v
    join fatos.autos a using (auto_id)
    left join norma.infracoes i on i.norma = v.norma and i.codigo = a.codigo
        and a.ocorrido_em::date between coalesce(i.vigente_de, '-infinity'::date) and coalesce(i.vigente_ate, 'infinity'::date)
    where a.estado_auto <> 'cancelado'
), textos as (
    select i.norma, i.campos, string_agg(distinct q.dispositivo, '; ' order by q.dispositivo) as dispositivo
    from (select distinct norma, campos from incompletos) i
    join pedidos q on q.norma = i.norma and list_contains(i.campos, q.campo)
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
                   campos := i.campos, falta := i.incerto) as evidencia
from incompletos i
join textos d using (norma, campos)
join registro.permissionarios h using (permissionario_id)
where len(i.campos) > 0 and not h.silencioso
union all
select a.norma, 'nao_avaliado', 'norma', a.norma, null, null, null, null,
       struct_pack(codigo := null, ocorrido_em := null, lavrado_em := null, estado_auto := null, campos := null, falta := a.falta)
from ausentes a
where exists (select 1 from fatos.autos x where x.norma = a.norma)
