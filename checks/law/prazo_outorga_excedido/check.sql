-- The longest lawful end of each permit in force (from its issue) and of each provisional line (from its start):
-- where the printed end passes it, or the line goes on, acting by that day would have been in time.
with termos as (
    select o.norma, o.modalidade, coalesce(r.quantidade, o.quantidade) as quantidade, coalesce(r.unidade, o.unidade) as unidade,
           coalesce(r.dispositivo, o.dispositivo) as dispositivo
    from norma.outorgas o
    join p using (norma)
    left join r on r.norma = o.norma and r.modalidade = o.modalidade
), titulos as (
    select a.*, t.quantidade, t.unidade, t.dispositivo, p.aviso_dias,
           fim_de_prazo(a.emitido_em, coalesce(t.quantidade, 0), t.unidade, a.mes_sem_dia) as fim_licito,
           list_concat(coalesce(a.incerto, []), coalesce(ilegivel(a.desconhecidos, ['valido_ate']), [])) as falta
    from registro.alvaras_ativos a
    join p using (norma)
    join termos t on t.norma = a.norma and t.modalidade = a.modalidade
    left join registro.veiculos v on v.veiculo_id = a.veiculo_id
    where (a.valido_ate is not null or ilegivel(a.desconhecidos, ['valido_ate']) is not null)
      and t.unidade not in ('indeterminado', 'desconhecido')  -- a term that cannot be read: the printed end is all there is
      and not coalesce(v.baixado, false)
), linhas as (
    select l.*, r.quantidade, r.unidade, r.dispositivo, r.consequencia, r.competente, p.aviso_dias,
           fim_de_prazo(l.iniciada_em, r.quantidade, r.unidade, l.mes_sem_dia) as fim_licito,
           list_concat(coalesce(ilegivel(l.desconhecidos, ['categoria']), []),
                       case when l.iniciada_em is null then ['iniciada_em'] else []::varchar[] end) as falta
    from registro.linhas l
    join p using (norma)
    join r on r.norma = l.norma
        and (r.categoria = l.categoria or (r.categoria is not null and ilegivel(l.desconhecidos, ['categoria']) is not null))
), colunas_que_faltam as (
    select r.norma, list(distinct w.coluna order by w.coluna) as falta
    from r
    cross join (select unnest(['linhas.categoria', 'linhas.iniciada_em']) as coluna) w
    where r.categoria is not null
      and not exists (select 1 from registro.colunas c where c.extrato || '.' || c.coluna = w.coluna)
    group by r.norma
), todos as (
    select norma, 'alvara' as sujeito_tipo, alvara_id as sujeito_id, permissionario_id, dispositivo,
           alvara_id, veiculo_id, linha_id, modalidade, emitido_em, valido_ate, quantidade, unidade, fim_licito, falta
    from titulos
    where fim_licito - aviso_dias <= $as_of and coalesce(valido_ate > fim_licito, true)
    union all by name
    select norma, 'linha' as sujeito_tipo, linha_id as sujeito_id, dispositivo, consequencia, competente,
           linha_id, categoria, iniciada_em, quantidade, unidade, fim_licito, falta
    from linhas
    where coalesce(fim_licito - aviso_dias <= $as_of, true)
    union all by name
    select norma, 'norma' as sujeito_tipo, norma as sujeito_id, falta from colunas_que_faltam
)
select norma,
       case when falta <> [] then 'nao_avaliado' when $as_of > fim_licito then 'violacao' else 'a_vencer' end as situacao,
       sujeito_tipo, sujeito_id, permissionario_id,
       case when falta = [] then fim_licito end as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo, consequencia, competente,
       struct_pack(alvara_id, veiculo_id, linha_id, modalidade, emitido_em, valido_ate, categoria, iniciada_em,
                   prazo := quantidade, prazo_unidade := unidade, fim_licito, falta := nullif(falta, [])) as evidencia
from todos
