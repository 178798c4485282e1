-- Confirmed autos that name the crew member. An act the law leaves no choice about is a violacao; one that rests on the last day
-- of the term after a suspension, or that the law leaves to the authority, is para_decisao. What was fined at one instant is one occasion.
with condutas as (
    select i.kid, i.codigo, r.norma, r.ordem, r.ocorrencias, r.funcoes, r.dias_da_suspensao, coalesce(r.obrigatoria, false) as obrigatoria,
           case when coalesce(r.mesmo_codigo, false) then i.cid else 0 end as chave
    from r
    join fatos.infracoes i on i.norma = r.norma and list_contains(r.codigos, i.codigo)
), pessoas as (
    select condutor_id, norma, permissionario_id, funcao, matricula_situacao, suspenso_em,
           ilegivel(desconhecidos, ['matricula_situacao', 'suspenso_em', 'desligado_em', 'funcao']) as falta
    from registro.condutores
    where ativo and norma in (select norma from r)
), citados as materialized (
    select a.auto_id, a.condutor_id, a.ocorrido_em::date as dia, l.instante, f.norma, f.codigo, f.ordem, f.ocorrencias, f.funcoes, f.chave, f.obrigatoria, f.dias_da_suspensao
    from fatos.autos_leves l
    join condutas f using (kid)
    join fatos.autos a on a.rowid = l.rid
    where l.confirmado and a.condutor_id is not null
), autos as (
    select x.* exclude (norma, funcoes), c.* exclude (condutor_id)
    from citados x
    join pessoas c on c.condutor_id = x.condutor_id and c.norma = x.norma
    where (coalesce(list_contains(x.funcoes, c.funcao), true) or list_contains(c.falta, 'funcao'))
      and (x.dias_da_suspensao is null or c.suspenso_em is not null or list_contains(c.falta, 'suspenso_em'))
), contados as (
    select *, dense_rank() over (partition by condutor_id, ordem, chave order by instante) as vez from autos
), gatilhos as (
    select *,
           -- unknown where the day of the suspension could not be read
           case when dias_da_suspensao is not null then dia > suspenso_em and dia <= suspenso_em + dias_da_suspensao
                else vez >= ocorrencias and (obrigatoria or coalesce(dia > suspenso_em, true)) end as gatilho,
           coalesce(dia = suspenso_em + dias_da_suspensao, false) as na_borda
    from contados
), fundadas as (
    select condutor_id, ordem, chave, bool_or(gatilho and obrigatoria and not na_borda) as certa, bool_and(na_borda) filter (gatilho) as no_limite
    from gatilhos
    where coalesce(gatilho, falta is not null)
    group by all
), casos as (
    select g.norma, g.condutor_id, any_value(g.permissionario_id) as permissionario_id, bit_or(1::bigint << g.ordem) as regras,
           any_value(g.funcao) as funcao, any_value(g.matricula_situacao) as matricula_situacao, any_value(g.suspenso_em) as suspenso_em,
           list_sort(list_distinct(list(struct_pack(dia := g.dia, auto_id := g.auto_id, codigo := g.codigo, vez := g.vez)))) as autos,
           any_value(g.falta) as falta, bool_and(coalesce(f.no_limite, false)) as no_limite, coalesce(bool_or(f.certa), false) as certa
    from gatilhos g
    join fundadas f using (condutor_id, ordem, chave)
    group by g.norma, g.condutor_id
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
       c.condutor_id as sujeito_id,
       c.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       t.dispositivo,
       struct_pack(funcao := c.funcao, matricula_situacao := c.matricula_situacao, suspenso_em := c.suspenso_em, autos := c.autos,
                   no_limite := c.no_limite, falta := c.falta) as evidencia
from casos c
join textos t using (norma, regras)
