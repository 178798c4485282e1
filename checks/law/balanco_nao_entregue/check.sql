-- The balance of the year before the as-of date's, due on a fixed day of each year, rolled; delivered at any time it is delivered.
-- Whoever entered the registry after that day owed nothing on it.
with exigencias as (
    select p.*, (year($as_of) - p.anos_antes)::varchar as referencia, make_date(year($as_of)::integer, p.mes, p.dia) as dia_da_lei, d.proximo_util as prazo
    from p
    join calendario.dias d on d.norma = p.norma and d.dia = make_date(year($as_of)::integer, p.mes, p.dia)
), entregas as (
    select e.norma, o.permissionario_id, bool_or(o.entregue_em is not null) as entregue,
           bool_or(ilegivel(o.desconhecidos, ['entregue_em']) is not null) as duvida
    from registro.obrigacoes o
    join exigencias e on e.norma = o.norma and e.obrigacao = o.tipo and e.referencia = regexp_extract(o.referencia, '\d{4}')
    group by e.norma, o.permissionario_id
)
select h.norma,
       case when n.duvida then 'nao_avaliado' when $as_of > e.prazo then 'violacao' else 'a_vencer' end as situacao,
       h.permissionario_id as sujeito_id,
       h.permissionario_id,
       case when not coalesce(n.duvida, false) then e.prazo end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(tipo_pessoa := h.tipo_pessoa, obrigacao := e.obrigacao, referencia_exigida := e.referencia,
                   prazo_sem_prorrogar := e.dia_da_lei, falta := case when n.duvida then ['obrigacoes.entregue_em'] end) as evidencia
from registro.permissionarios h
join exigencias e on e.norma = h.norma and e.tipo_pessoa = h.tipo_pessoa
left join entregas n on n.norma = h.norma and n.permissionario_id = h.permissionario_id
where not h.silencioso and not coalesce(n.entregue, false) and e.prazo - e.aviso_dias <= $as_of
  and not coalesce(h.cadastrado_em > e.prazo, false)
