-- Confirmed autos that name the crew member. An act the law leaves no choice about is a violacao; one that rests on the last day
-- of the term after a suspension, or that the law leaves to the authority, is para_decisao.
with gatilhos as materialized (
    select c.*, coalesce(r.obrigatoria, false) as obrigatoria,
           -- unknown where the day of the suspension could not be read
           case when r.dias_da_suspensao is not null then c.dia > c.suspenso_em and c.dia <= c.suspenso_em + r.dias_da_suspensao
                else c.vez >= c.ocorrencias and (coalesce(r.obrigatoria, false) or coalesce(c.dia > c.suspenso_em, true)) end as gatilho,
           coalesce(c.dia = c.suspenso_em + r.dias_da_suspensao, false) as na_borda
    from fatos.autos_do_condutor('r') c
    join r on r.norma = c.norma and r.ordem = c.ordem
    where r.dias_da_suspensao is null or c.suspenso_em is not null or list_contains(c.falta, 'suspenso_em')
), fundadas as (
    select did, ordem, chave, bool_or(gatilho and obrigatoria and not na_borda) as certa, bool_and(na_borda) filter (gatilho) as no_limite
    from gatilhos
    where coalesce(gatilho, falta is not null)
    group by all
), casos as (
    select g.norma, g.did, bit_or(1::bigint << g.ordem) as regras, any_value(g.falta) as falta,
           list(struct_pack(dia := g.dia, auto_id := a.auto_id, codigo := g.codigo, vez := g.vez)) as autos,
           bool_and(coalesce(f.no_limite, false)) as no_limite, coalesce(bool_or(f.certa), false) as certa
    from gatilhos g
    join fundadas f using (did, ordem, chave)
    join fatos.autos a on a.rowid = g.rid
    group by g.norma, g.did
), textos as (
    select c.norma, c.regras, array_to_string(list_distinct(list(r.dispositivo order by r.ordem)), '; ') as dispositivo
    from (select distinct norma, regras from casos) c
    join r on r.norma = c.norma and (c.regras >> r.ordem) & 1 = 1
    group by all
)
select c.norma,
       case when c.falta is not null then 'nao_avaliado'
            when c.certa then 'violacao'
            else 'para_decisao' end as situacao,
       x.condutor_id as sujeito_id,
       x.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       t.dispositivo,
       -- an auto may ground two rules
       struct_pack(funcao := x.funcao, matricula_situacao := x.matricula_situacao, suspenso_em := x.suspenso_em,
                   autos := list_sort(case when bit_count(c.regras) = 1 then c.autos else list_distinct(c.autos) end),
                   no_limite := c.no_limite, falta := c.falta) as evidencia
from casos c
join textos t using (norma, regras)
join registro.condutores x on x.rowid = c.did
