-- Guarantees still held after every permit of the holder ended with no penalty and no debt; and guarantees given back after a penalty that
-- makes them be lost. The body owes the return; a debt puts it off, the rest of one paid in part too; what could not be read may be one.
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
    select permissionario_id, bool_or(falta = []) as deve, list_sort(list_distinct(flatten(list(falta)))) as falta
    from (
        select a.permissionario_id, list_transform(list_concat(coalesce(a.incerto, []), coalesce(ilegivel(a.desconhecidos,
                   ['pago_em'] || case when a.pago then ['valor_pago'] else [] end
                   || case when a.valor_pago is null then [] else ['valor', 'valor_decidido'] end), [])), lambda c: 'autos.' || c) as falta
        from fatos.autos a
        where a.estado_auto in ('confirmado', 'incerto') and not a.quitado and a.permissionario_id in (select permissionario_id from saldos)
          and not (a.pago and a.valor_pago is null and ilegivel(a.desconhecidos, ['valor_pago']) is null)
          and (coalesce(coalesce(case when a.decisao in ('procedente', 'parcial') then a.valor_decidido end, a.valor) > coalesce(a.valor_pago, 0), true)
               or ilegivel(a.desconhecidos, ['pago_em', 'valor', 'valor_decidido']) is not null)
        union all
        select t.permissionario_id, list_transform(coalesce(t.ilegiveis, []), lambda c: 'taxas.' || c)
        from fatos.taxas t
        where t.aberta and coalesce(t.devido_em < $as_of, true) and t.permissionario_id in (select permissionario_id from saldos)
    )
    group by permissionario_id
), situados as (
    select s.*, p.prazo_dias, p.aviso_dias, t.emitidos, h.silencioso and h.situacao = 'encerrado' as saiu,
           coalesce(t.ativo, false) and not (h.silencioso and h.situacao = 'encerrado') as ativo, coalesce(t.incerto, false) as incerto,
           case when h.silencioso and h.situacao = 'encerrado' then least(t.fim, h.encerrado_em) else nullif(t.fim, 'infinity'::date) end as fim,
           coalesce(t.punido, false) or h.situacao = 'cassado' or n.permissionario_id is not null as punido,
           least(t.pena_em, n.decidida_em, case when h.situacao = 'cassado' then h.cassado_em end) as pena_em,
           coalesce(d.deve, false) as deve, d.falta as falta_debito
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
                when s.fim >= $as_of or c.proximo_util - s.aviso_dias > $as_of then null
                when s.falta_debito is not null then 'nao_avaliado'
                when s.prazo_dias is null then 'para_decisao'
                when $as_of > c.proximo_util then 'violacao'
                else 'a_vencer' end as situacao
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
                   falta := case when situacao = 'nao_avaliado' then case when incerto or fim is null then ['alvaras.valido_ate'] else falta_debito end end) as evidencia
from prazos
where situacao is not null
