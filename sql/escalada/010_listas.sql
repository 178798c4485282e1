-- What waits for an authority on a night: measures and penalties that the findings call for, whatever the law leaves to a
-- decision, and what the body itself owes ($do_orgao: checks). What is only to come waits for nobody.
create or replace temp table escalada_listas as
select h.* replace (coalesce(nullif(trim(h.competente), ''), 'não indicada na lei') as competente)
from atos_historico h
where h.execucao_id in ($execucao_id, $anterior_id)
  and h.situacao in ('violacao', 'para_decisao') and (h.natureza <> 'aviso' or h.situacao = 'para_decisao' or h.etapa = 'conferir_auto' or list_contains($do_orgao, h.verificacao));

-- Tonight's, with the words they need. `bloqueado`: the check reads a stale extract, or the stage of the process does; what was
-- listed the night before and can't be judged at all tonight, because nothing took the place of a refused extract, is blocked too.
create or replace temp table escalada_hoje as
with blocos as (
    select l.*, c.extratos as bloqueado
    from escalada_listas l
    left join escalada_cegas c on c.norma = l.norma and c.verificacao = l.verificacao and c.natureza = l.natureza
)
select b.* exclude (execucao_id, as_of), a.valor, a.evidencia, a.reaberta, null as codigo, null::date as fato_em, null as fundamento,
       b.natureza <> 'aviso' as e_ato,
       o.achado_id is null as novo
from blocos b
join achados_historico a on a.execucao_id = b.execucao_id and a.achado_id = b.achado_id
left join escalada_listas o on o.execucao_id = $anterior_id and o.achado_id = b.achado_id and o.norma = b.norma and o.competente = b.competente
where b.execucao_id = $execucao_id
   or (b.bloqueado is not null and not exists (
           select 1 from escalada_listas h
           where h.execucao_id = $execucao_id and h.achado_id = b.achado_id and h.norma = b.norma and h.competente = b.competente));

-- What left each list since the night before, and why. A finding that was closed has its cause in the ledger; one that is
-- still open is told by what became of it. What cannot be judged on stale data has not left.
create or replace temp table escalada_saidas as
with fechados as (
    select achado_id, arg_max(causa, as_of) as causa
    from encerrados_historico
    where as_of > $anterior_as_of and as_of <= $as_of and execucao_id in (select execucao_id from execucao_vigente union select $execucao_id)
    group by achado_id
)
select o.norma, o.competente, o.achado_id, o.verificacao, o.situacao, o.ato, o.rotulo, o.dispositivo, o.sujeito_tipo, o.sujeito_id, o.permissionario_id,
       o.aberta_em, f.causa, n.situacao as situacao_hoje, n.competente as competente_hoje, p.nome,
       null as codigo, null::date as fato_em, null as fundamento
from escalada_listas o
left join escalada_listas h on h.execucao_id = $execucao_id and h.achado_id = o.achado_id and h.norma = o.norma and h.competente = o.competente
left join fechados f on f.achado_id = o.achado_id
left join achados_historico n on n.execucao_id = $execucao_id and n.achado_id = o.achado_id
left join escalada_cegas c on c.norma = o.norma and c.verificacao = o.verificacao and c.natureza = o.natureza
left join extrato.permissionarios p on p.permissionario_id = o.permissionario_id
where o.execucao_id = $anterior_id and h.achado_id is null and c.extratos is null;

-- Earlier processes against each holder, oldest first, whatever their act.
create or replace temp table escalada_anteriores as
select permissionario_id,
       list(struct_pack(processo_id, ato, fundamento, instaurado_em, decisao, decisao_em, decisao_recurso, decisao_recurso_em)
            order by instaurado_em, processo_id) as processos
from registro.processos
group by permissionario_id;
