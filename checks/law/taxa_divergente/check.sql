-- Each fee launched against the amounts the norm admits: by category of vehicle, first year (by the months left, the
-- month of issue included) or renewal. What the registry cannot tell apart is given the benefit: any of them will do.
with tabela as (
    select n.* from norma.taxas n join p using (norma) where n.unidade = 'BRL' and n.valor is not null
), por_veiculo as (
    select a.permissionario_id, a.veiculo_id, min(a.emitido_em) as primeira
    from registro.alvaras a join p using (norma) where a.veiculo_id is not null
    group by a.permissionario_id, a.veiculo_id
), por_dono as (
    select permissionario_id, min(primeira) as primeira
    from (select a.permissionario_id, a.emitido_em as primeira from registro.alvaras a join p using (norma))
    group by permissionario_id
), curtos as (
    select distinct a.permissionario_id, a.veiculo_id, year(a.emitido_em) as ano
    from registro.alvaras a
    join p on p.norma = a.norma and p.prazo_curto
    join norma.outorgas o on o.norma = a.norma and o.modalidade = a.modalidade
    where a.valido_ate < fim_de_prazo(a.emitido_em, coalesce(o.quantidade, 0), o.unidade, a.mes_sem_dia)
), renovacoes as (
    select norma, codigo, categoria, valor::decimal(18, 2) as valor, min(vigente_de) as desde
    from tabela where momento <> 'primeiro_ano' group by all
), vistas as (
    select t.norma, t.permissionario_id, t.tipo, t.exercicio, t.veiculo_id, t.vence_em, t.valor, t.desconhecidos,
           v.tipo as tipo_veiculo, coalesce(p.categoria_unica, c.categoria) as categoria,
           year(t.dono_cadastrado_em) as ano_do_cadastro, e.exigivel_desde
    from registro.taxas t
    join p using (norma)
    left join registro.veiculos v on v.veiculo_id = t.veiculo_id
    left join r c on c.norma = t.norma and c.tipo_veiculo = v.tipo
    left join r e on e.norma = t.norma and list_contains(e.tipos, t.tipo)
    where not t.dono_silencioso and t.tipo in (select codigo from tabela n where n.norma = t.norma)
      and (t.valor is not null or ilegivel(t.desconhecidos, ['valor']) is not null)
), suspeitas as (
    -- nearly all fees are a renewal's, at the renewal's amount: only the others need the permits
    select t.* from vistas t
    left join renovacoes g on g.norma = t.norma and g.codigo = t.tipo and g.valor = t.valor and g.categoria = 'todas'
    left join renovacoes c on c.norma = t.norma and c.codigo = t.tipo and c.valor = t.valor and c.categoria = t.categoria
    where t.desconhecidos is not null
       or coalesce(t.vence_em < t.exigivel_desde, false)
       or coalesce(t.ano_do_cadastro = t.exercicio, false)
       or not coalesce(t.vence_em >= least(g.desde, c.desde), t.exercicio >= year(least(g.desde, c.desde)), false)
), lancadas as (
    select t.norma, t.permissionario_id, t.tipo, t.exercicio, t.veiculo_id, t.vence_em, t.valor,
           row_number() over () as k, t.tipo_veiculo, t.categoria,
           list_contains(p.proporcionais, t.tipo) as proporcional, list_contains(p.por_pessoa, t.tipo) as por_pessoa, p.meses_do_ano,
           case when t.veiculo_id is null then h.primeira else w.primeira end as primeira_emissao,
           -- an older permit proves the renewal; only a registration of that very year, with no older permit, the first
           coalesce(year(case when t.veiculo_id is null then h.primeira else w.primeira end) >= t.exercicio, true) as talvez_primeiro,
           not coalesce(year(h.primeira) = t.exercicio and t.ano_do_cadastro = t.exercicio, false) as talvez_renovacao,
           q.ano is not null as curto,
           coalesce(t.vence_em < t.exigivel_desde, false) as indevida,
           list_concat(coalesce(ilegivel(t.desconhecidos, ['valor', 'exercicio']), []),
                       case when t.exercicio <= year(t.exigivel_desde) then coalesce(ilegivel(t.desconhecidos, ['vence_em']), []) else []::varchar[] end) as ilegiveis
    from suspeitas t
    join p using (norma)
    left join por_veiculo w on w.permissionario_id = t.permissionario_id and w.veiculo_id = t.veiculo_id
    left join por_dono h on h.permissionario_id = t.permissionario_id
    left join curtos q on q.permissionario_id = t.permissionario_id and q.veiculo_id = t.veiculo_id and q.ano = t.exercicio
), admitidos as (
    select l.k, l.valor, l.por_pessoa, n.momento, n.dispositivo,
           case when n.momento = 'primeiro_ano' and l.proporcional
                then case when year(l.primeira_emissao) = l.exercicio
                          then round(n.valor * (l.meses_do_ano + 1 - month(l.primeira_emissao)) / l.meses_do_ano, 2) end
                else n.valor end::decimal(18, 2) as admitido
    from lancadas l
    join tabela n on n.norma = l.norma and n.codigo = l.tipo and n.categoria in ('todas', l.categoria)
        and coalesce(l.vence_em >= n.vigente_de, l.exercicio >= year(n.vigente_de))
    where case n.momento when 'primeiro_ano' then l.talvez_primeiro when 'renovacao' then l.talvez_renovacao else true end
), conferidas as (
    select k, coalesce(bool_or(valor = admitido or (por_pessoa and valor > 0 and valor % admitido = 0)), false) as confere
    from admitidos
    group by k
), divergentes as (
    select l.* from lancadas l left join conferidas c using (k)
    where l.indevida or l.ilegiveis <> [] or not coalesce(c.confere, false)
), julgadas as (
    select d.k, bool_or(a.admitido is null) as sem_emissao, max(a.admitido) as maior,
           list(struct_pack(momento := a.momento, valor := a.admitido, dispositivo := a.dispositivo) order by a.momento) as admitidos
    from divergentes d
    join admitidos a using (k)
    group by d.k
), conclusoes as (
    select d.*, j.admitidos,
           case when indevida then null
                when ilegiveis <> [] then ilegiveis
                when j.k is null and categoria is null and veiculo_id is null then ['taxas.veiculo_id']
                when j.k is null and categoria is null then ['veiculos.tipo']
                when sem_emissao then ['alvaras.emitido_em']
                when curto and valor < maior then ['criterio_proporcional']
           end as falta_taxa
    from divergentes d
    left join julgadas j using (k)
    -- outside the period of the table there is nothing to compare with
    where indevida or ilegiveis <> [] or j.k is not null or categoria is null
), por_titular as (
    select norma, permissionario_id,
           list(struct_pack(tipo, exercicio, veiculo_id, tipo_veiculo, vence_em, valor, admitidos := case when indevida then [] else admitidos end, indevida)
                order by exercicio, tipo, veiculo_id) filter (falta_taxa is null) as divergentes,
           list(struct_pack(tipo, exercicio, veiculo_id, valor, falta := falta_taxa) order by exercicio, tipo, veiculo_id) filter (falta_taxa is not null) as incertas,
           list_sort(list_distinct(flatten(list(falta_taxa) filter (falta_taxa is not null)))) as falta
    from conclusoes
    group by norma, permissionario_id
)
select norma,
       case when divergentes is not null then 'para_decisao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(taxas_divergentes := divergentes, taxas_incertas := incertas, falta := case when divergentes is null then falta end) as evidencia
from por_titular
