-- Confirmed autos whose code grounds the act, after the last decided process of that act. Never more than a case for the authority.
-- The code need not be in the norm's table of fines: a ground may have no fine.
with fundamentos as materialized (
    select n.nid, r.norma, r.ordem, unnest(r.codigos) as codigo
    from r
    join registro.normas n using (norma)
), possiveis as materialized (
    select pid, rid, dia_do_inteiro(dia) as dia
    from fatos.autos_leves
    where confirmado and em_servico
      and (kid is null or kid in (select i.kid from fatos.infracoes i join fundamentos f on f.nid = i.nid and f.codigo = i.codigo))
), autos as (
    select l.pid, l.dia, f.norma, f.ordem, a.auto_id, a.codigo, a.veiculo_id, a.condutor_id, d.decidido_em
    from possiveis l
    join fatos.autos a on a.rowid = l.rid
    join fundamentos f on f.nid = a.nid and f.codigo = a.codigo
    left join fatos.decididos('p') d using (pid)
    where coalesce(l.dia > d.decidido_em, true)
    order by l.pid  -- the lists of one holder grow side by side
), casos as (
    select norma, pid, bit_or(1::bigint << ordem) as regras, any_value(decidido_em) as decidido_em,
           list_sort(list(struct_pack(dia, auto_id, codigo, veiculo_id, condutor_id))) as autos
    from autos
    group by norma, pid
), textos as (
    select c.norma, c.regras, string_agg(r.dispositivo, '; ' order by r.ordem) as dispositivo
    from (select distinct norma, regras from casos) c
    join r on r.norma = c.norma and (c.regras >> r.ordem) & 1 = 1
    group by all
)
select c.norma,
       'para_decisao' as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       t.dispositivo,
       struct_pack(autos := c.autos, processo_anterior_em := c.decidido_em) as evidencia
from casos c
join textos t using (norma, regras)
join registro.permissionarios h using (pid)
