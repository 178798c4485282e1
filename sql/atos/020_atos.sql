-- Each open finding that calls for an act, with who decides it and where its process stands. A penalty is never ready before
-- the right of defence has run; a measure is ordered on the spot. The latest process counts unless it was shelved, or
-- decided against the operator, before this finding's day: then the new ground needs a new one.
-- A fine comes about by an auto: it is collected where it is final and overdue, and where there is no auto yet that is what is
-- asked for. A doubt about an auto already drawn up is for the body to look at, and falls once the auto is paid.
create or replace table resultado.atos as
with abertos as (
    select * from achados_historico
    where execucao_id = $execucao_id and situacao in ('violacao', 'a_vencer', 'para_decisao')
), pagos as materialized (
    -- few are asked about, of many autos
    select f.auto_id
    from fatos.autos f
    semi join (select sujeito_id from abertos join resultado.passos using (verificacao) where em_aberto and sujeito_tipo = 'auto') q
        on q.sujeito_id = f.auto_id
    where f.pago and ilegivel(f.desconhecidos, ['pago_em', 'valor_pago']) is null
      and (f.valor_pago is null or (ilegivel(f.desconhecidos, ['valor_decidido']) is null and coalesce(f.valor_pago >= coalesce(f.valor_decidido, f.valor), false)))
), candidatos as (
    select a.*, t.natureza, t.rotulo, t.gravidade, t.por_auto, coalesce(s.passo, '') as passo,
           coalesce(s.passo in ('conferir_auto', 'exigivel') and t.natureza <> 'medida', false)
             and not coalesce(s.passo = 'exigivel' and (a.situacao = 'violacao' or not t.por_auto), false) as conferir,
           x.processo_id, x.etapa as etapa_processo, x.prazo_ate, x.decisao, x.decisao_em, x.instaurado_em, x.ciencia_em, x.defesa_em,
           x.processo_id is not null
             and not coalesce(x.etapa = 'final' and (x.decisao = 'arquivada' or x.decisao_recurso = 'provido'), false) as vale
    from abertos a
    join resultado.tipos_de_ato t on t.ato = a.consequencia
    left join resultado.passos s on s.verificacao = a.verificacao
    left join resultado.processos x on x.permissionario_id = a.permissionario_id and x.ato = t.processo
    where not coalesce(s.em_aberto and a.sujeito_tipo = 'auto' and a.sujeito_id in (select auto_id from pagos), false)
), etapas as (
    select *,
           case when situacao = 'a_vencer' then 'previsto'
                when conferir then 'conferir_auto'
                when natureza = 'medida' then 'medida_imediata'
                when natureza = 'aviso' and situacao = 'para_decisao' then 'a_decidir'
                when natureza = 'aviso' and passo = 'dever_do_orgao' then 'dever_do_orgao'
                when natureza = 'aviso' then 'regularizar'
                when por_auto and passo = 'exigivel' then 'exigivel'
                when por_auto then 'lavrar_auto'
                when vale then etapa_processo
                else 'a_instaurar' end as etapa
    from candidatos
)
select execucao_id, as_of, achado_id, norma, verificacao, dispositivo, situacao, sujeito_tipo, sujeito_id, permissionario_id,
       consequencia as ato, case when etapa = 'conferir_auto' then 'Conferência do auto' else rotulo end as rotulo,
       case when etapa = 'conferir_auto' then 'aviso' else natureza end as natureza, gravidade, competente, aberta_em, devido_em, etapa,
       case when vale and etapa not in ('previsto', 'conferir_auto') and natureza = 'penalidade' then prazo_ate end as prazo_ate,
       -- the day from which the authority may decide, order or collect
       etapa in ('medida_imediata', 'pronto_para_decidir', 'exigivel') as pronto,
       case when etapa <> 'conferir_auto' then processo_id end as processo_id,
       case when not vale and etapa <> 'conferir_auto' then decisao_em end as processo_arquivado_em
from etapas;

delete from atos_historico where execucao_id = $execucao_id;
insert into atos_historico by name select * from resultado.atos;
delete from processos_historico where execucao_id = $execucao_id;
insert into processos_historico by name select $execucao_id as execucao_id, $as_of::date as as_of, * from resultado.processos;
