-- In each chain of permits issued by $as_of the one with the latest end counts; if the last issued has an
-- unknown end nothing can be said of the chain. The choice is made before looking at situacao. Silent where the
-- permit, its holder or its vehicle is out of service.
with cadeias as (
    select arg_max_null(a.falta_fim, a.por_emissao) as falta_ultimo,
           arg_max(a.aid, a.por_emissao) as ultimo,
           arg_max(a.aid, a.por_fim) as ultimo_a_findar,
           bool_or(ilegivel(a.desconhecidos, ['valido_ate']) is not null) as fim_ilegivel,
           count(*) as alvaras_da_cadeia,
           any_value(p.aviso_dias) as aviso_dias
    from registro.alvaras a
    join p using (norma)
    group by a.norma, a.permissionario_id,
        case when list_contains(p.cadeia, 'veiculo_id') then a.veiculo_id end,
        case when list_contains(p.cadeia, 'linha_id') then a.linha_id end,
        case when list_contains(p.cadeia, 'modalidade') then a.modalidade end
), escolhidos as (
    select a.*, c.falta_ultimo, c.alvaras_da_cadeia,
           case when c.falta_ultimo is not null then [c.falta_ultimo]
                -- an end that could not be read may be the latest of the chain
                when c.fim_ilegivel then list_concat(['valido_ate'], coalesce(a.incerto, []))
                else a.incerto end as falta
    from cadeias c
    join registro.alvaras a on a.aid = case when c.falta_ultimo is not null then c.ultimo else c.ultimo_a_findar end
    left join registro.veiculos v on v.veiculo_id = a.veiculo_id
    where not a.morto
      and not a.dono_silencioso
      and not coalesce(v.baixado, false)
      and (c.falta_ultimo is not null or a.fim - c.aviso_dias <= $as_of)
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > fim then 'violacao'
            else 'a_vencer' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       case when falta is null then fim end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(alvara_id, veiculo_id, linha_id, modalidade, emitido_em, valido_ate, fim := nullif(fim, 'infinity'::date), fim_de,
                   alvaras_da_cadeia, falta) as evidencia
from escolhidos
