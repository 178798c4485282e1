-- Permits in force that may not be renewed, issued after another one of the same chain: on its heels it is a renewal,
-- after an interval it may be a new emergency, and a person says.
with cadeias as (
    select a.*,
           lag(a.alvara_id) over cadeia as titulo_anterior,
           max(least(a.fim, a.encerrado_em)) over (cadeia rows between unbounded preceding and 1 preceding) as fim_anterior,
           bool_or(a.falta_fim is not null or a.incerto is not null) over (cadeia rows between unbounded preceding and 1 preceding) as anterior_incerto,
           count(*) over (cadeia rows between unbounded preceding and current row) as alvaras_da_cadeia
    from registro.alvaras a
    join p on p.norma = a.norma and list_contains(p.modalidades, a.modalidade)
    window cadeia as (partition by a.norma,
        case when list_contains(p.cadeia, 'permissionario_id') then a.permissionario_id end,
        case when list_contains(p.cadeia, 'linha_id') then a.linha_id end,
        case when list_contains(p.cadeia, 'veiculo_id') then a.veiculo_id end
        order by a.emitido_em, a.alvara_id)
), novos as (
    select *,
           list_concat(coalesce(incerto, []), case when falta_fim is not null then [falta_fim] else []::varchar[] end,
                       coalesce(ilegivel(desconhecidos, ['linha_id']), []),
                       case when anterior_incerto then ['titulo_anterior'] else []::varchar[] end) as falta
    from cadeias
    where titulo_anterior is not null and not morto and not dono_silencioso and coalesce(fim >= $as_of, true)
)
select norma,
       case when falta <> [] then 'nao_avaliado' when emitido_em <= fim_anterior + 1 then 'violacao' else 'para_decisao' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(alvara_id, linha_id, modalidade, emitido_em, valido_ate, fim := nullif(fim, 'infinity'::date), titulo_anterior, fim_anterior,
                   dias_de_intervalo := emitido_em - fim_anterior - 1, alvaras_da_cadeia, falta := nullif(falta, [])) as evidencia
from novos
