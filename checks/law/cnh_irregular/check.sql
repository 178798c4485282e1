-- Licence of each active driver: its last day (a validity, never rolled), restrictions where the norm forbids them, and the category for
-- the vehicle. Where the vehicle could not be read, or its seats are not known, every rule it may fall under is asked: wrong for all is
-- wrong, right for all is right, else it cannot be said. Who has no vehicle is asked for a category only where the norm wants the same of
-- all. A category is A, one of B to E, or both; anything else was not understood, nor a licence that ended
-- before its holder was born.
with normas as (
    select norma, bool_or(tipos is not null) as por_tipo,
           list(struct_pack(ordem, tipos, lugares_max, categorias) order by ordem) as regras
    from r group by norma
), pessoas as (
    select c.norma, c.condutor_id, c.permissionario_id, c.funcao, c.veiculo_id, v.tipo, v.lugares, c.cnh_categoria, c.cnh_valida_ate as validade_informada,
           case when not coalesce(c.cnh_valida_ate < ate(c.nascido_em, $as_of), false) then c.cnh_valida_ate end as cnh_valida_ate, c.cnh_restricao, c.desconhecidos, p.aviso_dias, v.veiculo_id is not null as com_veiculo,
           coalesce(p.sem_restricao and c.cnh_restricao, false) as restrita,
           p.sem_restricao and ilegivel(c.desconhecidos, ['cnh_restricao']) is not null as restricao_ilegivel
    from registro.condutores c
    join p on p.norma = c.norma and list_contains(p.funcoes, c.funcao)
    left join registro.veiculos v on v.veiculo_id = c.veiculo_id
    where c.ativo
), escritas as (  -- each way of writing a category is read once
    select cnh_categoria,
           regexp_replace(regexp_replace(regexp_replace(upper(cnh_categoria), '^([A-E]+) +E +([A-E]+)$', '\1\2'), '[^A-Z]', '', 'g'), '^ACC', '') as letras
    from (select distinct cnh_categoria from registro.condutores where cnh_categoria is not null)
), lidas as (
    select s.*, case when regexp_full_match(e.letras, 'A?[BCDE]?|[BCDE]A') then string_split(e.letras, '') end as categorias_da_cnh
    from pessoas s
    left join escritas e using (cnh_categoria)
), com_regras as (  -- the rules the driver may fall under, up to the first he certainly does
    select l.*, list_filter(case when l.com_veiculo or not n.por_tipo or ilegivel(l.desconhecidos, ['veiculo_id']) is not null then n.regras end,
               lambda x: (x.tipos is null or not l.com_veiculo or list_contains(x.tipos, l.tipo))
                         and (x.lugares_max is null or coalesce(l.lugares <= x.lugares_max, true))) as possiveis
    from lidas l
    left join normas n using (norma)
), com_a_certa as (
    select *, list_filter(possiveis, lambda x: (x.tipos is null or coalesce(list_contains(x.tipos, tipo), false))
                                               and (x.lugares_max is null or coalesce(lugares <= x.lugares_max, false)))[1].ordem as primeira_certa
    from com_regras
), candidatas as (
    select *, nullif(list_filter(possiveis, lambda x: x.ordem <= coalesce(primeira_certa, x.ordem)), []) as regras from com_a_certa
), categorias as (
    select *, list_transform(regras, lambda x: list_has_any(categorias_da_cnh, x.categorias)) as servem,
           list_sort(list_distinct(flatten(list_transform(regras, lambda x: x.categorias)))) as admitidas
    from candidatas
), juntas as (
    select *, $as_of > cnh_valida_ate as vencida, not coalesce(list_bool_or(servem), true) as categoria_errada,
           nullif(case when cnh_valida_ate is null then ['condutores.cnh_valida_ate'] else []::varchar[] end
               || case when categorias_da_cnh is null and regras is not null then ['condutores.cnh_categoria']
                       when list_bool_or(servem) and not list_bool_and(servem) then [case when com_veiculo then 'veiculos.lugares' else 'condutores.veiculo_id' end]
                       else []::varchar[] end
               || case when restricao_ilegivel then ['condutores.cnh_restricao'] else []::varchar[] end, []) as falta,
           ilegivel(desconhecidos, ['desligado_em', 'matricula_situacao']) as saida_ilegivel
    from categorias
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
       struct_pack(funcao, veiculo_id, tipo_veiculo := tipo, lugares, cnh_categoria, categorias_admitidas := admitidas, cnh_valida_ate := validade_informada, cnh_restricao,
                   irregularidades := list_filter([case when vencida then 'vencida' end, case when categoria_errada then 'categoria' end,
                                                   case when restrita then 'restrição' end], lambda x: x is not null),
                   falta := case when situacao = 'nao_avaliado' then coalesce(list_transform(saida_ilegivel, lambda c: 'condutores.' || c), falta) end) as evidencia
from julgados
where situacao is not null
