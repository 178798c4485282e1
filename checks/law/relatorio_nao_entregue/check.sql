-- Reports of the periods that fall due in the as-of year, rolled. A period is two months (2026-B1, 2026-B2, ...) or half a month (2026-03-Q1,
-- 2026-03-Q2), and how long after it the report is due, as the municipality tells; untold, nothing can be asked of anybody.
with meses as (
    select unnest(generate_series(date_trunc('year', $as_of::timestamp) - interval '1 year',
                                  date_trunc('year', $as_of::timestamp) + interval '1 year' - interval '1 month', interval '1 month'))::date as mes
), periodos as (
    select p.norma, p.prazo_dias, year(mes) || '-B' || (month(mes) + 1) // 2 as referencia, last_day((mes + interval '1 month')::date) as fim
    from meses, p
    where p.bimensal = 'a_cada_dois_meses' and month(mes) % 2 = 1
    union all
    select p.norma, p.prazo_dias, strftime(mes, '%Y-%m') || '-Q1', mes + p.quinzena_ate - 1 from meses, p where p.bimensal = 'duas_por_mes'
    union all
    select p.norma, p.prazo_dias, strftime(mes, '%Y-%m') || '-Q2', last_day(mes) from meses, p where p.bimensal = 'duas_por_mes'
), prazos as (
    select x.norma, x.referencia, x.fim, d.proximo_util as prazo
    from periodos x
    join calendario.dias d on d.norma = x.norma and d.dia = x.fim + x.prazo_dias
    where year(d.proximo_util) = year($as_of)
), titulares as (
    select h.norma, h.permissionario_id, h.tipo_pessoa, h.cadastrado_em, p.obrigacao, p.prazo_dias, p.aviso_dias,
           case when p.bimensal is null then ['bimensal'] else []::varchar[] end || case when p.prazo_dias is null then ['prazo_dias'] else []::varchar[] end as falta
    from registro.permissionarios h
    join p on p.norma = h.norma and p.tipo_pessoa = h.tipo_pessoa
    where not h.silencioso
), devidos as (
    select t.norma, t.permissionario_id, z.referencia, z.prazo,
           ilegivel(o.desconhecidos, ['entregue_em']) is not null as ilegivel_na_entrega
    from titulares t
    join prazos z on z.norma = t.norma and z.prazo - t.aviso_dias <= $as_of and not coalesce(t.cadastrado_em > z.fim, false)
    left join registro.obrigacoes o on o.permissionario_id = t.permissionario_id and o.tipo = t.obrigacao and upper(o.referencia) = z.referencia
    where t.falta = []
    qualify not bool_or(o.entregue_em is not null) over (partition by t.permissionario_id, z.referencia)
), por_titular as (
    select norma, permissionario_id, min(prazo) filter (not ilegivel_na_entrega) as dia,
           list(distinct struct_pack(prazo, referencia) order by struct_pack(prazo, referencia)) as periodos
    from devidos
    group by norma, permissionario_id
)
select t.norma,
       case when t.falta <> [] or d.dia is null then 'nao_avaliado' when $as_of > d.dia then 'violacao' else 'a_vencer' end as situacao,
       t.permissionario_id as sujeito_id,
       t.permissionario_id,
       d.dia as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(tipo_pessoa := t.tipo_pessoa, obrigacao := t.obrigacao, periodos := d.periodos, prazo_dias := t.prazo_dias,
                   falta := case when t.falta <> [] then t.falta when d.dia is null then ['obrigacoes.entregue_em'] end) as evidencia
from titulares t
left join por_titular d using (norma, permissionario_id)
where t.falta <> [] or d.permissionario_id is not null
