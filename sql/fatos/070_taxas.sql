-- What is still owed of each fee on the day: pago_em without valor_pago is paid in full; the due date is the printed one, rolled.
-- `falta`: what keeps it from being judged. A view: it costs nothing to the nights that do not read it.
create or replace view fatos.taxas as
with contadas as (
    select t.*,
           case when t.pago_em is not null and (t.valor_pago is null or t.valor is null) then 0
                else t.valor - coalesce(t.valor_pago, 0) end as valor_devido,
           ilegivel(t.desconhecidos, ['tipo', 'vence_em', 'pago_em', 'valor_pago']) as ilegiveis
    from registro.taxas t
)
select c.*,
       -- an amount that is not known is owed all the same
       coalesce(c.valor_devido > 0, true) or c.ilegiveis is not null as aberta,
       d.proximo_util as devido_em,
       coalesce(c.ilegiveis, case when c.vence_em is null then ['vence_em'] end) as falta
from contadas c
left join calendario.dias d on d.norma = c.norma and d.dia = c.vence_em;
