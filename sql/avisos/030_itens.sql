-- What each operator is told: open findings of today's run (waived and not judged ones are not), and open terms. A fine to
-- come whose defence is still open is one item, with the day the defence ends.
-- What a rejected row, or a dispensa for a like check, may still change is not told: the office looks at it first.
create or replace temp table avisos_itens as
with itens as (
    select a.achado_id, null as tipo, a.verificacao, a.norma, a.dispositivo, a.situacao, a.sujeito_tipo, a.sujeito_id, a.permissionario_id,
           a.devido_em, a.valor, a.consequencia, a.competente, a.aberta_em, a.reaberta, a.evidencia,
           p.devido_em as defesa_ate, null as codigo, null::date as fato_em, null as ato, null as fundamento
    from achados_historico a
    left join avisos_prazos p on a.sujeito_tipo = 'auto' and a.situacao = 'a_vencer' and p.tipo = 'defesa' and p.sujeito_id = a.sujeito_id
    where a.execucao_id = $execucao_id and a.situacao in ('violacao', 'a_vencer', 'para_decisao') and a.permissionario_id is not null
      and not list_contains($nao_avisar, a.verificacao)
      and a.achado_id not in (select achado_id from avisos_retidos)
      and (not list_contains($so_a_favor, a.verificacao)
           or coalesce(try_cast(json_extract_string(a.evidencia, '$.diferenca') as decimal(18, 2)) > 0, false))
    union all
    select p.achado_id, p.tipo, 'prazo_aberto', p.norma, p.dispositivo, 'prazo_aberto', p.sujeito_tipo, p.sujeito_id, p.permissionario_id,
           p.devido_em, p.valor, null, null, $as_of, 0, null, null, p.codigo, p.fato_em, p.ato, p.fundamento
    from avisos_prazos p
    anti join (
        select sujeito_id from achados_historico
        where execucao_id = $execucao_id and sujeito_tipo = 'auto' and situacao = 'a_vencer' and not list_contains($nao_avisar, verificacao)
          and achado_id not in (select achado_id from avisos_retidos)
    ) a on p.tipo = 'defesa' and a.sujeito_id = p.sujeito_id
), situados as (
    select i.*,
           -- days after the last day to act; a proved fault without one is counted from the night it was found
           case when i.situacao = 'violacao' then $as_of - coalesce(i.devido_em, i.aberta_em)
                when i.situacao in ('a_vencer', 'prazo_aberto') and i.devido_em >= $as_of then $as_of - i.devido_em
           end as passados,
           coalesce(i.defesa_ate, case when i.situacao = 'prazo_aberto' then i.devido_em end) as fim_prazo
    from itens i
), janelas as (
    select unnest($degraus) as degrau, unnest($ordens) as ordem, unnest($inicios) as de, unnest($fins) as ate
), datados as (
    select s.*, coalesce(j.degrau, 'semanal') as degrau, coalesce(j.ordem, 0) as ordem
    from situados s
    left join janelas j on s.passados >= j.de and s.passados <= j.ate
        and ((j.de <= 0 and s.situacao <> 'violacao') or (j.de > 0 and s.situacao = 'violacao'))
        -- without a day there is no news of its having passed: the first word is the weekly one
        and (s.devido_em is not null or j.degrau <> 'depois_0')
)
select d.* exclude (passados, ordem),
       -- due: never told, or told only of earlier steps
       coalesce(d.ordem > c.ordem, true) as devido,
       c.ordem is not null as contado,
       coalesce(list_contains($consequencias, d.consequencia) and d.situacao in ('violacao', 'para_decisao'), false)
         or (list_contains($titulos, d.verificacao) and d.situacao = 'a_vencer' and coalesce(d.devido_em - $as_of <= $titulo_dias, false) and $titulo_dias > 0)
         or ($defesa_uteis > 0 and coalesce(f.ordem - h.ordem <= $defesa_uteis, false)) as urgente
from datados d
left join avisos_contado c on c.destinatario_id = d.permissionario_id and c.achado_id = d.achado_id and c.reaberta = d.reaberta
left join calendario.dias f on f.norma = d.norma and f.dia = d.fim_prazo
left join calendario.dias h on h.norma = d.norma and h.dia = $as_of;
