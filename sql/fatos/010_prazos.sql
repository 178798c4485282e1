-- The terms of procedure of each norm, counted once for every possible start day (results.md, calendar arithmetic):
-- the start day is left out, the last day is rolled to a business day; where a norm gives two terms the later counts.
create schema if not exists fatos;
create or replace table fatos.prazos as
with uteis as (
    select norma, ordem, dia from calendario.dias where util
)
select n.nid * 100000 + (d.dia - date '1900-01-01')::integer as chave,
       n.norma,
       d.dia,
       d.proximo_util,
       greatest(dd.proximo_util, du.dia) as fim_defesa,
       greatest(pd.proximo_util, pu.dia) as fim_decisao,
       greatest(rd.proximo_util, ru.dia) as fim_recurso,
       td.proximo_util as fim_transito
from calendario.dias d
join registro.normas n using (norma)
join norma.processo p using (norma)
left join calendario.dias dd on dd.norma = d.norma and dd.dia = d.dia + p.defesa_dias
left join uteis du on du.norma = d.norma and du.ordem = d.ordem + p.defesa_dias_uteis
left join calendario.dias pd on pd.norma = d.norma and pd.dia = d.dia + p.decisao_dias
left join uteis pu on pu.norma = d.norma and pu.ordem = d.ordem + p.decisao_dias_uteis
left join calendario.dias rd on rd.norma = d.norma and rd.dia = d.dia + p.recurso_dias
left join uteis ru on ru.norma = d.norma and ru.ordem = d.ordem + p.recurso_dias_uteis
left join calendario.dias td on td.norma = d.norma and td.dia = d.dia + p.transito_dias;
