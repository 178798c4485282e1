-- Confirmed autos that name the crew member, the last of them after the last suspension: what came before it has had its answer.
with contados as materialized (
    select * from fatos.autos_do_condutor('r')
), fundadas as (
    select distinct did, ordem, chave from contados where vez >= ocorrencias and coalesce(dia > suspenso_em, true)
), casos as (
    select c.norma, c.did, bit_or(1::bigint << c.ordem) as regras, any_value(c.falta) as falta,
           list(struct_pack(dia := c.dia, auto_id := a.auto_id, codigo := c.codigo, vez := c.vez)) as autos
    from contados c
    join fundadas f using (did, ordem, chave)
    join fatos.autos a on a.rowid = c.rid
    group by c.norma, c.did
), textos as (
    select c.norma, c.regras, array_to_string(list_distinct(list(r.dispositivo order by r.ordem)), '; ') as dispositivo
    from (select distinct norma, regras from casos) c
    join r on r.norma = c.norma and (c.regras >> r.ordem) & 1 = 1
    group by all
)
select c.norma,
       case when c.falta is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       x.condutor_id as sujeito_id,
       x.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       t.dispositivo,
       -- an auto may ground two rules
       struct_pack(funcao := x.funcao, matricula_situacao := x.matricula_situacao, suspenso_em := x.suspenso_em,
                   autos := list_sort(case when bit_count(c.regras) = 1 then c.autos else list_distinct(c.autos) end),
                   falta := c.falta) as evidencia
from casos c
join textos t using (norma, regras)
join registro.condutores x on x.rowid = c.did
