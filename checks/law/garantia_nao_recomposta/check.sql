-- What was taken from the guarantee and not put back: later deposits answer the oldest deduction first. The term runs from the notice:
-- before it, or where nobody told the term, nothing is due.
with movimentos as (
    select g.norma, g.permissionario_id, g.data, g.notificado_em, g.valor, g.movimento, p.prazo_dias, h.tipo_pessoa, g.desconhecidos,
           sum(case when g.movimento = 'execucao' then g.valor else -g.valor end) over por_ordem as saldo_devedor,
           sum(case when g.movimento = 'execucao' then g.valor else 0 end) over depois as descontado_depois
    from registro.garantias g
    join registro.permissionarios h using (permissionario_id)
    join p on p.norma = g.norma and p.tipo_pessoa = h.tipo_pessoa
    where not g.dono_silencioso and g.movimento in ('deposito', 'reforco', 'execucao')
    window por_ordem as (partition by g.permissionario_id order by g.data, g.movimento = 'execucao' desc, g.arquivo, g.linha rows unbounded preceding),
           depois as (partition by g.permissionario_id order by g.data, g.movimento = 'execucao' desc, g.arquivo, g.linha rows between 1 following and unbounded following)
), dividas as (
    select permissionario_id, sum(case when movimento = 'execucao' then valor else -valor end) - least(min(saldo_devedor), 0) as a_recompor
    from movimentos
    group by permissionario_id
), abertas as (
    select m.norma, m.permissionario_id, m.tipo_pessoa, m.prazo_dias, d.a_recompor, m.data, m.notificado_em, m.valor, c.proximo_util as prazo,
           case when m.notificado_em is null then ['garantias.notificado_em'] end as falta
    from movimentos m
    join dividas d using (permissionario_id)
    left join calendario.dias c on c.norma = m.norma and c.dia = m.notificado_em + m.prazo_dias
    where m.movimento = 'execucao' and coalesce(m.descontado_depois, 0) < d.a_recompor and m.prazo_dias is not null
      and coalesce(m.notificado_em <= $as_of, ilegivel(m.desconhecidos, ['notificado_em']) is not null)
), por_titular as (
    select norma, permissionario_id, any_value(tipo_pessoa) as tipo_pessoa, any_value(a_recompor) as a_recompor, any_value(prazo_dias) as prazo_dias,
           min(prazo) as prazo, any_value(falta) as falta,
           list(struct_pack(dia := data, valor, notificado_em, prazo_ate := prazo) order by data) as execucoes
    from abertas
    group by norma, permissionario_id
)
select norma,
       case when prazo is null then 'nao_avaliado' when $as_of > prazo then 'violacao' else 'a_vencer' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       prazo as devido_em,
       case when prazo is not null then a_recompor end::decimal(18, 2) as valor,
       struct_pack(tipo_pessoa, valor_a_recompor := a_recompor::decimal(18, 2), execucoes, prazo_dias,
                   falta := case when prazo is null then falta end) as evidencia
from por_titular
