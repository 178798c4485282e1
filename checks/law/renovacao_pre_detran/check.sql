-- In order when some living permit of the vehicle, issued by $as_of, ends on or after the DETRAN date.
-- A vehicle with no permit row at all belongs to veiculo_sem_alvara.
with titulos as (
    select veiculo_id,
           count(*) as alvaras_do_veiculo,
           arg_max(alvara_id, coalesce(fim, '-infinity'::date)) filter (not morto and incerto is null) as alvara_id,
           max(fim) filter (not morto and incerto is null) as fim,
           list(falta_fim) filter (not morto and falta_fim is not null) as falta_fim,
           flatten(list(incerto) filter (incerto is not null)) as incerto
    from registro.alvaras
    where veiculo_id is not null
    group by veiculo_id
), veiculos as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, v.licenciamento_vence_em,
           v.licenciamento_pelo_calendario, p.antecedencia_dias, p.aviso_dias,
           v.licenciamento_vence_em - p.antecedencia_dias as devido_em,
           t.alvara_id, t.fim, t.alvaras_do_veiculo,
           case when v.licenciamento_vence_em is null then ['licenciamento_vence_em']
                else nullif(list_sort(list_distinct(coalesce(t.falta_fim, []) || coalesce(t.incerto, []))), []) end as falta
    from registro.veiculos v
    join p using (norma)
    join titulos t using (veiculo_id)
    where not v.baixado and not v.dono_silencioso
      and coalesce(t.fim < v.licenciamento_vence_em, true)
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > devido_em then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then devido_em end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, licenciamento_vence_em, licenciamento_pelo_calendario, antecedencia_dias, alvara_id,
                   fim := nullif(fim, 'infinity'::date), alvaras_do_veiculo, falta) as evidencia
from veiculos
where licenciamento_vence_em is null or devido_em - aviso_dias <= $as_of
