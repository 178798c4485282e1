-- Tonight's findings join the history, in the order in which they are published.
insert into achados_historico by name
select
    $execucao_id as execucao_id, $as_of::date as as_of,
    t.achado_id, a.verificacao, a.norma, a.dispositivo, a.situacao, a.sujeito_tipo, a.sujeito_id, a.permissionario_id,
    case when a.situacao <> 'nao_avaliado' then a.devido_em end as devido_em,
    case when a.situacao <> 'nao_avaliado' then $as_of::date - a.devido_em end as dias,
    a.consequencia, a.competente, a.valor, e.estado, e.aberta_em, e.reaberta, a.evidencia
from resultado.achados a
join ledger_hoje t on t.linha = a.rowid
join ledger_estado e on e.linha = a.rowid
order by a.norma, a.verificacao, a.sujeito_tipo, a.sujeito_id;

insert into resumo_historico
select
    execucao_id, as_of, norma, verificacao, situacao, consequencia, estado, count(*), sum(valor)
from achados_historico
where execucao_id = $execucao_id
group by all
order by all;
