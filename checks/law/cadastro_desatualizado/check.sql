-- The yearly update of the holder's registry, due on a fixed day of each year, rolled: met by an update, or a delivery, of the as-of year.
-- Whoever entered the registry after that day owed nothing on it.
with exigencias as (
    select p.*, year($as_of)::varchar as referencia, d.dia as dia_da_lei, d.proximo_util as prazo
    from p
    join calendario.dias d on d.norma = p.norma and d.dia = make_date(year($as_of)::integer, p.mes, p.dia)
), entregas as (
    select distinct e.norma, o.permissionario_id
    from registro.obrigacoes o
    join exigencias e on e.norma = o.norma and e.obrigacao = o.tipo and e.referencia = regexp_extract(o.referencia, '\d{4}')
    where o.entregue_em is not null
), devedores as (
    select h.*, e.* exclude (norma, tipo_pessoa), ilegivel(h.desconhecidos, ['cadastro_atualizado_em']) as ilegiveis
    from registro.permissionarios h
    join exigencias e on e.norma = h.norma and e.tipo_pessoa = h.tipo_pessoa
    anti join entregas n on n.norma = h.norma and n.permissionario_id = h.permissionario_id
    where not h.silencioso and e.prazo - e.aviso_dias <= $as_of
      and not coalesce(year(h.cadastro_atualizado_em) = year($as_of), false) and not coalesce(h.cadastrado_em > e.prazo, false)
)
select norma,
       case when ilegiveis is not null then 'nao_avaliado' when $as_of > prazo then 'violacao' else 'a_vencer' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       case when ilegiveis is null then prazo end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(tipo_pessoa, cadastro_atualizado_em, cadastrado_em, referencia_exigida := referencia, prazo_sem_prorrogar := dia_da_lei,
                   falta := list_transform(ilegiveis, lambda c: 'permissionarios.' || c)) as evidencia
from devedores
