-- Confirmed autos of each holder in service whose code is of the group that the relation named gives for the norm (norma, grupo), in order.
-- Sorted by holder first: the lists of one holder then grow side by side, at half the cost.
create or replace macro fatos.autos_do_grupo(relacao) as table
select pid, list_sort(list(struct_pack(dia, auto_id, codigo))) as autos
from (
    select l.pid, dia_do_inteiro(l.dia) as dia, a.auto_id, i.codigo
    from fatos.autos_leves l
    join (
        select f.kid, f.codigo from fatos.infracoes f join query_table(relacao) q on q.norma = f.norma and q.grupo = f.grupo
    ) i using (kid)
    join fatos.autos a on a.rowid = l.rid
    where l.confirmado and l.em_servico
    order by l.pid
)
group by pid;
