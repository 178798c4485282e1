-- Confirmed autos of the group against the processes of warning opened for the holder: a process does not name its auto, so each one answers the
-- oldest not yet answered.
with advertidos as (
    select h.pid, count(*) as quantas
    from registro.processos x
    join p on p.norma = x.norma and p.ato = x.ato
    join registro.permissionarios h using (permissionario_id)
    group by h.pid
), contados as (
    select l.pid, l.rid, i.codigo, row_number() over (partition by l.pid order by l.instante, l.rid) as vez, count(*) over (partition by l.pid) as total
    from fatos.autos_leves l
    join fatos.infracoes i using (kid)
    join p on p.norma = i.norma and p.grupo = i.grupo
    join registro.permissionarios h on h.pid = l.pid and not h.silencioso
    where l.confirmado
), por_titular as (
    select c.pid, any_value(c.total) as total, any_value(coalesce(d.quantas, 0)) as advertencias,
           list(struct_pack(dia := a.ocorrido_em::date, auto_id := a.auto_id, codigo := c.codigo) order by c.vez) as autos
    from contados c
    left join advertidos d using (pid)
    join fatos.autos a on a.rowid = c.rid
    where c.vez > coalesce(d.quantas, 0)
    group by c.pid
)
select h.norma,
       'para_decisao' as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupo := p.grupo, quantidade_autos := t.total, advertencias := t.advertencias, advertencias_que_faltam := t.total - t.advertencias,
                   autos := t.autos) as evidencia
from por_titular t
join registro.permissionarios h using (pid)
join p on p.norma = h.norma
