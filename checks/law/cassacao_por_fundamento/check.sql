-- Confirmed autos whose code grounds the act, after the last decided process of that act. Never more than a case for the authority.
with fundamentos as (
    select norma, ordem, dispositivo, unnest(codigos) as codigo from r
), decididos as (
    select x.permissionario_id, max(x.decisao_em) as decidido_em
    from registro.processos x
    join p on p.norma = x.norma and p.ato_que_zera = x.ato
    where x.decisao is not null and x.decisao_em is not null
    group by x.permissionario_id
), autos as (
    select a.permissionario_id, a.norma, a.auto_id, a.codigo, a.ocorrido_em, a.veiculo_id, a.condutor_id, f.ordem, f.dispositivo, d.decidido_em
    from fatos.autos a
    join fundamentos f using (norma, codigo)
    left join decididos d using (permissionario_id)
    where a.estado_auto = 'confirmado' and coalesce(a.ocorrido_em::date > d.decidido_em, true)
)
select a.norma,
       'para_decisao' as situacao,
       a.permissionario_id as sujeito_id,
       a.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       array_to_string(list_distinct(list(a.dispositivo order by a.ordem)), '; ') as dispositivo,
       struct_pack(fundamentos := list_sort(list_distinct(list(a.dispositivo || ': ' || a.codigo))),
                   autos := list(struct_pack(auto_id := a.auto_id, dia := a.ocorrido_em::date, codigo := a.codigo, veiculo_id := a.veiculo_id,
                                             condutor_id := a.condutor_id, dispositivo := a.dispositivo) order by a.ocorrido_em, a.auto_id, a.ordem),
                   processo_anterior_em := any_value(a.decidido_em)) as evidencia
from autos a
join registro.permissionarios h using (permissionario_id)
where not h.silencioso
group by a.norma, a.permissionario_id
