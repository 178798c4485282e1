-- Every window that ends at a counted auto, and its sum, for each threshold.
create or replace table fatos.pontos_janelas as
with fins as (
    select distinct a.pid, a.permissionario_id, a.norma, a.nid, a.conjunto, a.dia, l.meses, l.pontos as limite, j.desde, n.mes_sem_dia
    from fatos.pontos_autos a
    join norma.pontuacao_limites l using (norma)
    join registro.normas n using (norma)
    join fatos.janelas j on j.chave = a.nid * 100000 + (a.dia - date '1900-01-01')::integer and j.meses = l.meses
    left join fatos.pontos_zerados z on z.pid = a.pid
    where coalesce(a.dia > z.decidido_em, true)
)
select f.pid, f.permissionario_id, f.norma, f.conjunto, f.meses, f.limite, f.desde, f.dia as fim,
       sum(a.pontos_contados)::integer as soma,
       sum(case when a.dia = f.desde and soma_meses(f.desde, f.meses, f.mes_sem_dia) = f.dia then 0
                when a.dobra_no_limite then a.pontos
                else a.pontos_contados end)::integer as soma_sem_limite
from fins f
join fatos.pontos_autos a on a.pid = f.pid and a.conjunto = f.conjunto and a.dia between f.desde and f.dia
group by all;

-- Autos whose standing could not be read and that could bear points: they keep the count from being affirmed.
create or replace table fatos.pontos_incertos as
select a.permissionario_id, a.norma, list(a.auto_id order by a.auto_id) as autos,
       list_sort(list_distinct(flatten(list(coalesce(a.incerto, []) || coalesce(ilegivel(a.desconhecidos, ['condutor_id']), []))))) as falta
from fatos.autos a
join norma.infracoes i on i.norma = a.norma and i.codigo = a.codigo and i.pontos is not null
where a.estado_auto <> 'cancelado' and a.desconhecidos is not null
  and (a.estado_auto = 'incerto' or ilegivel(a.desconhecidos, ['condutor_id']) is not null)
group by all;
