-- The document of a year can be asked for once the licensing date of that year is past: the vehicle's own, else the one the
-- state's calendar gives for that year. Two years behind needs no date. Older than last year's is late on any date.
with finais as (
    select c.uf, c.final_placa::varchar as final_placa, min(c.vence_em) as vence_em
    from extrato.calendario_licenciamento c
    where c.exercicio = year($as_of::date)
    group by all
), veiculos as (
    select v.*, p.aviso_dias, year($as_of::date) as ano,
           case when year(v.licenciamento_vence_em) = year($as_of::date) then v.licenciamento_vence_em
                when v.licenciamento_pelo_calendario or v.licenciamento_vence_em < $as_of then f.vence_em end as dia,
           year(v.licenciamento_vence_em) is distinct from year($as_of::date) as pelo_calendario
    from registro.veiculos v
    join p using (norma)
    join registro.permissionarios h using (permissionario_id)
    left join finais f on f.uf = h.uf and f.final_placa = right(v.placa, 1)
    where not v.baixado and not v.dono_silencioso
      and coalesce(v.crlv_exercicio < year($as_of::date), true)
), medidos as (
    select *, crlv_exercicio < ano - 1 as dois_anos,
           case when crlv_exercicio is null then ['veiculos.crlv_exercicio']
                when crlv_exercicio < ano - 1 then null
                when dia is null then ['veiculos.licenciamento_vence_em'] end as falta
    from veiculos
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when dois_anos or $as_of > dia then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null and not dois_anos then dia end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, crlv_exercicio, crlv_exigido := case when dois_anos and not coalesce($as_of > dia, false) then ano - 1 else ano end,
                   licenciamento_vence_em := dia, licenciamento_pelo_calendario := pelo_calendario and dia is not null, falta) as evidencia
from medidos
where falta is not null or dois_anos or dia - aviso_dias <= $as_of
