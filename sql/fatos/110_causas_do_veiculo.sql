-- Vehicles in service with confirmed autos that ground an act, under the rules of the relation named (norma, dispositivo, ordem, codigos,
-- ocorrencias, dentro_de_dias, mesmo_codigo): retencao, recolhimento and apreensao ask the same of theirs. An approved inspection after the
-- autos settles them: the authority has had the vehicle at hand. What was fined at one instant is one occasion.
-- Numbers alone until the few autos that ground something are known.
create or replace macro fatos.causas_do_veiculo(relacao) as table
with condutas as materialized (
    select *, (dense_rank() over (order by norma, ordem, chave))::integer as causa
    from (
        select i.kid, i.codigo, r.norma, r.ordem, r.ocorrencias, r.dentro_de_dias,
               case when coalesce(r.mesmo_codigo, false) then i.cid else 0 end as chave
        from query_table(relacao) r
        join fatos.infracoes i on i.norma = r.norma and list_contains(r.codigos, i.codigo)
    )
), citados as materialized (
    select l.vid, l.rid, l.instante, dia_do_inteiro(l.dia) as dia, f.kid, f.causa, f.ocorrencias, f.dentro_de_dias
    from fatos.autos_leves l
    join condutas f using (kid)
    where l.confirmado and l.vid is not null
), possiveis as (
    -- a vehicle with too few autos of the rule, whenever they were, needs no closer look
    select vid, causa from citados group by vid, causa, ocorrencias having count(*) >= ocorrencias
), situados as (
    select c.*, v.realizada_em as ultima_vistoria_em, coalesce(c.dia > v.realizada_em, true) as depois_da_vistoria
    from citados c
    join possiveis using (vid, causa)
    left join fatos.ultima_aprovada v using (vid)
), repetidos as (
    select *, dense_rank() over (partition by vid, causa, depois_da_vistoria order by instante) as vez,
           dense_rank() over (partition by vid, causa order by instante) as vez_de_sempre
    from situados
    where ocorrencias > 1
), datados as (
    select *, max(dia) over (partition by vid, causa order by vez_de_sempre
                             range between unbounded preceding and (ocorrencias - 1) preceding) as primeiro_dia
    from repetidos
), gatilhos as (
    select vid, causa, bool_and(coalesce(primeiro_dia + dentro_de_dias = dia, false)) as borda
    from datados
    where depois_da_vistoria and case when dentro_de_dias is null then vez >= ocorrencias else primeiro_dia + dentro_de_dias >= dia end
    group by vid, causa
), fundadas as (
    -- one auto is enough
    select vid, kid, causa, dia, rid, 1 as vez, false as na_borda, ultima_vistoria_em
    from situados where ocorrencias = 1 and depois_da_vistoria
    union all
    select d.vid, d.kid, d.causa, d.dia, d.rid, d.vez, g.borda, d.ultima_vistoria_em
    from datados d
    join gatilhos g using (vid, causa)
    where d.depois_da_vistoria or d.dentro_de_dias is not null
), casos as (
    select x.norma, x.veiculo_id, bit_or(1::bigint << c.ordem) as regras,
           list_sort(list(struct_pack(dia := f.dia, auto_id := a.auto_id, codigo := c.codigo, vez := f.vez))) as autos,
           any_value(f.ultima_vistoria_em) as ultima_vistoria_em, bool_and(f.na_borda) as no_limite
    from fundadas f
    join condutas c using (kid, causa)
    join registro.veiculos x on x.rowid = f.vid and x.norma = c.norma and not x.baixado and not x.dono_silencioso
    join fatos.autos a on a.rowid = f.rid
    group by x.norma, x.veiculo_id
), textos as (
    select c.norma, c.regras, array_to_string(list_distinct(list(r.dispositivo order by r.ordem)), '; ') as dispositivo
    from (select distinct norma, regras from casos) c
    join query_table(relacao) r on r.norma = c.norma and (c.regras >> r.ordem) & 1 = 1
    group by all
)
select c.norma, c.veiculo_id, t.dispositivo, c.autos, c.ultima_vistoria_em, c.no_limite
from casos c
join textos t using (norma, regras);
