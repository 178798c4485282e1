-- Which days are no business days, per norm, and why.
create or replace table calendario.feriados as
select distinct n.norma, f.dia, f.nome, f.escopo
from norma.normas n
join (
    select dia, nome, escopo, uf, null as municipio from calendario.nacionais
    union all
    select data, nome, escopo, uf, municipio from extrato.feriados
) f on case
    when f.municipio is not null
        then strip_accents(lower(trim(f.municipio))) = strip_accents(lower(trim(n.municipio)))
             and (f.uf is null or upper(f.uf) = n.uf)
    when f.uf is not null then upper(f.uf) = n.uf
    else true
end
where f.dia between $inicio and $fim;

-- `ordem` counts business days up to and including the day, so that the n-th business day after any day is ordem + n.
create or replace table calendario.dias as
with dias as (
    select unnest(generate_series($inicio::date, $fim::date, interval 1 day))::date as dia
), marcados as (
    select n.norma, d.dia, isodow(d.dia) < 6 and f.dia is null as util
    from dias d
    cross join norma.normas n
    left join (select distinct norma, dia from calendario.feriados) f using (norma, dia)
), ordenados as (
    select norma, dia, util,
           sum(util::integer) over (partition by norma order by dia rows unbounded preceding)::integer as ordem
    from marcados
)
select o.norma, o.dia, o.util, case when o.util then o.dia else u.dia end as proximo_util, o.ordem
from ordenados o
left join (select norma, ordem, dia from ordenados where util) u on u.norma = o.norma and u.ordem = o.ordem + 1;
