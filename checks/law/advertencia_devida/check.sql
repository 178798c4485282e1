-- Confirmed autos of the group against the processes of warning opened for the holder: a process does not name its auto, so each one answers the
-- oldest not yet answered.
with advertidos as (
    select h.pid, count(*)::integer as quantas
    from registro.processos x
    join p on p.norma = x.norma and p.ato = x.ato
    join registro.permissionarios h using (permissionario_id)
    group by h.pid
), condutas as (
    select i.kid, i.codigo from fatos.infracoes i join p on p.norma = i.norma and p.grupo = i.grupo
), contados as (
    select pid, count(*) as total from fatos.autos_leves where confirmado and kid in (select kid from condutas) group by pid
), faltosos as (
    select c.pid, c.total, coalesce(d.quantas, 0) as advertencias
    from contados c
    left join advertidos d using (pid)
    where c.total > coalesce(d.quantas, 0)
), listas as (
    select l.pid, list_sort(list(struct_pack(dia := a.ocorrido_em::date, auto_id := a.auto_id, codigo := a.codigo))) as autos
    from fatos.autos_leves l
    join fatos.autos a on a.rowid = l.rid
    where l.confirmado and l.kid in (select kid from condutas) and l.pid in (select pid from faltosos)
    group by l.pid
)
select h.norma,
       'para_decisao' as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupo := p.grupo, quantidade_autos := f.total, advertencias := f.advertencias, advertencias_que_faltam := f.total - f.advertencias,
                   autos := t.autos[f.advertencias + 1:]) as evidencia
from faltosos f
join listas t using (pid)
join registro.permissionarios h on h.pid = f.pid and not h.silencioso
join p on p.norma = h.norma
