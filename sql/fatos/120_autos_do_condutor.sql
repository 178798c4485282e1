-- Confirmed autos of active crew under the rules of the relation named (norma, ordem, codigos, ocorrencias, mesmo_codigo, funcoes), each with
-- its turn (`vez`) among those of its rule; `did`: the row of registro.condutores: suspensao_matricula and cassacao_matricula ask the same of theirs. What was fined at one instant
-- is one occasion. A function that could not be read may be one of the rule's.
create or replace macro fatos.autos_do_condutor(relacao) as table
with condutas as materialized (
    select i.kid, i.codigo, r.norma, r.ordem, r.ocorrencias, r.funcoes,
           case when coalesce(r.mesmo_codigo, false) then i.cid else 0 end as chave
    from query_table(relacao) r
    join fatos.infracoes i on i.norma = r.norma and list_contains(r.codigos, i.codigo)
), citados as materialized (
    select l.did, l.rid, l.instante, dia_do_inteiro(l.dia) as dia, f.*
    from fatos.autos_leves l
    join condutas f using (kid)
    where l.confirmado and l.did is not null
), pessoas as (
    select rowid::integer as did, norma, funcao, suspenso_em,
           ilegivel(desconhecidos, ['matricula_situacao', 'suspenso_em', 'desligado_em', 'funcao']) as falta
    from registro.condutores
    where ativo
)
select x.norma, x.did, c.suspenso_em, c.falta, x.rid, x.dia, x.codigo, x.ordem, x.ocorrencias, x.chave,
       dense_rank() over (partition by x.did, x.ordem, x.chave order by x.instante) as vez
from citados x
join pessoas c on c.did = x.did and c.norma = x.norma
where coalesce(list_contains(x.funcoes, c.funcao), true) or list_contains(c.falta, 'funcao');
