-- Confirmed autos whose code grounds the act, after the last decided process of that act. Never more than a case for the authority.
-- The code need not be in the norm's table of fines: a ground may have no fine.
with fundamentos as (
    select n.nid, r.norma, r.ordem, unnest(r.codigos) as codigo
    from r
    join registro.normas n using (norma)
), decididos as (
    select x.permissionario_id, max(x.decisao_em) as decidido_em
    from registro.processos x
    join p on p.norma = x.norma and p.ato_que_zera = x.ato
    where x.decisao is not null and x.decisao_em is not null
    group by x.permissionario_id
), autos as (
    select a.permissionario_id, a.norma, a.auto_id, a.codigo, a.ocorrido_em::date as dia, a.veiculo_id, a.condutor_id, f.ordem, d.decidido_em
    from fatos.autos a
    join fundamentos f on f.nid = a.nid and f.codigo = a.codigo
    left join decididos d using (permissionario_id)
    where a.estado_auto = 'confirmado' and coalesce(a.ocorrido_em::date > d.decidido_em, true)
), casos as (
    select a.norma, a.permissionario_id, bit_or(1::bigint << a.ordem) as regras, any_value(a.decidido_em) as decidido_em,
           list_sort(list(struct_pack(dia := a.dia, auto_id := a.auto_id, codigo := a.codigo, veiculo_id := a.veiculo_id, condutor_id := a.condutor_id))) as autos
    from autos a
    join registro.permissionarios h using (permissionario_id)
    where not h.silencioso
    group by a.norma, a.permissionario_id
), textos as (
    select c.norma, c.regras, string_agg(r.dispositivo, '; ' order by r.ordem) as dispositivo
    from (select distinct norma, regras from casos) c
    join r on r.norma = c.norma and (c.regras >> r.ordem) & 1 = 1
    group by all
)
select c.norma,
       'para_decisao' as situacao,
       c.permissionario_id as sujeito_id,
       c.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       t.dispositivo,
       struct_pack(autos := c.autos, processo_anterior_em := c.decidido_em) as evidencia
from casos c
join textos t using (norma, regras)
