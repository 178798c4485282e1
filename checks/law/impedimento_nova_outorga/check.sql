-- Permits in force issued after the day c on which the same document lost one as a penalty, and by c + the term
-- (inclusive). c: cassado_em of the holder, end of the dead permit, or the final decision of the process.
with perdas as (
    select a.permissionario_id, bool_or(list_contains(p.modalidades, a.modalidade)) as da_modalidade
    from registro.alvaras a
    join p using (norma)
    group by a.permissionario_id
), penalidades as (
    select d.norma, d.documento, d.permissionario_id, 'permissionario' as fonte, d.permissionario_id as registro, d.cassado_em as dia,
           true as certa, '-infinity'::date as nao_antes,
           coalesce(d.incerto, case when d.cassado_em is null then ['cassado_em'] end) as falta
    from registro.permissionarios d
    join p using (norma)
    left join perdas x using (permissionario_id)
    where (d.situacao = 'cassado' or d.incerto is not null) and coalesce(x.da_modalidade, true)
    union all
    select a.norma, d.documento, a.permissionario_id, 'alvara', a.alvara_id, a.encerrado_em,
           list_contains(p.situacoes, a.situacao), a.emitido_em,
           coalesce(a.incerto, case when a.encerrado_em is null then ['encerrado_em'] end)
    from registro.alvaras a
    join p using (norma)
    join registro.permissionarios d using (permissionario_id)
    where a.morto and list_contains(p.modalidades, a.modalidade)
      -- neither a penalty nor a day: nothing to decide on
      and (list_contains(p.situacoes, a.situacao)
           or (list_contains(p.a_apurar, a.situacao) and (a.encerrado_em is not null or a.incerto is not null)))
    union all
    select x.norma, d.documento, x.permissionario_id, 'processo', x.processo_id, coalesce(x.decisao_recurso_em, x.decisao_em),
           true, '-infinity'::date,
           coalesce(ilegivel(x.desconhecidos, ['decisao', 'decisao_em', 'decisao_recurso', 'decisao_recurso_em']),
                    case when x.decisao_em is null then ['decisao_em'] end)
    from registro.processos x
    join p using (norma)
    join registro.permissionarios d using (permissionario_id)
    left join perdas l using (permissionario_id)
    where list_contains(p.atos, x.ato) and x.decisao = 'aplicada' and coalesce(l.da_modalidade, true)
      and coalesce(x.decisao_recurso <> 'provido', x.recurso_em is null)
), achadas as (
    select a.norma, a.alvara_id, a.permissionario_id, a.modalidade, a.emitido_em, p.quantidade, p.unidade,
           n.fonte, n.registro, n.dia, n.certa,
           fim_de_prazo(n.dia, p.quantidade, p.unidade, a.mes_sem_dia) as impedido_ate,
           list_concat(coalesce(n.falta, []), coalesce(a.incerto, []), case when a.falta_fim is not null then [a.falta_fim] else []::varchar[] end) as falta
    from penalidades n
    join registro.permissionarios d on d.norma = n.norma and d.documento = n.documento
    join registro.alvaras_ativos a on a.permissionario_id = d.permissionario_id
    join p on p.norma = a.norma
    where a.alvara_id <> n.registro and a.permissionario_id || ' ' || n.fonte <> n.registro || ' permissionario'
      and a.emitido_em > coalesce(n.dia, n.nao_antes)
), no_prazo as (
    select * from achadas where coalesce(emitido_em <= impedido_ate, true)
)
select norma,
       case when bool_or(falta = [] and certa) then 'violacao' when bool_or(falta = []) then 'para_decisao' else 'nao_avaliado' end as situacao,
       alvara_id as sujeito_id,
       any_value(permissionario_id) as permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(alvara_id := alvara_id, modalidade := any_value(modalidade), emitido_em := any_value(emitido_em),
                   prazo := any_value(quantidade), prazo_unidade := any_value(unidade), impedido_ate := max(impedido_ate),
                   penalidades := list(struct_pack(dia, fonte, registro, impedido_ate) order by dia, registro),
                   falta := case when not bool_or(falta = []) then list_sort(list_distinct(flatten(list(falta)))) end) as evidencia
from no_prazo
group by norma, alvara_id
