-- One row per reason to doubt a finding, the first of them kept, each with how many there are. What a person's column held is not.
delete from ressalvas_historico where execucao_id = $execucao_id;
insert into ressalvas_historico by name
with todas as (
    select l.achado_id, 'linha_rejeitada' as tipo, c.extrato, c.arquivo, c.linha, r.coluna,
           case when not coalesce(list_contains($pessoais, r.coluna), false) then left(r.valor, 120) end as valor, r.motivo,
           null as dispensa_id, null as processo, null as outra_verificacao, null::date as valida_ate,
           'a linha ' || c.linha || ' de ' || c.arquivo || ' foi rejeitada' as frase
    from ressalvas_linhas l
    join ressalvas_citados c using (n)
    left join extrato.rejeitos r on r.extrato = c.extrato and r.arquivo = c.arquivo and r.linha = c.linha and r.nivel = 'rejeitado'
    union all
    select achado_id, 'dispensa', null, null, null, null, null, motivo, dispensa_id, processo, verificacao, valida_ate,
           'a dispensa ' || dispensa_id || coalesce(' (processo ' || processo || ')', '') || ' pode valer também aqui'
    from ressalvas_dispensas
), contadas as (
    select *, row_number() over (partition by achado_id order by tipo, extrato, arquivo, linha, coluna, motivo, dispensa_id) as ordem,
           count(distinct frase) over (partition by achado_id) as total
    from todas
)
select $execucao_id as execucao_id, $as_of::date as as_of, * from contadas where ordem <= $mostradas;
