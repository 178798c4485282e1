-- The dispensa that covers each open finding on the as-of: exact subject, this check or all of them.
-- A dispensa whose `verificacao` could not be read is not taken for one that covers everything.
create or replace temp table ledger_dispensa as
with em_vigor as (
    select * replace (nullif(trim(verificacao), '') as verificacao)
    from extrato.dispensas
    where $as_of between valida_de and valida_ate
      and not coalesce(list_contains(desconhecidos, 'verificacao'), false)
)
select
    a.rowid as linha,
    -- Several acts may cover one finding: the one that lasts longest is shown, the others are listed.
    first(d order by d.valida_ate desc, d.verificacao nulls last, d.dispensa_id) as d,
    list(distinct d.dispensa_id order by d.dispensa_id) as ids
from resultado.achados a
join em_vigor d
    on d.sujeito_tipo = a.sujeito_tipo and d.sujeito_id = a.sujeito_id
    and (d.verificacao is null or d.verificacao = a.verificacao)
where a.situacao in ('violacao', 'a_vencer', 'para_decisao')
group by a.rowid;

update resultado.achados as a
set situacao = 'dispensado',
    evidencia = json_merge_patch(
        coalesce(a.evidencia, '{}'),
        json_object('dispensa', json_object(
            'dispensa_id', e.d.dispensa_id, 'processo', e.d.processo, 'autoridade', e.d.autoridade,
            'motivo', e.d.motivo, 'valida_de', e.d.valida_de, 'valida_ate', e.d.valida_ate,
            'situacao_sem_dispensa', a.situacao, 'dispensas', e.ids
        ))
    )
from ledger_dispensa e
where a.rowid = e.linha;
