-- estado, aberta_em and reaberta of every finding of tonight.
-- A finding in the same class as in the previous run just continues it. The others are looked up in the whole
-- history ($rever: all are, because a past date was run again after the previous run and its memory is stale).
create or replace temp table ledger_continua as
select t.linha, p.aberta_em, p.reaberta
from ledger_hoje t
join ledger_anterior p on p.achado_id = t.achado_id and p.aberto = t.aberto
where not $rever;

create or replace temp table ledger_rever as
select t.* from ledger_hoje t anti join ledger_continua c on c.linha = t.linha;

create or replace temp table ledger_estado as
with noites as (
    select h.achado_id, v.noite, v.as_of, h.situacao in ('violacao', 'a_vencer', 'para_decisao') as aberto, null as linha
    from achados_historico h
    semi join ledger_rever t on t.achado_id = h.achado_id
    join ledger_vigentes v on v.execucao_id = h.execucao_id
    union all
    select achado_id, 1 + (select count(*) from ledger_vigentes), $as_of::date, aberto, linha from ledger_rever
), vistas as (
    -- vista/vista_aberta: the last earlier night it was seen at all / seen open.
    select
        *,
        max(noite) over antes as vista,
        max(noite) filter (aberto) over antes as vista_aberta,
        min(as_of) over ate_aqui as primeira,
        min(as_of) filter (aberto) over ate_aqui as primeira_aberta
    from noites
    window
        antes as (partition by achado_id order by noite rows between unbounded preceding and 1 preceding),
        ate_aqui as (partition by achado_id order by noite rows unbounded preceding)
), voltas as (
    select
        *,
        coalesce((case when aberto then vista_aberta else vista end) < noite - 1, false) as voltou
    from vistas
), contadas as (
    -- An open finding counts the times it came back open; another, every time it came back.
    select
        *,
        count_if(voltou and aberto) over ate_aqui as voltas_aberto,
        count_if(voltou) over ate_aqui as voltas_todas
    from voltas
    window ate_aqui as (partition by achado_id order by noite rows unbounded preceding)
)
select linha, 'persiste' as estado, aberta_em, reaberta from ledger_continua
union all
select
    linha,
    case
        when (case when aberto then vista_aberta else vista end) is null then 'novo'
        when voltou then 'reaberto'
        else 'persiste'
    end,
    case when aberto then primeira_aberta else primeira end,
    case when aberto then voltas_aberto else voltas_todas end
from contadas
where linha is not null;
