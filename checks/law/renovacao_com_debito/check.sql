-- Holders whose permit (the one that counts in its chain) ends within the window, or who asked for renewal, and who
-- have fines or fees overdue on the day. A person decides: the law threatens, the amount is for the defence to discuss. A debt of which
-- something could not be read proves nothing: it is listed apart and left out of the sum.
with cadeias as (
    select arg_max(a.aid, a.por_fim) as ultimo_a_findar,
           bool_or(a.falta_fim is not null) as fim_incerto,
           any_value(p.janela_dias) as janela_dias
    from registro.alvaras a
    join p using (norma)
    group by a.norma, a.permissionario_id,
        case when list_contains(p.cadeia, 'veiculo_id') then a.veiculo_id end,
        case when list_contains(p.cadeia, 'linha_id') then a.linha_id end,
        case when list_contains(p.cadeia, 'modalidade') then a.modalidade end
), a_renovar as (
    select a.norma, a.permissionario_id, a.alvara_id, a.modalidade, a.linha_id, a.emitido_em, nullif(a.fim, 'infinity'::date) as fim,
           a.renovacao_requerida_em,
           list_concat(coalesce(a.incerto, []), coalesce(ilegivel(a.desconhecidos, ['renovacao_requerida_em']), []),
                       case when c.fim_incerto then ['valido_ate'] else []::varchar[] end) as falta
    from cadeias c
    join registro.alvaras a on a.aid = c.ultimo_a_findar
    where not a.morto and not a.dono_silencioso
      and (a.fim between $as_of and $as_of + c.janela_dias or a.renovacao_requerida_em is not null
           or c.fim_incerto or ilegivel(a.desconhecidos, ['renovacao_requerida_em']) is not null)
), autos as (
    select a.permissionario_id, a.auto_id, a.devido_em,
           list_concat(coalesce(a.incerto, []), coalesce(ilegivel(a.desconhecidos,
               ['pago_em'] || case when a.pago then ['valor_pago'] else [] end
               || case when a.decisao in ('procedente', 'parcial') then ['valor_decidido'] else [] end
               || case when coalesce(a.decisao in ('procedente', 'parcial'), false) and a.valor_decidido is not null then [] else ['valor'] end), [])) as falta,
           coalesce(case when a.decisao in ('procedente', 'parcial') then a.valor_decidido end, a.valor, n.valor_norma) - coalesce(a.valor_pago, 0) as valor_devido
    from fatos.autos a
    semi join a_renovar t on t.permissionario_id = a.permissionario_id
    left join fatos.valor_da_norma n on n.norma = a.norma and n.codigo = a.codigo
        and a.ocorrido_em::date >= n.desde and a.ocorrido_em::date < n.antes_de and a.valor is null
    where not a.quitado and a.estado_auto <> 'cancelado' and (a.incerto is not null or (not a.pendente and a.devido_em < $as_of))
      and not (a.pago and a.valor_pago is null and ilegivel(a.desconhecidos, ['valor_pago']) is null)
), multas as (
    select permissionario_id, bool_or(falta = []) as certa, flatten(list(falta)) as falta,
           list(struct_pack(auto_id, devido_em, valor_devido) order by devido_em, auto_id) filter (falta = []) as em_aberto,
           list(struct_pack(auto_id, devido_em, falta) order by devido_em, auto_id) filter (falta <> []) as incertas,
           sum(valor_devido) filter (falta = []) as soma,
           coalesce(bool_or(falta = [] and valor_devido is null), false) as sem_valor
    from autos
    where coalesce(valor_devido > 0, true) or list_has_any(falta, ['pago_em', 'valor_decidido', 'valor'])
    group by permissionario_id
), taxas as (
    select t.permissionario_id, bool_or(t.falta is null) as certa, coalesce(flatten(list(t.falta) filter (t.falta is not null)), []) as falta,
           list(struct_pack(tipo := t.tipo, exercicio := t.exercicio, veiculo_id := t.veiculo_id, vence_em := t.vence_em, devido_em := t.devido_em, valor := t.valor, valor_pago := t.valor_pago)
                order by t.devido_em, t.tipo, t.exercicio) filter (t.falta is null) as em_aberto,
           list(struct_pack(tipo := t.tipo, exercicio := t.exercicio, veiculo_id := t.veiculo_id, vence_em := t.vence_em, valor := t.valor, falta := t.falta)
                order by t.exercicio, t.tipo, t.veiculo_id) filter (t.falta is not null) as incertas,
           sum(t.valor_devido) filter (t.falta is null) as soma,
           coalesce(bool_or(t.falta is null and t.valor_devido is null), false) as sem_valor
    from fatos.taxas t
    semi join a_renovar h on h.permissionario_id = t.permissionario_id
    left join r on r.norma = t.norma and list_contains(r.tipos, t.tipo)
    where t.aberta and not coalesce(t.vence_em < r.exigivel_desde, false) and (t.ilegiveis is not null or t.devido_em < $as_of)
    group by t.permissionario_id
), titulares as (
    select norma, permissionario_id, bool_or(falta = []) as certo,
           list(struct_pack(alvara_id, modalidade, linha_id, emitido_em, fim, renovacao_requerida_em) order by fim, alvara_id) as titulos,
           flatten(list(falta)) as falta
    from a_renovar
    where permissionario_id in (select permissionario_id from multas union all select permissionario_id from taxas)
    group by norma, permissionario_id
), juntos as (
    select t.norma, t.permissionario_id, t.titulos, m.em_aberto as multas_em_aberto, x.em_aberto as taxas_em_aberto,
           m.incertas as multas_incertas, x.incertas as taxas_incertas,
           t.certo and (coalesce(m.certa, false) or coalesce(x.certa, false)) as certo,
           case when not (coalesce(m.sem_valor, false) or coalesce(x.sem_valor, false)) then coalesce(m.soma, 0) + coalesce(x.soma, 0) end as soma,
           list_sort(list_distinct(list_concat(t.falta, coalesce(m.falta, []), coalesce(x.falta, [])))) as falta
    from titulares t
    left join multas m using (permissionario_id)
    left join taxas x using (permissionario_id)
)
select norma,
       case when certo then 'para_decisao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       (case when certo then soma end)::decimal(18, 2) as valor,
       struct_pack(titulos, multas_em_aberto, taxas_em_aberto, multas_incertas, taxas_incertas, falta := case when not certo then falta end) as evidencia
from juntos
