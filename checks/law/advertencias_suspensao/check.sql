-- Confirmed autos of the group since the last decided process of the act that closes the count, either way it was decided.
with decididos as (
    select x.permissionario_id, max(x.decisao_em) as decidido_em
    from registro.processos x
    join p on p.norma = x.norma and p.ato_que_zera = x.ato
    where x.decisao is not null and x.decisao_em is not null
    group by x.permissionario_id
), autos as (
    select a.permissionario_id, a.norma, a.auto_id, a.codigo, a.ocorrido_em, p.grupo, p.quantidade, d.decidido_em
    from fatos.autos a
    join p using (norma)
    join norma.infracoes i on i.norma = a.norma and i.codigo = a.codigo and i.grupo = p.grupo
        and a.ocorrido_em::date >= coalesce(i.vigente_de, '-infinity'::date) and a.ocorrido_em::date <= coalesce(i.vigente_ate, 'infinity'::date)
    left join decididos d using (permissionario_id)
    where a.estado_auto = 'confirmado' and coalesce(a.ocorrido_em::date > d.decidido_em, true)
), somas as (
    select permissionario_id, norma, grupo, quantidade, decidido_em, count(*)::integer as total,
           list(struct_pack(auto_id, dia := ocorrido_em::date, codigo) order by ocorrido_em, auto_id) as autos
    from autos
    group by all
    having count(*) >= quantidade
)
select s.norma,
       'para_decisao' as situacao,
       s.permissionario_id as sujeito_id,
       s.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupo := s.grupo, quantidade_autos := s.total, limite_autos := s.quantidade, autos := s.autos,
                   suspensao_anterior_em := s.decidido_em) as evidencia
from somas s
join registro.permissionarios h using (permissionario_id)
where not h.silencioso
