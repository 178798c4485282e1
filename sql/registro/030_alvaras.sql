-- Permits issued by $as_of and the end of each: the printed date, else the norm's term for that modalidade.
-- `fim` is 'infinity' for an open-ended permit and NULL where the end is unknown (`falta_fim` says what is missing).
-- `morto`: cassado, cancelado or encerrado by $as_of (an empty date counts as already).
-- `aid`: a small number in the order of alvara_id. `por_emissao`, `por_fim`: the rank among permits by day of issue, and by end, then day of
-- issue, ties by alvara_id, as one integer each (days since 1900 take 18 bits, aid 27): the latest of many is a maximum, with no sort.
create or replace table registro.alvaras as
with emitidos as (
    select a.* exclude (situacao, renovacao_requerida_em, interrompido_em, encerrado_em, ordem_operacao_em, operacao_iniciada_em),
           p.norma,
           p.nid,
           p.mes_sem_dia,
           p.silencioso as dono_silencioso,
           case when ilegivel(a.desconhecidos, ['valido_ate']) is not null then null
                when a.valido_ate is not null then a.valido_ate
                when o.unidade = 'indeterminado' then 'infinity'::date
                else fim_de_prazo(a.emitido_em, coalesce(o.quantidade, 0), o.unidade, p.mes_sem_dia)
           end as fim,
           case when ilegivel(a.desconhecidos, ['valido_ate']) is not null then 'valido_ate'
                when a.valido_ate is null and coalesce(o.unidade, 'desconhecido') = 'desconhecido' then 'prazo_permissao'
           end as falta_fim,
           case when a.valido_ate is not null then 'valido_ate' else 'emitido_em + prazo da norma' end as fim_de,
           coalesce(a.situacao, 'vigente') as situacao,
           coalesce(a.situacao in ('cassado', 'cancelado', 'encerrado'), false)
               and coalesce(a.encerrado_em <= $as_of, ilegivel(a.desconhecidos, ['encerrado_em']) is null) as morto,
           ilegivel(a.desconhecidos, case when a.situacao in ('cassado', 'cancelado', 'encerrado') then ['encerrado_em'] else ['situacao'] end) as incerto,
           ate(a.encerrado_em, $as_of) as encerrado_em,
           ate(a.renovacao_requerida_em, $as_of) as renovacao_requerida_em,
           ate(a.interrompido_em, $as_of) as interrompido_em,
           ate(a.ordem_operacao_em, $as_of) as ordem_operacao_em,
           ate(a.operacao_iniciada_em, $as_of) as operacao_iniciada_em
    from extrato.alvaras a
    join registro.permissionarios p using (permissionario_id)
    left join norma.outorgas o on o.norma = p.norma and o.modalidade = a.modalidade
    where a.emitido_em <= $as_of
), numerados as (
    select alvara_id, (row_number() over (order by alvara_id))::integer as aid from extrato.alvaras
)
select e.*, n.aid,
       dia_inteiro(e.emitido_em)::bigint * 134217728 + n.aid as por_emissao,
       (case when e.fim is null then 0 when isfinite(e.fim) then dia_inteiro(e.fim) else 262143 end)::bigint * 35184372088832
           + dia_inteiro(e.emitido_em)::bigint * 134217728 + n.aid as por_fim
from emitidos e
join numerados n using (alvara_id);
