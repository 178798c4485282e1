-- The candidates looked at closely, in two sets: confirmed autos (1) and confirmed + under defence (2).
-- An auto weighs double when the same agent committed the same codigo at a strictly earlier instant, at most
-- `reincidencia_meses` before, both in the set. Autos of other holders by the same agent count for that.
create or replace table fatos.pontos_autos as
with contados as (
    select p.pid, p.permissionario_id, a.nid, a.norma, a.auto_id, a.codigo, a.ocorrido_em, a.ocorrido_em::date as dia,
           coalesce('c' || a.condutor_id, 'p' || a.permissionario_id) as agente,
           a.estado_auto, i.grupo, i.pontos
    from fatos.autos a
    join registro.permissionarios p using (permissionario_id)
    join norma.infracoes i on i.norma = a.norma and i.codigo = a.codigo and i.pontos is not null
        and a.ocorrido_em::date >= coalesce(i.vigente_de, '-infinity'::date)
        and a.ocorrido_em::date <= coalesce(i.vigente_ate, 'infinity'::date)
    where a.estado_auto in ('confirmado', 'em_defesa')
), agentes as (
    select distinct agente from contados where pid in (select pid from fatos.pontos_candidatos)
), proximos as (
    select c.*, x.conjunto
    from contados c
    join (values (1), (2)) x(conjunto) on x.conjunto = 2 or c.estado_auto = 'confirmado'
    where c.agente in (select agente from agentes)
), anteriores as (
    select *,
           max(ocorrido_em) over w as anterior_em,
           arg_max(auto_id, ocorrido_em) over w as anterior_auto
    from proximos
    window w as (partition by norma, conjunto, agente, codigo order by ocorrido_em
                 range between unbounded preceding and interval 1 microsecond preceding)
)
select a.* exclude (anterior_em, anterior_auto),
       coalesce(a.anterior_em::date >= j.desde, false) as dobrado,
       case when a.anterior_em::date >= j.desde then a.anterior_auto end as anterior_auto,
       case when a.anterior_em::date >= j.desde then a.anterior_em::date end as anterior_em,
       coalesce(a.anterior_em::date = j.desde and soma_meses(j.desde, r.reincidencia_meses, n.mes_sem_dia) = a.dia, false) as dobra_no_limite,
       a.pontos * case when a.anterior_em::date >= j.desde then r.reincidencia_fator else 1 end as pontos_contados
from anteriores a
join norma.pontuacao r using (norma)
join registro.normas n using (norma)
left join fatos.janelas j on j.chave = a.nid * 100000 + (a.dia - date '1900-01-01')::integer and j.meses = r.reincidencia_meses
where a.pid in (select pid from fatos.pontos_candidatos);

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
