-- Guarantees still held after every permit of the holder ended with no penalty and no debt; and guarantees given back after a penalty that
-- makes them be lost. The body owes the return; a debt puts it off.
with saldos as (
    select g.norma, g.permissionario_id, max(g.data) filter (g.movimento = 'devolucao') as devolvida_em,
           sum(case when g.movimento in ('deposito', 'reforco') then g.valor else -g.valor end) as saldo
    from registro.garantias g
    where g.norma in (select norma from p)
    group by g.norma, g.permissionario_id
), penas as (
    select x.permissionario_id, min(x.decisao_em) as decidida_em
    from registro.processos x
    join p on p.norma = x.norma and list_contains(p.atos_de_pena, x.ato)
    where x.decisao = 'aplicada' and x.decisao_recurso is distinct from 'provido'
    group by x.permissionario_id
), titulos as (
    select a.permissionario_id, count(*) as emitidos,
           bool_or(not a.morto and a.fim >= $as_of and a.incerto is null) as ativo,
           bool_or(a.incerto is not null or a.falta_fim is not null) as incerto,
           max(case when a.morto then least(a.fim, coalesce(a.encerrado_em, a.fim)) else a.fim end) as fim,
           bool_or(a.morto and a.situacao in ('cassado', 'cancelado')) as punido,
           min(a.encerrado_em) filter (a.morto and a.situacao in ('cassado', 'cancelado')) as pena_em
    from registro.alvaras a
    where a.permissionario_id in (select permissionario_id from saldos)
    group by a.permissionario_id
), devedores as (
    select a.permissionario_id from fatos.autos a
    where a.estado_auto = 'confirmado' and not a.pago and a.permissionario_id in (select permissionario_id from saldos)
    union
    select t.permissionario_id from fatos.taxas t
    where t.aberta and coalesce(t.devido_em < $as_of, true) and t.permissionario_id in (select permissionario_id from saldos)
), situados as (
    select s.*, p.prazo_dias, p.aviso_dias, t.emitidos, h.silencioso and h.situacao = 'encerrado' as saiu,
           coalesce(t.ativo, false) and not (h.silencioso and h.situacao = 'encerrado') as ativo, coalesce(t.incerto, false) as incerto,
           case when h.silencioso and h.situacao = 'encerrado' then least(t.fim, h.encerrado_em) else nullif(t.fim, 'infinity'::date) end as fim,
           coalesce(t.punido, false) or h.situacao = 'cassado' or n.permissionario_id is not null as punido,
           least(t.pena_em, n.decidida_em, case when h.situacao = 'cassado' then h.cassado_em end) as pena_em,
           d.permissionario_id is not null as deve, h.desconhecidos
    from saldos s
    join p using (norma)
    join registro.permissionarios h using (permissionario_id)
    join titulos t using (permissionario_id)
    left join penas n using (permissionario_id)
    left join devedores d using (permissionario_id)
), prazos as (
    select s.*, s.fim + s.prazo_dias as fim_do_prazo, c.proximo_util as prazo,
           case when s.punido then case when s.devolvida_em >= s.pena_em then 'para_decisao' end
                when s.ativo or s.deve or s.saldo <= 0 then null
                when s.incerto or s.fim is null then 'nao_avaliado'
                when s.fim >= $as_of then null
                when s.prazo_dias is null then 'para_decisao'
                when $as_of > c.proximo_util then 'violacao'
                when c.proximo_util - s.aviso_dias <= $as_of then 'a_vencer' end as situacao
    from situados s
    left join calendario.dias c on c.norma = s.norma and c.dia = s.fim + s.prazo_dias
)
select norma,
       situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       case when situacao in ('violacao', 'a_vencer') then prazo end as devido_em,
       case when not punido and situacao <> 'nao_avaliado' then saldo end::decimal(18, 2) as valor,
       struct_pack(garantia_depositada := saldo::decimal(18, 2), fim_da_outorga := nullif(fim, 'infinity'::date), prazo_dias,
                   prazo_sem_prorrogar := nullif(fim_do_prazo, 'infinity'::date), pena_em, devolvida_em, titulos_emitidos := emitidos,
                   falta := case when situacao = 'nao_avaliado' then ['alvaras.valido_ate'] end) as evidencia
from prazos
where situacao is not null
