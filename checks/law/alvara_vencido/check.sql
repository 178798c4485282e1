-- In each chain of permits issued by $as_of the one with the latest end counts; if the last issued has an
-- unknown end nothing can be said of the chain. The choice is made before looking at situacao. Silent where the
-- permit, its holder or its vehicle is out of service.
with cadeias as (
    select a.*, p.aviso_dias,
           case when list_contains(p.cadeia, 'veiculo_id') then a.veiculo_id end as chave_veiculo,
           case when list_contains(p.cadeia, 'linha_id') then a.linha_id end as chave_linha,
           case when list_contains(p.cadeia, 'modalidade') then a.modalidade end as chave_modalidade
    from registro.alvaras a
    join p using (norma)
), ordenados as (
    select *,
           row_number() over (cadeia order by emitido_em desc, alvara_id desc) as emissao,
           row_number() over (cadeia order by coalesce(fim, '-infinity'::date) desc, emitido_em desc, alvara_id desc) as termino,
           first_value(falta_fim) over (cadeia order by emitido_em desc, alvara_id desc) as falta_ultimo,
           bool_or(ilegivel(desconhecidos, ['valido_ate']) is not null) over (cadeia) as fim_ilegivel,
           count(*) over (cadeia) as alvaras_da_cadeia
    from cadeias
    window cadeia as (partition by norma, permissionario_id, chave_veiculo, chave_linha, chave_modalidade)
), escolhidos as (
    select o.*,
           case when falta_ultimo is not null then [falta_ultimo]
                -- an end that could not be read may be the latest of the chain
                when fim_ilegivel then list_concat(['valido_ate'], coalesce(o.incerto, []))
                else o.incerto end as falta
    from ordenados o
    left join registro.veiculos v on v.veiculo_id = o.veiculo_id
    where case when falta_ultimo is not null then emissao = 1 else termino = 1 end
      and not o.morto
      and not o.dono_silencioso
      and not coalesce(v.baixado, false)
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
where falta_ultimo is not null or fim - aviso_dias <= $as_of
