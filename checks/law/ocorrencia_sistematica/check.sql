-- So many confirmed autos of the groups within so many months, ending after the last decided process of the act that closes
-- the count. Without the two numbers nothing is concluded of who has such autos.
with contados as (
    select l.pid, l.rid, l.dia, l.instante, i.codigo, i.grupo, p.quantidade, p.meses, n.mes_sem_dia
    from fatos.autos_leves l
    join fatos.infracoes i using (kid)
    join p on p.norma = i.norma and list_contains(p.grupos, i.grupo)
    join registro.normas n on n.norma = i.norma
    where l.em_servico and l.confirmado
), janelas as (
    select pid, dia, instante, meses, mes_sem_dia,
           dia_do_inteiro(lag(dia, quantidade - 1) over (partition by pid order by instante)) as inicio
    from contados
    where quantidade > 0 and meses is not null
), atingidas as (
    select j.pid, bool_and(soma_meses(j.inicio, j.meses, j.mes_sem_dia) = dia_do_inteiro(j.dia)) as no_limite,
           dia_inteiro(max(j.inicio)) as desde, max(j.instante) as ate
    from janelas j
    left join fatos.decididos('p') d using (pid)
    where soma_meses(j.inicio, j.meses, j.mes_sem_dia) >= dia_do_inteiro(j.dia) and coalesce(dia_do_inteiro(j.dia) > d.decidido_em, true)
    group by j.pid
), sujeitos as (
    select t.pid, t.no_limite, count(*)::integer as total,
           list_sort(list(struct_pack(dia := a.ocorrido_em::date, auto_id := a.auto_id, codigo := c.codigo, grupo := c.grupo))) as autos
    from atingidas t
    join contados c on c.pid = t.pid and c.dia >= t.desde and c.instante <= t.ate
    join fatos.autos a on a.rowid = c.rid
    group by all
    union all
    select pid, null, count(*)::integer, null
    from contados
    where quantidade is null or meses is null
    group by pid
)
select h.norma,
       case when s.autos is null then 'nao_avaliado' else 'para_decisao' end as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(grupos := p.grupos, quantidade_autos := s.total, limite_autos := p.quantidade, meses := p.meses, autos := s.autos,
                   no_limite := s.no_limite, processo_anterior_em := d.decidido_em,
                   falta := case when s.autos is null then
                       list_filter([case when p.quantidade is null then 'quantidade' end, case when p.meses is null then 'meses' end],
                                   lambda f: f is not null) end) as evidencia
from sujeitos s
join registro.permissionarios h using (pid)
join p on p.norma = h.norma
left join fatos.decididos('p') d using (pid)
