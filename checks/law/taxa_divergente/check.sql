-- Each fee launched against the amounts the norm admits: by category of vehicle, first year (by the months left, the
-- month of issue included) or renewal. What the registry cannot tell apart is given the benefit: any of them will do.
with lancadas as (
    select t.*, row_number() over () as k, v.tipo as tipo_veiculo, d.cadastrado_em,
           p.proporcionais, p.meses_do_ano, p.por_pessoa, p.categoria_unica, p.prazo_curto,
           coalesce(p.categoria_unica, c.categoria) as categoria,
           coalesce(t.vence_em < e.exigivel_desde, false) as indevida,
           case when t.exercicio <= year(e.exigivel_desde) then ilegivel(t.desconhecidos, ['vence_em']) end as vencimento_ilegivel,
           ilegivel(t.desconhecidos, ['valor', 'exercicio']) as ilegiveis
    from registro.taxas t
    join p using (norma)
    join registro.permissionarios d on d.permissionario_id = t.permissionario_id
    left join registro.veiculos v on v.veiculo_id = t.veiculo_id
    left join r c on c.norma = t.norma and c.tipo_veiculo = v.tipo
    left join r e on e.norma = t.norma and list_contains(e.tipos, t.tipo)
    where not t.dono_silencioso
      and (t.valor is not null or ilegivel(t.desconhecidos, ['valor']) is not null)
), titulos as (
    -- what the permits tell of each taxed vehicle (or of the holder, where the fee names none)
    select l.k,
           min(a.emitido_em) filter (l.veiculo_id is null or a.veiculo_id = l.veiculo_id) as primeira_emissao,
           min(a.emitido_em) as primeira_do_titular,
           bool_or(a.valido_ate < fim_de_prazo(a.emitido_em, coalesce(o.quantidade, 0), o.unidade, a.mes_sem_dia))
               filter (l.prazo_curto and a.veiculo_id = l.veiculo_id and year(a.emitido_em) = l.exercicio) as curto
    from lancadas l
    join registro.alvaras a on a.permissionario_id = l.permissionario_id
    left join norma.outorgas o on o.norma = a.norma and o.modalidade = a.modalidade
    group by l.k
), admitidos as (
    select l.k, n.momento, n.dispositivo,
           case when n.momento = 'primeiro_ano' and list_contains(l.proporcionais, l.tipo)
                then case when year(t.primeira_emissao) = l.exercicio
                          then round(n.valor * (l.meses_do_ano + 1 - month(t.primeira_emissao)) / l.meses_do_ano, 2) end
                else n.valor end::decimal(18, 2) as admitido
    from lancadas l
    join norma.taxas n on n.norma = l.norma and n.codigo = l.tipo and n.unidade = 'BRL' and n.valor is not null
        and n.categoria in ('todas', l.categoria)
        and coalesce(l.vence_em >= n.vigente_de, l.exercicio >= year(n.vigente_de))
    left join titulos t on t.k = l.k
    where case n.momento
              -- an older permit proves the renewal; only a registration of that very year, with no older permit, the first
              when 'primeiro_ano' then coalesce(year(t.primeira_emissao) >= l.exercicio, true)
              when 'renovacao' then not coalesce(year(t.primeira_do_titular) = l.exercicio and year(l.cadastrado_em) = l.exercicio, false)
              else true end
), julgadas as (
    select l.*, coalesce(t.curto, false) as curto,
           list(struct_pack(momento := a.momento, valor := a.admitido, dispositivo := a.dispositivo) order by a.momento) filter (a.k is not null) as admitidos,
           bool_or(l.valor = a.admitido
                   or (list_contains(l.por_pessoa, l.tipo) and l.valor > 0 and l.valor % a.admitido = 0)) as confere,
           bool_or(a.k is not null and a.admitido is null) as sem_emissao,
           max(a.admitido) as maior
    from lancadas l
    left join titulos t on t.k = l.k
    left join admitidos a on a.k = l.k
    group by all
), conclusoes as (
    select j.*,
           case when indevida then null
                when ilegiveis is not null or vencimento_ilegivel is not null then list_concat(coalesce(ilegiveis, []), coalesce(vencimento_ilegivel, []))
                when coalesce(confere, false) then null
                when admitidos is null and categoria is null and veiculo_id is null then ['taxas.veiculo_id']
                when admitidos is null and categoria is null then ['veiculos.tipo']
                when sem_emissao then ['alvaras.emitido_em']
                when curto and valor < maior then ['criterio_proporcional']
           end as falta_taxa
    from julgadas j
    where exists (select 1 from norma.taxas n where n.norma = j.norma and n.codigo = j.tipo and n.unidade = 'BRL' and n.valor is not null)
      and (indevida or vencimento_ilegivel is not null or not coalesce(confere, false))
      and (indevida or admitidos is not null or categoria is null or ilegiveis is not null or vencimento_ilegivel is not null)
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
