-- Each open finding that calls for an act, with who decides it and where its process stands. A penalty is never ready before
-- the right of defence has run; a measure is ordered on the spot. The latest process counts unless it was shelved, or
-- decided against the operator, before this finding's day: then the new ground needs a new one.
create or replace table resultado.atos as
with candidatos as (
    select a.*, t.natureza, t.rotulo, t.gravidade, x.processo_id, x.etapa as etapa_processo, x.prazo_ate, x.decisao, x.decisao_em,
           x.instaurado_em, x.ciencia_em, x.defesa_em,
           x.processo_id is not null
             and not coalesce(x.etapa = 'final' and (x.decisao = 'arquivada' or x.decisao_recurso = 'provido'), false) as vale
    from (
        select * from achados_historico
        where execucao_id = $execucao_id and situacao in ('violacao', 'a_vencer', 'para_decisao')
    ) a
    join resultado.tipos_de_ato t on t.ato = a.consequencia
    left join resultado.processos x on x.permissionario_id = a.permissionario_id and x.ato = t.processo
)
select execucao_id, as_of, achado_id, norma, verificacao, dispositivo, situacao, sujeito_tipo, sujeito_id, permissionario_id,
       consequencia as ato, rotulo, natureza, gravidade, competente, aberta_em, devido_em,
       case when situacao = 'a_vencer' then 'previsto'
            when natureza = 'medida' then 'medida_imediata'
            when natureza = 'aviso' then 'regularizar'
            when consequencia = 'multa' then 'exigivel'
            when vale then etapa_processo
            else 'a_instaurar' end as etapa,
       case when vale and situacao <> 'a_vencer' and natureza = 'penalidade' then prazo_ate end as prazo_ate,
       -- the day from which the authority may decide
       situacao <> 'a_vencer' and (natureza = 'medida' or (natureza = 'penalidade' and vale and etapa_processo = 'pronto_para_decidir')) as pronto,
       processo_id,
       case when not vale then decisao_em end as processo_arquivado_em
from candidatos;

delete from atos_historico where execucao_id = $execucao_id;
insert into atos_historico by name select * from resultado.atos;
delete from processos_historico where execucao_id = $execucao_id;
insert into processos_historico by name select $execucao_id as execucao_id, $as_of::date as as_of, * from resultado.processos;
