-- The norms of tonight with a small number each: joins of millions of rows compare integers, not names.
create schema if not exists registro;
create or replace table registro.normas as
select (row_number() over (order by norma))::integer as nid, norma, uf, municipio, mes_sem_dia
from norma.normas;
