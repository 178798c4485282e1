-- Days and instants as integers, for windows over millions of rows: days since 1 Jan 1900, and microseconds since then
-- (never negative). A day is an instant at its midnight.
create or replace macro dia_inteiro(d) as (d - date '1900-01-01')::integer;
create or replace macro dia_do_inteiro(n) as (date '1900-01-01' + n::integer)::date;
create or replace macro instante_do_dia(n) as n::bigint * 86400000000;
create or replace macro dia_do_instante(i) as (i // 86400000000)::integer;
create or replace macro instante(t) as epoch_us(t) + 25567 * 86400000000;
