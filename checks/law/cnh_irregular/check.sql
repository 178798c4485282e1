-- Licence of each active driver: its last day (a validity, never rolled), restrictions where the norm forbids them, and the category for
-- the vehicle. Where the vehicle could not be read, or its seats are not known, every rule it may fall under is asked: wrong for all is
-- wrong, right for all is right, else it cannot be said. Who has no vehicle is asked for a category only where the norm wants the same of
-- all. A category is A, one of B to E, or both; anything else was not understood.
with normas as (
    select norma, bool_or(tipos is not null) as por_tipo from r group by norma
), pessoas as (
    select c.norma, c.condutor_id, c.permissionario_id, c.funcao, c.veiculo_id, v.tipo, v.lugares, c.cnh_categoria, c.cnh_valida_ate,
           c.cnh_restricao, c.desconhecidos, p.aviso_dias, v.veiculo_id is not null as com_veiculo,
           coalesce(p.sem_restricao and c.cnh_restricao, false) as restrita,
           p.sem_restricao and ilegivel(c.desconhecidos, ['cnh_restricao']) is not null as restricao_ilegivel,
           regexp_replace(regexp_replace(regexp_replace(upper(c.cnh_categoria), '^([A-E]+) +E +([A-E]+)$', '\1\2'), '[^A-Z]', '', 'g'), '^ACC', '') as letras
    from registro.condutores c
    join p on p.norma = c.norma and list_contains(p.funcoes, c.funcao)
    left join registro.veiculos v on v.veiculo_id = c.veiculo_id
    where c.ativo
), lidas as (
    select *, case when regexp_full_match(letras, 'A?[BCDE]?|[BCDE]A') and cnh_categoria is not null then string_split(letras, '') end as categorias_da_cnh
    from pessoas
), regras as (
    select c.condutor_id, r.ordem, r.categorias, c.categorias_da_cnh,
           (r.tipos is null or coalesce(list_contains(r.tipos, c.tipo), false)) and (r.lugares_max is null or coalesce(c.lugares <= r.lugares_max, false)) as certa
    from lidas c
    join normas n on n.norma = c.norma
    join r on r.norma = c.norma
        and (c.com_veiculo or not n.por_tipo or ilegivel(c.desconhecidos, ['veiculo_id']) is not null)
        and (r.tipos is null or not c.com_veiculo or list_contains(r.tipos, c.tipo))
        and (r.lugares_max is null or coalesce(c.lugares <= r.lugares_max, true))
), candidatas as (
    select *, min(ordem) filter (certa) over (partition by condutor_id) as primeira_certa from regras
), categorias as (
    select condutor_id, bool_and(list_has_any(categorias_da_cnh, categorias)) as em_todas, bool_or(list_has_any(categorias_da_cnh, categorias)) as em_alguma,
           list_sort(list_distinct(flatten(list(categorias)))) as admitidas
    from candidatas
    where ordem <= coalesce(primeira_certa, ordem)
    group by condutor_id
), juntas as (
    select l.*, g.admitidas, $as_of > l.cnh_valida_ate as vencida, not coalesce(g.em_alguma, true) as categoria_errada,
           nullif(case when l.cnh_valida_ate is null then ['condutores.cnh_valida_ate'] else []::varchar[] end
               || case when l.categorias_da_cnh is null and g.condutor_id is not null then ['condutores.cnh_categoria']
                       when g.em_alguma and not g.em_todas then [case when l.com_veiculo then 'veiculos.lugares' else 'condutores.veiculo_id' end]
                       else []::varchar[] end
               || case when l.restricao_ilegivel then ['condutores.cnh_restricao'] else []::varchar[] end, []) as falta,
           ilegivel(l.desconhecidos, ['desligado_em', 'matricula_situacao']) as saida_ilegivel
    from lidas l
    left join categorias g using (condutor_id)
), julgados as (
    select *,
           case when saida_ilegivel is not null then case when vencida or restrita or categoria_errada or falta is not null then 'nao_avaliado' end
                when vencida or restrita or categoria_errada then 'violacao'
                when cnh_valida_ate - aviso_dias <= $as_of then 'a_vencer'
                when falta is not null then 'nao_avaliado' end as situacao
    from juntas
)
select norma,
       situacao,
       condutor_id as sujeito_id,
       permissionario_id,
       case when (situacao = 'violacao' and vencida) or situacao = 'a_vencer' then cnh_valida_ate end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(funcao, veiculo_id, tipo_veiculo := tipo, lugares, cnh_categoria, categorias_admitidas := admitidas, cnh_valida_ate, cnh_restricao,
                   irregularidades := list_filter([case when vencida then 'vencida' end, case when categoria_errada then 'categoria' end,
                                                   case when restrita then 'restrição' end], lambda x: x is not null),
                   falta := case when situacao = 'nao_avaliado' then coalesce(list_transform(saida_ilegivel, lambda c: 'condutores.' || c), falta) end) as evidencia
from julgados
where situacao is not null
