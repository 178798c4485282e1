-- The last decided process of the act that closes a count (norma.pontuacao.ato_que_zera), whichever way it was decided:
-- only windows that end after it are looked at; autos before it still count inside them.
create or replace table fatos.pontos_zerados as
select p.pid, max(x.decisao_em) as decidido_em, (max(x.decisao_em) - date '1900-01-01')::integer as dia
from extrato.processos x
join registro.permissionarios p using (permissionario_id)
join norma.pontuacao n on n.norma = p.norma and n.ato_que_zera = x.ato
where x.decisao is not null and x.decisao_em <= $as_of
group by p.pid;

-- The same act where what decides it could not be read: nobody can say which windows were already closed.
create or replace table fatos.pontos_zerados_incertos as
select p.pid, list_sort(list_distinct(flatten(list(ilegivel(x.desconhecidos, ['decisao', 'decisao_em']))))) as falta
from extrato.processos x
join registro.permissionarios p using (permissionario_id)
join norma.pontuacao n on n.norma = p.norma and n.ato_que_zera = x.ato
where ilegivel(x.desconhecidos, case when x.decisao is null then ['decisao'] else ['decisao_em'] end) is not null
group by p.pid;
