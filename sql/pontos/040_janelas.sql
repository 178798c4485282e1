-- Every window that ends at a counted auto, and its sum, for each threshold.
create or replace table fatos.pontos_janelas as
with fins as (
    select a.pid, a.permissionario_id, a.norma, a.conjunto, a.dia, (a.dia - date '1900-01-01')::integer as n,
           a.pontos_contados, case when a.dobra_no_limite then a.pontos else a.pontos_contados end as pontos_sem_limite,
           l.meses, l.pontos as limite, j.desde, j.largura, j.exata
    from fatos.pontos_autos a
    join norma.pontuacao_limites l using (norma)
    join fatos.janelas j on j.chave = a.nid * 100000 + (a.dia - date '1900-01-01')::integer and j.meses = l.meses
), somas as (
    select pid, permissionario_id, norma, conjunto, meses, limite, desde, dia,
           sum(pontos_contados) over (janela range between largura preceding and current row)::integer as soma,
           sum(pontos_sem_limite) over (janela range between largura - exata::integer preceding and current row)::integer as soma_sem_limite
    from fins
    window janela as (partition by pid, conjunto, meses order by n)
)
select distinct s.pid, s.permissionario_id, s.norma, s.conjunto, s.meses, s.limite, s.desde, s.dia as fim, s.soma, s.soma_sem_limite
from somas s
left join fatos.pontos_zerados z using (pid)
where coalesce(s.dia > z.decidido_em, true);

-- Autos whose standing could not be read and that could bear points: they keep the count from being affirmed.
create or replace table fatos.pontos_incertos as
select a.permissionario_id, a.norma, list(a.auto_id order by a.auto_id) as autos,
       list_sort(list_distinct(flatten(list(coalesce(a.incerto, []) || coalesce(ilegivel(a.desconhecidos, ['condutor_id']), []))))) as falta
from fatos.autos a
join norma.infracoes i on i.norma = a.norma and i.codigo = a.codigo and i.pontos is not null
where a.estado_auto <> 'cancelado' and a.desconhecidos is not null
  and (a.estado_auto = 'incerto' or ilegivel(a.desconhecidos, ['condutor_id']) is not null)
group by all;
