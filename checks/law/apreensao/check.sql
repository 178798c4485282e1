-- Confirmed autos of the vehicle that ground the act. An approved inspection after them settles it: the authority has had the
-- vehicle at hand. What was fined at one instant is one occasion.
-- And reserve vehicles seen running on days off, where the norm asks leave for it: the leave is in no extract.
with condutas as (
    select i.kid, i.codigo, r.norma, r.ordem, r.ocorrencias, r.dentro_de_dias,
           case when coalesce(r.mesmo_codigo, false) then i.cid else 0 end as chave
    from r
    join fatos.infracoes i on i.norma = r.norma and list_contains(r.codigos, i.codigo)
), vistoriados as (
    select veiculo_id, max(realizada_em) as ultima_vistoria_em
    from registro.vistorias
    where resultado = 'aprovada' and norma in (select norma from r)
    group by veiculo_id
), citados as (
    select f.norma, a.auto_id, a.veiculo_id, f.codigo, l.instante, a.ocorrido_em::date as dia, f.ordem, f.ocorrencias, f.dentro_de_dias, f.chave,
           v.ultima_vistoria_em, coalesce(a.ocorrido_em::date > v.ultima_vistoria_em, true) as depois_da_vistoria
    from fatos.autos_leves l
    join condutas f using (kid)
    join fatos.autos a on a.rowid = l.rid
    left join vistoriados v using (veiculo_id)
    where l.confirmado and a.veiculo_id is not null
), simples as (
    -- one auto is enough
    select *, 1 as vez, false as na_borda from citados where ocorrencias = 1 and depois_da_vistoria
), repetidos as (
    select *, dense_rank() over (partition by veiculo_id, ordem, chave, depois_da_vistoria order by instante) as vez,
           dense_rank() over (partition by veiculo_id, ordem, chave order by instante) as vez_de_sempre
    from citados
    where ocorrencias > 1
), datados as (
    select *, max(dia) over (partition by veiculo_id, ordem, chave order by vez_de_sempre
                             range between unbounded preceding and (ocorrencias - 1) preceding) as primeiro_dia
    from repetidos
), gatilhos as (
    select veiculo_id, ordem, chave, bool_and(coalesce(primeiro_dia + dentro_de_dias = dia, false)) as borda
    from datados
    where depois_da_vistoria and case when dentro_de_dias is null then vez >= ocorrencias else primeiro_dia + dentro_de_dias >= dia end
    group by all
), fundadas as (
    select norma, veiculo_id, ordem, codigo, dia, auto_id, vez, na_borda, ultima_vistoria_em from simples
    union all
    select d.norma, d.veiculo_id, d.ordem, d.codigo, d.dia, d.auto_id, d.vez, g.borda, d.ultima_vistoria_em
    from datados d
    join gatilhos g using (veiculo_id, ordem, chave)
    where d.depois_da_vistoria or d.dentro_de_dias is not null
), casos as (
    select norma, veiculo_id, bit_or(1::bigint << ordem) as regras, list_sort(list(struct_pack(dia, auto_id, codigo, vez))) as autos,
           any_value(ultima_vistoria_em) as ultima_vistoria_em, bool_and(na_borda) as no_limite
    from fundadas
    group by norma, veiculo_id
), textos as (
    select c.norma, c.regras, array_to_string(list_distinct(list(r.dispositivo order by r.ordem)), '; ') as dispositivo
    from (select distinct norma, regras from casos) c
    join r on r.norma = c.norma and (c.regras >> r.ordem) & 1 = 1
    group by all
), veiculos as (
    select c.*, t.dispositivo from casos c join textos t using (norma, regras)
), reservas as (
    select o.norma, o.veiculo_id, p.dispositivo_reserva, list(distinct o.data order by o.data) as dias
    from registro.operacao o
    join p on p.norma = o.norma and p.reserva_olhar_dias is not null
    join registro.veiculos x on x.veiculo_id = o.veiculo_id and x.funcao = 'reserva'
    join calendario.dias d on d.norma = o.norma and d.dia = o.data and not d.util
    where o.data > $as_of::date - p.reserva_olhar_dias and coalesce(o.viagens_realizadas > 0, true)
    group by all
), juntos as (
    select norma, veiculo_id, concat_ws('; ', v.dispositivo, r.dispositivo_reserva) as dispositivo, v.autos, v.ultima_vistoria_em,
           v.no_limite, r.dias
    from veiculos v
    full join reservas r using (norma, veiculo_id)
)
select v.norma,
       case when ilegivel(x.desconhecidos, ['baixado_em']) is not null then 'nao_avaliado' else 'para_decisao' end as situacao,
       v.veiculo_id as sujeito_id,
       x.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       v.dispositivo,
       struct_pack(placa := x.placa, autos := v.autos, ultima_vistoria_em := v.ultima_vistoria_em,
                   no_limite := v.no_limite, dias_de_reserva := v.dias, falta := ilegivel(x.desconhecidos, ['baixado_em'])) as evidencia
from juntos v
join registro.veiculos x on x.veiculo_id = v.veiculo_id and x.norma = v.norma
where not x.baixado and not x.dono_silencioso
