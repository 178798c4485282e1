-- Confirmed autos of the group against the processes of warning opened for the holder: a process does not name its auto, so each one answers the
-- oldest not yet answered.
with advertidos as (
    select h.pid, count(*)::integer as quantas
    from registro.processos x
    join p on p.norma = x.norma and p.ato = x.ato
    join registro.permissionarios h using (permissionario_id)
    group by h.pid
), faltosos as (
    select c.pid, len(c.autos) as total, coalesce(d.quantas, 0) as advertencias, c.autos
    from fatos.autos_do_grupo('p') c
    left join advertidos d using (pid)
    where len(c.autos) > coalesce(d.quantas, 0)
)
select h.norma,
       'para_decisao' as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupo := p.grupo, quantidade_autos := f.total, advertencias := f.advertencias, advertencias_que_faltam := f.total - f.advertencias,
                   autos := case when f.advertencias = 0 then f.autos else f.autos[f.advertencias + 1:] end) as evidencia
from faltosos f
join registro.permissionarios h using (pid)
join p on p.norma = h.norma
