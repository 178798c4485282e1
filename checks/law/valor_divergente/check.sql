-- What the norm gives for the infraction on the day of the fact, doubled where its recidivism rule is met by confirmed
-- autos alone, against what was issued. Where articles and annex disagree the milder amount is the reading.
with infracoes as (
    select i.norma, i.codigo, i.descricao, i.grupo, i.unidade, i.legivel, coalesce(c.valor_adotado, i.valor) as quantidade,
           c.conduta is not null as em_conflito, c.valor_artigo, c.valor_anexo,
           coalesce(i.vigente_de, '-infinity'::date) as de, coalesce(i.vigente_ate, 'infinity'::date) as ate
    from norma.infracoes i
    join p using (norma)
    left join norma.conflitos c on c.norma = i.norma and c.situacao = 'grupo_diverge' and i.codigo in (c.codigo_artigo, c.codigo_anexo)
), autos as (
    select a.auto_id, a.permissionario_id, a.norma, a.codigo, a.linha_id, a.ocorrido_em, a.ocorrido_em::date as dia,
           epoch_us(a.ocorrido_em) + 25567 * 86400000000 as instante,  -- microseconds since 1900, never negative
           a.estado_auto, a.valor, a.pago, a.incerto, a.desconhecidos
    from fatos.autos a
    join p using (norma)
    where a.estado_auto <> 'cancelado'
), fins as (
    select d.norma, min(d.dia) as desde, max(d.dia) as ultimo,
           case p.reincidencia_unidade when 'dias' then d.dia + p.reincidencia_prazo
                else soma_meses(d.dia, p.reincidencia_prazo, n.mes_sem_dia) end as fim
    from calendario.dias d
    join p using (norma)
    join registro.normas n using (norma)
    where p.reincidencia_prazo is not null
    group by all
), janelas as (
    -- first day that still reaches each day, and the first that reaches it with a day to spare
    select d.norma, d.dia, (f.desde - date '1900-01-01') * 86400000000 as desde,
           (case when f.fim = d.dia then f.ultimo + 1 else f.desde end - date '1900-01-01') * 86400000000 as com_folga
    from calendario.dias d
    asof join fins f on f.norma = d.norma and f.fim >= d.dia
), repetidos as (
    select a.auto_id,
           count(*) filter (a.estado_auto = 'confirmado') over (chave range between largura preceding and 1 preceding) as repeticoes,
           count(*) filter (a.estado_auto = 'confirmado') over (chave range between largura_com_folga preceding and 1 preceding) as com_folga
    from (
        select a.*, case when p.reincidencia_mesma_linha then coalesce(a.linha_id, '') else '' end as chave_linha,
               case when p.reincidencia_prazo is null then a.instante else a.instante - j.desde end as largura,
               case when p.reincidencia_prazo is null then a.instante else greatest(a.instante - j.com_folga, 0) end as largura_com_folga
        from autos a
        join p using (norma)
        left join janelas j on j.norma = a.norma and j.dia = a.dia
        where p.reincidencia_fator is not null
          and (p.reincidencia_prazo is null or j.dia is not null)
          and (not coalesce(p.reincidencia_mesma_linha, false) or a.linha_id is not null)
    ) a
    window chave as (partition by a.permissionario_id, a.codigo, a.chave_linha order by a.instante)
), precedentes as (
    select auto_id, ordem, dispositivo, desde_outorga, alvo,
           max(case when precede and estado_auto = 'confirmado' then ocorrido_em end)
               over (partition by permissionario_id, ordem order by instante range between unbounded preceding and 1 preceding) as precedente_em
    from (
        select a.auto_id, a.permissionario_id, a.instante, a.ocorrido_em, a.estado_auto, r.ordem, r.dispositivo, r.desde_outorga,
               coalesce(list_contains(r.codigos, a.codigo), true) and a.valor > 0 as alvo,
               coalesce(list_contains(r.precedentes, a.codigo), true) as precede
        from autos a
        join r using (norma)
    )
    where alvo or precede
), outorgas as (
    -- the permit of that line (or of no line) in force on the day of the fact
    select a.auto_id, max(x.emitido_em) as inicio
    from precedentes q
    join autos a using (auto_id)
    join registro.alvaras x on x.permissionario_id = a.permissionario_id and x.emitido_em <= a.dia
        and (x.linha_id is null or x.linha_id = a.linha_id)
    where q.alvo and q.desde_outorga
    group by a.auto_id
), advertidos as (
    select q.auto_id, min(q.dispositivo) as dispositivo, any_value(o.inicio) as inicio_outorga
    from precedentes q
    left join outorgas o using (auto_id)
    where q.alvo and (q.precedente_em is null or (q.desde_outorga and q.precedente_em::date < o.inicio))
    group by q.auto_id
), contas as (
    select a.*, i.descricao, i.grupo, i.unidade, i.legivel, i.quantidade, i.em_conflito, i.valor_artigo, i.valor_anexo, v.valor as valor_unidade,
           (i.quantidade * v.valor)::decimal(18, 2) as base,
           (i.quantidade * v.valor * p.reincidencia_fator)::decimal(18, 2) as dobrada,
           p.reincidencia_fator as fator_norma, p.reincidencia_prazo as prazo, p.reincidencia_mesma_linha as mesma_linha,
           coalesce(d.repeticoes >= p.reincidencia_repeticoes, false) as repetida,
           coalesce(d.com_folga >= p.reincidencia_repeticoes, false) as repetida_com_folga,
           s.auto_id is not null as so_adverte, s.dispositivo as dispositivo_adverte, s.inicio_outorga,
           ilegivel(a.desconhecidos, ['valor']) as valor_ilegivel
    from autos a
    join p using (norma)
    join infracoes i on i.norma = a.norma and i.codigo = a.codigo and a.dia >= i.de and a.dia <= i.ate
    left join fatos.referencias v on v.unidade = i.unidade and a.dia >= v.vigente_desde and a.dia < v.vigente_antes_de
    left join repetidos d using (auto_id)
    left join advertidos s using (auto_id)
), calculadas as (
    select *,
           case when so_adverte then 0
                when quantidade is null or base is null then null
                when repetida and prazo is not null and (estado_auto = 'confirmado' or valor = dobrada) then dobrada
                else base end::decimal(18, 2) as calculado,
           prazo is null and repetida and fator_norma is not null as possivel,
           case when so_adverte then 'sem precedente, a norma adverte e não multa'
                when quantidade is null and legivel = 'nao' then 'o valor está ilegível na fonte'
                when quantidade is null then 'a norma não dá valor a este código'
                when base is null then 'falta o valor da unidade no dia do fato'
                when em_conflito then 'os artigos e o anexo divergem: conta pelo menos gravoso'
                when legivel = 'duvidoso' then 'o valor da fonte é duvidoso: confirmar'
                when prazo is null and repetida then 'a norma dobra na reincidência e não diz em que prazo'
                when repetida and not repetida_com_folga then 'a reincidência depende do último dia da janela'
                when repetida then 'reincidência: valor em dobro' end as motivo
    from contas
), faltas as (
    select *,
           nullif(list_concat(
               coalesce(valor_ilegivel, []),
               case when valor > 0 and quantidade is null and legivel = 'nao' and not so_adverte then ['infracoes.valor'] else []::varchar[] end,
               case when quantidade is not null and base is null and not so_adverte then ['valores_referencia.' || unidade] else []::varchar[] end,
               case when valor <> calculado then coalesce(incerto, []) else []::varchar[] end,
               case when valor = dobrada and valor <> calculado and mesma_linha and linha_id is null then ['linha_id'] else []::varchar[] end), []) as falta,
           coalesce(valor <> calculado, false) as diverge,
           -- nobody can say of a paid fine that it is to be collected again
           possivel and estado_auto = 'confirmado' and not pago and valor in (base, dobrada) as a_dobrar,
           quantidade is null and grupo is not null and legivel = 'sim' and coalesce(valor > 0, false) and not so_adverte as sem_valor
    from calculadas
), achadas as (
    select f.*
    from faltas f
    join registro.permissionarios h using (permissionario_id)
    where (f.falta is not null or f.diverge or f.a_dobrar or f.sem_valor) and not h.silencioso
), anteriores as (
    select f.auto_id, list(struct_pack(auto_id := a.auto_id, dia := a.dia) order by a.instante, a.auto_id) as lista
    from achadas f
    join autos a on a.permissionario_id = f.permissionario_id and a.codigo = f.codigo and a.instante < f.instante
        and a.estado_auto = 'confirmado' and (not coalesce(f.mesma_linha, false) or a.linha_id = f.linha_id)
    left join janelas j on j.norma = f.norma and j.dia = f.dia
    where f.repetida and (f.prazo is null or a.instante >= j.desde)
    group by f.auto_id
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when so_adverte or em_conflito or sem_valor or legivel = 'duvidoso' or a_dobrar
                 or (possivel and valor = dobrada)
                 or (repetida and not repetida_com_folga and valor = base) then 'para_decisao'
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
                   possivel_reincidencia := possivel, no_limite := repetida and prazo is not null and not repetida_com_folga,
                   anteriores := lista, inicio_outorga, valor_artigo, valor_anexo, legivel, motivo, falta) as evidencia
from achadas
left join anteriores using (auto_id)
