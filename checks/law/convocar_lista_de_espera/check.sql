-- Permissions lost (the holder has none in force and the last one died, or the holder is out) against new holders since:
-- walking the days backwards, the largest excess of losses over entries is what is still open.
with titulares as (
    select a.norma, a.permissionario_id,
           min(a.emitido_em) as entrou_em,
           arg_max(a.morto or a.incerto is not null, a.emitido_em) as ultimo_morto,
           max(a.encerrado_em) filter (a.morto) as encerrado_em,
           bool_or(not a.morto and a.incerto is null and not a.dono_silencioso and coalesce(a.fim >= $as_of, true)) as ativo,
           bool_or(a.incerto is not null) as incerto
    from registro.alvaras a
    join p on p.norma = a.norma and list_contains(p.modalidades, a.modalidade)
    group by a.norma, a.permissionario_id
), perdas as (
    select t.*, coalesce(d.cassado_em, d.encerrado_em, t.encerrado_em) as dia, t.incerto or d.incerto is not null as duvidosa
    from titulares t
    join registro.permissionarios d using (permissionario_id)
    where not t.ativo and (d.silencioso or d.incerto is not null or t.ultimo_morto)
), movimentos as (
    select norma, dia, sum(n) as n
    from (select norma, dia, 1 as n from perdas where dia is not null and not duvidosa
          union all
          select norma, entrou_em, -1 from titulares)
    group by norma, dia
), saldos as (
    select norma, dia, n, sum(n) over (partition by norma order by dia desc) as saldo from movimentos
), vagas as (
    select norma, greatest(max(saldo), 0)::bigint as vagas, arg_max(dia, saldo) as vaga_desde from saldos group by norma
), espera as (
    select norma, count(*) as na_espera, min(requerido_em) as requerido_em from registro.lista_espera group by norma
), contas as (
    select e.norma, e.na_espera, e.requerido_em, coalesce(v.vagas, 0) as vagas, v.vaga_desde,
           (select count(*) from titulares t where t.norma = e.norma and t.ativo) as ativas,
           (select count(*) from perdas x where x.norma = e.norma and (x.dia is null or x.duvidosa)) as incertas
    from espera e
    join p using (norma)
    left join vagas v on v.norma = e.norma
)
select norma,
       case when vagas > 0 then 'para_decisao' else 'nao_avaliado' end as situacao,
       norma as sujeito_id,
       null::varchar as permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(vagas, vaga_desde := case when vagas > 0 then vaga_desde end, na_espera, requerido_em, permissoes_ativas := ativas,
                   permissoes_incertas := incertas, falta := case when vagas = 0 then ['alvaras.encerrado_em'] end) as evidencia
from contas
where vagas > 0 or incertas > 0
