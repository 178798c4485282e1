-- Confirmed autos, not yet paid, of a holder who already had confirmed ones of the same code: where the norm doubles on recidivism
-- and gives no window. What was fined at one instant is one occasion.
with contados as (
    select l.rid, l.pid, l.cid, l.instante, l.pago, l.confirmado, p.reincidencia_repeticoes as repeticoes, i.descricao,
           count(*) filter (l.confirmado) over (partition by l.pid, l.cid order by l.instante
                                                range between unbounded preceding and 1 preceding) as vezes
    from fatos.autos_leves l
    join fatos.infracoes i using (kid)
    join p on p.norma = i.norma and not p.reincidencia_prazo_fixado
    where l.em_servico and i.quantidade is not null
), repetidos as (
    select * from contados where confirmado and not pago and vezes >= repeticoes
), anteriores as (
    select d.rid, list_sort(list(struct_pack(dia := x.ocorrido_em::date, auto_id := x.auto_id))) as lista
    from repetidos d
    join fatos.autos_leves l on l.pid = d.pid and l.cid = d.cid and l.instante < d.instante and l.confirmado
    join fatos.autos x on x.rowid = l.rid
    group by d.rid
)
select a.norma,
       case when ilegivel(a.desconhecidos, ['pago_em']) is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       a.auto_id as sujeito_id,
       a.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(codigo := a.codigo, infracao := d.descricao, ocorrido_em := a.ocorrido_em, estado_auto := a.estado_auto, valor := a.valor,
                   anteriores := n.lista, falta := ilegivel(a.desconhecidos, ['pago_em'])) as evidencia
from repetidos d
join anteriores n using (rid)
join fatos.autos a on a.rowid = d.rid
