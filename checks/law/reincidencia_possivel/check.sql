-- Confirmed autos, not yet paid, of a holder who already had confirmed ones of the same code: where the norm doubles on recidivism
-- and gives no window. What was fined at one instant is one occasion.
with condutas as materialized (
    select i.kid, i.cid, i.descricao, p.reincidencia_repeticoes as repeticoes
    from fatos.infracoes i
    join p on p.norma = i.norma and not p.reincidencia_prazo_fixado
    where i.quantidade is not null
), devidos as (
    -- the autos that are asked about are few
    select l.rid, l.pid, l.cid, l.instante, c.repeticoes, c.descricao
    from fatos.autos_leves l
    join condutas c using (kid)
    where l.confirmado and not l.pago and l.em_servico
), anteriores as (
    select d.rid, any_value(d.descricao) as descricao, list_sort(list(struct_pack(dia := x.ocorrido_em::date, auto_id := x.auto_id))) as lista
    from devidos d
    join fatos.autos_leves l on l.pid = d.pid and l.cid = d.cid and l.instante < d.instante and l.confirmado
    join fatos.autos x on x.rowid = l.rid
    -- periods of a code without an amount are no precedent to count, but are listed
    group by d.rid, d.repeticoes
    having count(*) filter (l.kid in (select kid from condutas)) >= d.repeticoes
)
select a.norma,
       case when ilegivel(a.desconhecidos, ['pago_em']) is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       a.auto_id as sujeito_id,
       a.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(codigo := a.codigo, infracao := n.descricao, ocorrido_em := a.ocorrido_em, estado_auto := a.estado_auto, valor := a.valor,
                   anteriores := n.lista, falta := ilegivel(a.desconhecidos, ['pago_em'])) as evidencia
from anteriores n
join fatos.autos a on a.rowid = n.rid
