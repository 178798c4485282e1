-- Holders with a permit in force against floor(permissoes x populacao / habitantes), with the latest population known on
-- the day. Reaching the ceiling is enough: from there on a person decides.
with ativos as (
    select a.norma, a.permissionario_id, bool_or(a.incerto is null and a.falta_fim is null) as certo
    from registro.alvaras_ativos a
    join p on p.norma = a.norma and list_contains(p.modalidades, a.modalidade)
    group by a.norma, a.permissionario_id
), contagem as (
    select norma, count(*) filter (certo) as certas, count(*) filter (not certo) as incertas from ativos group by norma
), populacoes as (
    select norma, populacao, referencia from registro.municipios
    where referencia <= year($as_of) and populacao is not null
    qualify row_number() over (partition by norma order by referencia desc, populacao desc) = 1
), tetos as (
    select p.norma, m.populacao, m.referencia, (p.permissoes * m.populacao::bigint) // p.habitantes as teto,
           coalesce(c.certas, 0) as certas, coalesce(c.incertas, 0) as incertas
    from p
    left join populacoes m using (norma)
    left join contagem c using (norma)
)
select norma,
       case when teto is null or certas < teto then 'nao_avaliado' else 'para_decisao' end as situacao,
       norma as sujeito_id,
       null::varchar as permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(permissoes_ativas := certas, permissoes_incertas := incertas, populacao, referencia, teto,
                   falta := case when teto is null then ['municipios.populacao'] when certas < teto then ['alvaras.valido_ate', 'alvaras.situacao'] end) as evidencia
from tetos
where teto is null or certas + incertas >= teto
