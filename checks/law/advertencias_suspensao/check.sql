-- Confirmed autos of the group since the last decided process of the act that closes the count, either way it was decided.
with decididos as (
    select h.pid, max(x.decisao_em) as decidido_em, dia_inteiro(max(x.decisao_em)) as dia
    from registro.processos x
    join registro.permissionarios h using (permissionario_id)
    join p on p.norma = x.norma and p.ato_que_zera = x.ato
    where x.decisao is not null and x.decisao_em is not null
    group by h.pid
), contados as (
    select l.pid, l.rid, i.codigo
    from fatos.autos_leves l
    join fatos.infracoes i using (kid)
    join p on p.norma = i.norma and p.grupo = i.grupo
    left join decididos d using (pid)
    where l.em_servico and l.confirmado and coalesce(l.dia > d.dia, true)
), atingidos as (
    select c.pid, count(*)::integer as total
    from contados c
    join registro.permissionarios h using (pid)
    join p on p.norma = h.norma
    group by c.pid, p.quantidade
    having count(*) >= p.quantidade
), listas as (
    select c.pid, list_sort(list(struct_pack(dia := a.ocorrido_em::date, auto_id := a.auto_id, codigo := c.codigo))) as autos
    from contados c
    join fatos.autos a on a.rowid = c.rid
    where c.pid in (select pid from atingidos)
    group by c.pid
)
select h.norma,
       'para_decisao' as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupo := p.grupo, quantidade_autos := s.total, limite_autos := p.quantidade, autos := t.autos,
                   suspensao_anterior_em := d.decidido_em) as evidencia
from atingidos s
join listas t using (pid)
join registro.permissionarios h using (pid)
join p on p.norma = h.norma
left join decididos d using (pid)
