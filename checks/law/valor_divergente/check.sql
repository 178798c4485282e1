-- What the norm gives for the infraction on the day of the fact, doubled where its recidivism rule is met by confirmed
-- autos alone, against what was issued. Where articles and annex disagree the milder amount is the reading.
-- First the few autos that may have something to say, from numbers alone; then the rest of each.
with epoca as (
    select min(dia) as primeiro, max(dia) as ultimo from fatos.autos_leves
), condutas as materialized (
    select i.kid, i.quantidade, i.unidade, (dense_rank() over (order by i.unidade))::integer as uid
    from fatos.infracoes i
    join p using (norma)
), unidades as materialized (
    -- the unit's value on each day on which something may have happened
    select u.uid, v.unidade, d.dia, v.valor
    from (select unnest(range(primeiro, ultimo + 1)) as dia from epoca) d
    join fatos.referencias v on dia_do_inteiro(d.dia) >= v.vigente_desde and dia_do_inteiro(d.dia) < v.vigente_antes_de
    join (select distinct uid, unidade from condutas) u using (unidade)
), estranhos as materialized (
    -- autos with something of their own to say
    select l.rid, l.pid, l.cid, coalesce(l.valor <> (i.quantidade * v.valor)::decimal(18, 2), false) as diverge
    from fatos.autos_leves l
    join condutas i using (kid)
    left join unidades v on v.uid = i.uid and v.dia = l.dia
    where l.em_servico
      and (l.valor <> (i.quantidade * v.valor)::decimal(18, 2) or (i.quantidade is null and l.valor > 0)
           or (i.quantidade is not null and v.valor is null) or l.duvidoso)
), dias as (
    -- a window that begins before the first auto may as well begin with it
    select d.norma, d.dia from calendario.dias d join epoca e on d.dia between dia_do_inteiro(e.primeiro) and dia_do_inteiro(e.ultimo)
), fins as (
    select d.norma, n.nid, min(d.dia) as desde, max(d.dia) as ultimo,
           case p.reincidencia_unidade when 'dias' then d.dia + p.reincidencia_prazo
                else soma_meses(d.dia, p.reincidencia_prazo, n.mes_sem_dia) end as fim
    from dias d
    join p using (norma)
    join registro.normas n using (norma)
    where p.reincidencia_prazo is not null
    group by all
), janelas as (
    -- first day that still reaches each day, and the first that reaches it with a day to spare
    select f.nid, dia_inteiro(d.dia) as dia, instante_do_dia(dia_inteiro(f.desde)) as desde,
           instante_do_dia(dia_inteiro(case when f.fim = d.dia then f.ultimo + 1 else f.desde end)) as com_folga
    from dias d
    asof join fins f on f.norma = d.norma and f.fim >= d.dia
), regras as (
    select n.nid, p.norma, p.reincidencia_repeticoes as repeticoes, p.reincidencia_prazo as prazo, coalesce(p.reincidencia_mesma_linha, false) as mesma_linha
    from p
    join registro.normas n using (norma)
    where p.reincidencia_fator is not null
), varios as materialized (
    -- a holder has to have the same code more times than the rule asks; where the norm gives no window, only what already
    -- diverges has anything to say here
    select l.pid, l.cid
    from fatos.autos_leves l
    join regras g using (nid)
    where l.em_servico and l.kid is not null
      and (g.prazo is not null or (l.pid, l.cid) in (select (pid, cid) from estranhos where diverge))
    group by l.pid, l.cid, g.repeticoes
    having count(*) > g.repeticoes
), repetiveis as materialized (
    select l.rid, l.pid, l.cid, l.nid, l.instante, l.dia, l.confirmado, g.prazo, g.repeticoes, g.mesma_linha
    from fatos.autos_leves l
    join varios using (pid, cid)
    join regras g using (nid)
), linhas as (
    select l.rid, hash(a.linha_id) as linha
    from repetiveis l
    join fatos.autos a on a.rowid = l.rid
    where l.mesma_linha and a.linha_id is not null
), candidatos as (
    select l.rid, l.pid, l.cid, l.instante, l.confirmado, l.prazo, l.repeticoes, coalesce(n.linha, 0) as linha,
           case when l.prazo is null then l.instante else l.instante - j.desde end as largura,
           case when l.prazo is null then l.instante else greatest(l.instante - j.com_folga, 0) end as largura_com_folga
    from repetiveis l
    left join linhas n using (rid)
    left join janelas j on j.nid = l.nid and j.dia = l.dia
    where (l.prazo is null or j.dia is not null) and (not l.mesma_linha or n.rid is not null)
), contados as (
    select rid, prazo, repeticoes, count(*) filter (confirmado) over (chave range between largura preceding and 1 preceding) as vezes,
           count(*) filter (confirmado) over (chave range between largura_com_folga preceding and 1 preceding) as vezes_com_folga
    from candidatos
    window chave as (partition by pid, cid, linha order by instante)
), repetidos as (
    select rid, prazo, vezes_com_folga >= repeticoes as com_folga from contados where vezes >= repeticoes
), papeis as (
    select l.rid, l.pid, l.dia, l.instante, r.ordem, coalesce(list_contains(r.codigos, i.codigo), true) and l.valor > 0 as alvo,
           case when l.confirmado and coalesce(list_contains(r.precedentes, i.codigo), true) then l.instante end as precede
    from fatos.autos_leves l
    join fatos.infracoes i using (kid)
    join r on r.norma = i.norma and (coalesce(list_contains(r.codigos, i.codigo), true) or coalesce(list_contains(r.precedentes, i.codigo), true))
    where l.em_servico
), precedidos as (
    select rid, pid, dia, ordem, alvo,
           dia_do_instante(max(precede) over (partition by pid, ordem order by instante range between unbounded preceding and 1 preceding)) as precedente
    from papeis
), outorgas as (
    -- the permit of that line (or of no line) in force on the day of the fact
    select q.rid, max(x.emitido_em) as inicio
    from precedidos q
    join registro.permissionarios h using (pid)
    join r on r.norma = h.norma and r.ordem = q.ordem and r.desde_outorga
    join registro.alvaras x on x.permissionario_id = h.permissionario_id and x.emitido_em <= dia_do_inteiro(q.dia)
        and x.emitido_em > dia_do_inteiro(coalesce(q.precedente, 0))
    left join fatos.autos a on a.rowid = q.rid and x.linha_id is not null
    where q.alvo and (x.linha_id is null or x.linha_id = a.linha_id)
    group by q.rid
), advertidos as (
    select q.rid, min(q.ordem) as ordem, any_value(o.inicio) as inicio_outorga
    from precedidos q
    left join outorgas o using (rid)
    where q.alvo and (q.precedente is null or o.rid is not null)
    group by q.rid
), escolhidos as (
    select rid from estranhos
    union
    select rid from repetidos where prazo is not null
    union
    select rid from advertidos
), contas as (
    select a.auto_id, a.permissionario_id, a.norma, a.nid, a.codigo, a.linha_id, a.ocorrido_em, a.estado_auto, a.valor, a.incerto,
           l.rid, l.pid, l.cid, l.dia, l.instante, i.descricao, i.grupo, i.unidade, i.legivel, i.quantidade, i.em_conflito,
           case when i.em_conflito then i.valor_artigo end as valor_artigo, case when i.em_conflito then i.valor_anexo end as valor_anexo,
           v.valor as valor_unidade,
           (i.valor_artigo * v.valor)::decimal(18, 2) as do_artigo, (i.valor_anexo * v.valor)::decimal(18, 2) as do_anexo,
           (i.quantidade * v.valor)::decimal(18, 2) as base,
           (i.quantidade * v.valor * p.reincidencia_fator)::decimal(18, 2) as dobrada,
           p.reincidencia_fator as fator_norma, p.reincidencia_prazo as prazo, coalesce(p.reincidencia_mesma_linha, false) as mesma_linha,
           d.rid is not null as repetida,
           coalesce(d.com_folga, false) as com_folga,
           w.pid is not null as varias_vezes,
           s.rid is not null as so_adverte, r.dispositivo as dispositivo_adverte, s.inicio_outorga,
           ilegivel(a.desconhecidos, ['valor']) as valor_ilegivel
    from escolhidos e
    join fatos.autos_leves l using (rid)
    join fatos.autos a on a.rowid = e.rid
    join fatos.infracoes i on i.kid = l.kid
    join p on p.norma = i.norma
    left join unidades v on v.unidade = i.unidade and v.dia = l.dia
    left join repetidos d using (rid)
    left join varios w on w.pid = l.pid and w.cid = l.cid
    left join advertidos s using (rid)
    left join r on r.norma = i.norma and r.ordem = s.ordem
), calculadas as (
    select *,
           case when so_adverte then 0
                when quantidade is null or base is null then null
                when repetida and prazo is not null and (estado_auto = 'confirmado' or valor = dobrada) then dobrada
                else base end::decimal(18, 2) as calculado,
           prazo is null and repetida as possivel,
           case when so_adverte then 'sem precedente, a norma adverte e não multa'
                when quantidade is null and legivel = 'nao' then 'o valor está ilegível na fonte'
                when quantidade is null then 'a norma não dá valor a este código'
                when base is null then 'falta o valor da unidade no dia do fato'
                when em_conflito then 'os artigos e o anexo divergem: conta pelo menos gravoso'
                when legivel = 'duvidoso' then 'o valor da fonte é duvidoso: confirmar'
                when prazo is null and repetida then 'a norma dobra na reincidência e não diz em que prazo'
                when repetida and not com_folga then 'a reincidência depende do último dia da janela'
                when repetida then 'reincidência: valor em dobro' end as motivo
    from contas
), achadas as (
    select *,
           nullif(list_concat(
               coalesce(valor_ilegivel, []),
               case when valor > 0 and quantidade is null and legivel = 'nao' and not so_adverte then ['infracoes.valor'] else []::varchar[] end,
               case when quantidade is not null and base is null and not so_adverte then ['valores_referencia.' || unidade] else []::varchar[] end,
               case when valor <> calculado then coalesce(incerto, []) else []::varchar[] end,
               case when valor = dobrada and valor <> calculado and mesma_linha and linha_id is null and varias_vezes then ['linha_id'] else []::varchar[] end), []) as falta,
           -- a code with a penalty of its own and no amount; the one without any is infracao_sem_enquadramento
           quantidade is null and grupo is not null and legivel = 'sim' and coalesce(valor > 0, false) and not so_adverte as sem_valor
    from calculadas
), ditas as (
    select * from achadas where falta is not null or coalesce(valor <> calculado, false) or sem_valor
), anteriores as (
    select d.rid, list_sort(list(struct_pack(dia := x.ocorrido_em::date, auto_id := x.auto_id))) as lista
    from ditas d
    join fatos.autos_leves l on l.pid = d.pid and l.cid = d.cid and l.instante < d.instante and l.confirmado
    join fatos.autos x on x.rowid = l.rid
    left join janelas j on j.nid = d.nid and j.dia = d.dia
    where d.repetida and (d.prazo is null or l.instante >= j.desde) and (not d.mesma_linha or x.linha_id = d.linha_id)
    group by d.rid
)
select norma,
       case when falta is not null then 'nao_avaliado'
            -- a person decides which reading holds; an amount that none of them gives is wrong under all
            when sem_valor or legivel = 'duvidoso'
                 or (so_adverte and coalesce(valor in (base, dobrada), true))
                 or (em_conflito and coalesce(valor in (do_artigo, do_anexo, do_artigo * fator_norma, do_anexo * fator_norma), true))
                 or (possivel and valor = dobrada)
                 or (repetida and not com_folga and valor = base) then 'para_decisao'
            else 'violacao' end as situacao,
       auto_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       case when falta is null then calculado end as valor,
       dispositivo_adverte as dispositivo,
       case when so_adverte then 'advertencia' end as consequencia,
       struct_pack(codigo, infracao := descricao, grupo, ocorrido_em, linha_id, estado_auto, valor, quantidade, unidade, valor_unidade,
                   valor_norma := base, fator := case when calculado = dobrada and calculado <> base then fator_norma else 1 end,
                   valor_calculado := calculado, diferenca := valor - calculado, reincidencia := repetida and prazo is not null,
                   possivel_reincidencia := possivel, no_limite := repetida and prazo is not null and not com_folga,
                   anteriores := lista, inicio_outorga, valor_artigo, valor_anexo, legivel, motivo, falta) as evidencia
from ditas
left join anteriores using (rid)
