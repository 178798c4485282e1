-- interrompido_em is the first day stopped: with n days admitted the n-th is the last lawful one. The stop goes on until
-- interrupcao_ate; without it, or where the permit is still interrompido after it, it goes on today.
with paradas as (
    select a.*, r.dias, r.dispositivo, p.aviso_dias,
           a.interrompido_em + r.dias - 1 as ultimo_dia,
           list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end,
                       coalesce(ilegivel(a.desconhecidos, ['interrompido_em', 'interrupcao_ate', 'interrupcao_justificada']), [])) as falta
    from registro.alvaras_ativos a
    join p using (norma)
    join r on r.norma = a.norma and r.justificada = coalesce(a.interrupcao_justificada, false)
    where a.interrompido_em is not null or ilegivel(a.desconhecidos, ['interrompido_em']) is not null
)
select norma,
       case when falta <> [] then 'nao_avaliado' when $as_of > ultimo_dia then 'violacao' else 'a_vencer' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       case when falta = [] then ultimo_dia end as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       struct_pack(alvara_id, veiculo_id, situacao_titulo := situacao, interrompido_em, interrupcao_ate, interrupcao_justificada,
                   dias_admitidos := dias, falta := nullif(falta, [])) as evidencia
from paradas
where coalesce(ultimo_dia - aviso_dias <= $as_of, true)
  and (interrupcao_ate is null or interrupcao_ate > ultimo_dia or (situacao = 'interrompido' and $as_of > interrupcao_ate))
