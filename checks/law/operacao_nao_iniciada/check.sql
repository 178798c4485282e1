-- Permits in force with an operation order and no start: so many days from the order's receipt, rolled.
with ordens as (
    select a.*, p.prazo_dias, p.aviso_dias, d.proximo_util as ultimo_dia, r.dispositivo, r.consequencia,
           list_concat(coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end,
                       coalesce(ilegivel(a.desconhecidos, ['ordem_operacao_em', 'operacao_iniciada_em']), [])) as falta
    from registro.alvaras_ativos a
    join p using (norma)
    left join r on r.norma = a.norma and r.modalidade = a.modalidade
    left join calendario.dias d on d.norma = a.norma and d.dia = a.ordem_operacao_em + p.prazo_dias
    where a.operacao_iniciada_em is null
      and (a.ordem_operacao_em is not null or ilegivel(a.desconhecidos, ['ordem_operacao_em']) is not null)
)
select norma,
       case when falta <> [] then 'nao_avaliado' when $as_of > ultimo_dia then 'violacao' else 'a_vencer' end as situacao,
       alvara_id as sujeito_id,
       permissionario_id,
       case when falta = [] then ultimo_dia end as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       consequencia,
       struct_pack(alvara_id, linha_id, modalidade, ordem_operacao_em, prazo_dias, prazo_sem_prorrogar := ordem_operacao_em + prazo_dias,
                   operacao_iniciada_em, falta := nullif(falta, [])) as evidencia
from ordens
where coalesce(ultimo_dia - aviso_dias <= $as_of, true)
