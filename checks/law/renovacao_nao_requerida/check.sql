-- The permit of each chain that counts (the one with the latest end, as in alvara_vencido) must be asked for again
-- some days before its end. A request in time silences; a late one does not, until a new permit decides it.
with cadeias as (
    select a.*, p.aviso_dias, p.antecedencia_dias,
           case when list_contains(p.cadeia, 'veiculo_id') then a.veiculo_id end as chave_veiculo,
           case when list_contains(p.cadeia, 'linha_id') then a.linha_id end as chave_linha,
           case when list_contains(p.cadeia, 'modalidade') then a.modalidade end as chave_modalidade
    from registro.alvaras a
    join p on p.norma = a.norma and list_contains(p.modalidades, a.modalidade)
), ordenados as (
    select *,
           row_number() over (cadeia order by emitido_em desc, alvara_id desc) as emissao,
           row_number() over (cadeia order by coalesce(fim, '-infinity'::date) desc, emitido_em desc, alvara_id desc) as termino,
           first_value(falta_fim) over (cadeia order by emitido_em desc, alvara_id desc) as falta_ultimo,
           count(*) over (cadeia) as alvaras_da_cadeia
    from cadeias
    window cadeia as (partition by norma, permissionario_id, chave_veiculo, chave_linha, chave_modalidade)
), escolhidos as (
    select o.*, o.fim - o.antecedencia_dias as ultimo_dia,
           list_concat(coalesce(o.incerto, []), coalesce(ilegivel(o.desconhecidos, ['renovacao_requerida_em']), []),
                       case when o.falta_ultimo is not null then [o.falta_ultimo] else []::varchar[] end) as falta
    from ordenados o
    left join registro.veiculos v on v.veiculo_id = o.veiculo_id
    where case when falta_ultimo is not null then emissao = 1 else termino = 1 end
      and not o.morto and not o.dono_silencioso and not coalesce(v.baixado, false)
)
select norma,
       case when falta <> [] then 'nao_avaliado' when $as_of > ultimo_dia then 'violacao' else 'a_vencer' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       case when falta = [] then ultimo_dia end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(alvara_id, linha_id, modalidade, emitido_em, valido_ate, fim := nullif(fim, 'infinity'::date), fim_de, antecedencia_dias,
                   renovacao_requerida_em, alvaras_da_cadeia, falta := nullif(falta, [])) as evidencia
from escolhidos
where falta_ultimo is not null
   or ($as_of between ultimo_dia - aviso_dias and fim and not coalesce(renovacao_requerida_em <= ultimo_dia, false))
