-- The last decided process, whichever way it was decided, of the act that closes the count under the relation named (norma, ato_que_zera).
create or replace macro fatos.decididos(relacao) as table
select h.pid, max(x.decisao_em) as decidido_em
from registro.processos x
join registro.permissionarios h using (permissionario_id)
join query_table(relacao) q on q.norma = x.norma and q.ato_que_zera = x.ato
where x.decisao is not null and x.decisao_em is not null
group by h.pid;
