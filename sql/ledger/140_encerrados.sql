-- Findings open in the previous run and not open tonight, with the cause. Only `regularizado` is good news,
-- so it is what remains when nothing else explains that the finding is gone.
insert into encerrados_historico by name
with saiu as (
    select p.linha, p.achado_id
    from ledger_anterior p
    anti join (select achado_id from ledger_hoje where aberto) t on t.achado_id = p.achado_id
    where p.aberto
), linhas as (
    select h.* from achados_historico h semi join saiu s on s.linha = h.rowid
), presentes as (
    select distinct s.tipo, s.id
    from ledger_sujeitos s
    semi join linhas l on l.sujeito_tipo = s.tipo and l.sujeito_id = s.id
), faltas as (
    -- What a check said it lacks to judge a norm: tonight and in the previous run.
    select verificacao, norma, coalesce(cast(json_extract(evidencia, '$.falta') as varchar[]), []) as falta, true as hoje
    from resultado.achados where situacao = 'nao_avaliado' and sujeito_tipo = 'norma'
    union all
    select verificacao, norma, coalesce(cast(json_extract(evidencia, '$.falta') as varchar[]), []), false
    from achados_historico
    where execucao_id = $anterior_id and situacao = 'nao_avaliado' and sujeito_tipo = 'norma'
), cegos as (
    -- Checks that could not judge a norm tonight: an extract is missing, or the check crashed. What was lacking in
    -- the previous run too did not keep the finding from being seen then, and explains nothing now.
    select verificacao, norma from faltas t
    where hoje and not exists (
        from faltas p
        where not p.hoje and p.verificacao = t.verificacao and p.norma = t.norma and list_has_all(p.falta, t.falta)
    )
    union
    select verificacao, norma from resultado.verificacoes where situacao in ('nao_avaliada', 'falhou')
), mudou as (
    -- Pairs whose parameters are not those of the previous run, or that are no longer asked.
    select p.norma, p.verificacao
    from parametros_historico p
    left join parametros_historico t
        on t.execucao_id = $execucao_id and t.norma = p.norma and t.verificacao = p.verificacao
    where p.execucao_id = $anterior_id and t.hash is distinct from p.hash
)
select
    l.* replace ($execucao_id as execucao_id, $as_of::date as as_of),
    $as_of::date as encerrado_em,
    case
        when a.situacao = 'dispensado' then 'dispensado'
        when a.situacao = 'nao_avaliado' then 'nao_avaliado'
        when exists (
            from cegos c where c.verificacao = l.verificacao and (c.norma = l.norma or c.norma is null)
        ) then 'nao_avaliado'
        when l.sujeito_tipo <> 'norma' and p.id is null and exists (
            from ledger_recusados r
            where (r.tipo = l.sujeito_tipo and r.id = l.sujeito_id)
                or (r.tipo = 'permissionario' and r.id = l.permissionario_id)
        ) then 'nao_avaliado'
        when l.sujeito_tipo <> 'norma' and p.id is null then 'ausente'
        when exists (from mudou m where m.verificacao = l.verificacao and m.norma = l.norma) then 'norma_alterada'
        else 'regularizado'
    end as causa,
    l.as_of as visto_em
from linhas l
left join ledger_hoje t on t.achado_id = l.achado_id
left join resultado.achados a on a.rowid = t.linha
left join presentes p on p.tipo = l.sujeito_tipo and p.id = l.sujeito_id
order by l.norma, l.verificacao, l.sujeito_tipo, l.sujeito_id;
