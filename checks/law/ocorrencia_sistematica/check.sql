-- So many confirmed autos of the groups within so many months, ending after the last decided process of the act that closes
-- the count. Without the two numbers nothing is concluded of who has such autos.
with decididos as (
    select x.permissionario_id, max(x.decisao_em) as decidido_em
    from registro.processos x
    join p on p.norma = x.norma and p.ato_que_zera = x.ato
    where x.decisao is not null and x.decisao_em is not null
    group by x.permissionario_id
), autos as (
    select a.permissionario_id, a.norma, a.auto_id, a.codigo, a.ocorrido_em, i.grupo
    from fatos.autos a
    join p using (norma)
    join norma.infracoes i on i.norma = a.norma and i.codigo = a.codigo and list_contains(p.grupos, i.grupo)
        and a.ocorrido_em::date >= coalesce(i.vigente_de, '-infinity'::date) and a.ocorrido_em::date <= coalesce(i.vigente_ate, 'infinity'::date)
    where a.estado_auto = 'confirmado'
), janelas as (
    select a.*, p.quantidade, p.meses, n.mes_sem_dia,
           lag(a.ocorrido_em::date, p.quantidade - 1) over (partition by a.permissionario_id order by a.ocorrido_em, a.auto_id) as inicio
    from autos a
    join p using (norma)
    join registro.normas n using (norma)
    where p.quantidade > 0 and p.meses is not null
), atingidas as (
    select j.permissionario_id, j.norma,
           bool_and(soma_meses(j.inicio, j.meses, j.mes_sem_dia) = j.ocorrido_em::date) as no_limite, max(j.inicio) as desde, max(j.ocorrido_em) as ate
    from janelas j
    left join decididos d using (permissionario_id)
    where soma_meses(j.inicio, j.meses, j.mes_sem_dia) >= j.ocorrido_em::date and coalesce(j.ocorrido_em::date > d.decidido_em, true)
    group by all
), sujeitos as (
    select t.permissionario_id, t.norma, t.no_limite, count(*)::integer as total,
           list(struct_pack(auto_id := a.auto_id, dia := a.ocorrido_em::date, codigo := a.codigo, grupo := a.grupo) order by a.ocorrido_em, a.auto_id) as autos
    from atingidas t
    join autos a on a.permissionario_id = t.permissionario_id and a.ocorrido_em::date >= t.desde and a.ocorrido_em <= t.ate
    group by all
    union all
    select a.permissionario_id, a.norma, null, count(*)::integer, null
    from autos a
    join p using (norma)
    where p.quantidade is null or p.meses is null
    group by all
)
select s.norma,
       case when s.autos is null then 'nao_avaliado' else 'para_decisao' end as situacao,
       s.permissionario_id as sujeito_id,
       s.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupos := p.grupos, quantidade_autos := s.total, limite_autos := p.quantidade, meses := p.meses, autos := s.autos,
                   no_limite := s.no_limite, processo_anterior_em := d.decidido_em,
                   falta := case when s.autos is null then
                       list_filter([case when p.quantidade is null then 'quantidade' end, case when p.meses is null then 'meses' end],
                                   lambda f: f is not null) end) as evidencia
from sujeitos s
join p using (norma)
join registro.permissionarios h using (permissionario_id)
left join decididos d using (permissionario_id)
where not h.silencioso
