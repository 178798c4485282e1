-- Confirmed autos that name the crew member, the last of them after the last suspension: what came before it has had its answer.
-- What was fined at one instant is one occasion.
with condutas as (
    select i.kid, i.cid, i.codigo, r.norma, r.ordem, r.ocorrencias, r.funcoes,
           case when coalesce(r.mesmo_codigo, false) then i.cid else 0 end as chave
    from r
    join fatos.infracoes i on i.norma = r.norma and list_contains(r.codigos, i.codigo)
), pessoas as (
    select condutor_id, norma, permissionario_id, funcao, matricula_situacao, suspenso_em,
           ilegivel(desconhecidos, ['matricula_situacao', 'suspenso_em', 'desligado_em', 'funcao']) as falta
    from registro.condutores
    where ativo and norma in (select norma from r)
), citados as materialized (
    select a.auto_id, a.condutor_id, a.ocorrido_em::date as dia, l.instante, f.norma, f.codigo, f.ordem, f.ocorrencias, f.funcoes, f.chave
    from fatos.autos_leves l
    join condutas f using (kid)
    join fatos.autos a on a.rowid = l.rid
    where l.confirmado and a.condutor_id is not null
), autos as (
    select x.* exclude (norma, funcoes), c.* exclude (condutor_id)
    from citados x
    join pessoas c on c.condutor_id = x.condutor_id and c.norma = x.norma
    where (coalesce(list_contains(x.funcoes, c.funcao), true) or list_contains(c.falta, 'funcao'))
), contados as (
    select *, dense_rank() over (partition by condutor_id, ordem, chave order by instante) as vez from autos
), fundadas as (
    select distinct condutor_id, ordem, chave from contados where vez >= ocorrencias and coalesce(dia > suspenso_em, true)
), casos as (
    select c.norma, c.condutor_id, any_value(c.permissionario_id) as permissionario_id, bit_or(1::bigint << c.ordem) as regras,
           any_value(c.funcao) as funcao, any_value(c.matricula_situacao) as matricula_situacao, any_value(c.suspenso_em) as suspenso_em,
           list_sort(list_distinct(list(struct_pack(dia := c.dia, auto_id := c.auto_id, codigo := c.codigo, vez := c.vez)))) as autos,
           any_value(c.falta) as falta
    from contados c
    join fundadas f using (condutor_id, ordem, chave)
    group by c.norma, c.condutor_id
), textos as (
    select c.norma, c.regras, array_to_string(list_distinct(list(r.dispositivo order by r.ordem)), '; ') as dispositivo
    from (select distinct norma, regras from casos) c
    join r on r.norma = c.norma and (c.regras >> r.ordem) & 1 = 1
    group by all
)
select c.norma,
       case when c.falta is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       c.condutor_id as sujeito_id,
       c.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       t.dispositivo,
       struct_pack(funcao := c.funcao, matricula_situacao := c.matricula_situacao, suspenso_em := c.suspenso_em, autos := c.autos,
                   falta := c.falta) as evidencia
from casos c
join textos t using (norma, regras)
