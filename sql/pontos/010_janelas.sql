-- For each day and each number of months M that a norm counts: the first day whose date + M months still reaches it
-- (Civil Code arithmetic, so the window is not the same number of days all year). Days as integers. `exata`: that first day
-- reaches it on the very day, so that whether it counts is a matter of one day.
create or replace table fatos.janelas as
with meses as (
    select n.nid, n.norma, n.mes_sem_dia, m.meses
    from registro.normas n
    join (select norma, meses from norma.pontuacao_limites
          union select norma, reincidencia_meses from norma.pontuacao) m using (norma)
    where m.meses is not null
), fins as (
    select m.nid, m.meses, soma_meses(d.dia, m.meses, m.mes_sem_dia) as fim, min(d.dia) as desde
    from meses m
    join calendario.dias d using (norma)
    group by all
), dias as (
    select m.nid, m.meses, d.dia from meses m join calendario.dias d using (norma)
)
select d.nid, d.nid * 100000 + (d.dia - date '1900-01-01')::integer as chave, d.meses, d.dia,
       f.desde, (d.dia - f.desde)::integer as largura, f.fim = d.dia as exata
from dias d
asof join fins f on f.nid = d.nid and f.meses = d.meses and f.fim >= d.dia;
