-- An accident told by the operator, trips on a later day, and no inspection between the two, nor since: an inspection on the
-- day of the return is in time, one made later ends the fault. Trips of the accident's own day prove nothing.
with sinistros as (
    select c.norma, c.veiculo_id, c.ocorrido_em::date as dia
    from registro.comunicacoes c
    join p using (norma)
    where c.tipo = 'acidente' and c.veiculo_id is not null
), vistas as (
    select veiculo_id, max(realizada_em) as ultima_vistoria_em,
           bool_or(ilegivel(desconhecidos, ['realizada_em']) is not null) as alguma_ilegivel
    from registro.vistorias
    where veiculo_id in (select veiculo_id from sinistros) and coalesce(resultado <> 'ausente', true)
    group by veiculo_id
), abertos as (  -- an accident followed by any inspection is settled
    select s.norma, s.veiculo_id, min(s.dia) as dia, any_value(v.ultima_vistoria_em) as ultima_vistoria_em,
           coalesce(bool_or(v.alguma_ilegivel), false) as alguma_ilegivel
    from sinistros s
    left join vistas v using (veiculo_id)
    where coalesce(v.ultima_vistoria_em < s.dia, true)
    group by s.norma, s.veiculo_id
), voltas as (
    select a.norma, a.veiculo_id, any_value(a.dia) as sinistro_em, any_value(a.ultima_vistoria_em) as ultima_vistoria_em, any_value(a.alguma_ilegivel) as alguma_ilegivel,
           min(o.data) filter (o.viagens_realizadas > 0) as voltou_em,
           bool_or(ilegivel(o.desconhecidos, ['viagens_realizadas']) is not null) as viagens_ilegiveis
    from abertos a
    join registro.operacao o on o.veiculo_id = a.veiculo_id and o.data > a.dia
    group by a.norma, a.veiculo_id
), com_falta as (
    select *, case when alguma_ilegivel then ['vistorias.realizada_em']
                   when voltou_em is null and viagens_ilegiveis then ['operacao.viagens_realizadas'] end as falta
    from voltas
    where voltou_em is not null or viagens_ilegiveis
)
select v.norma,
       case when c.falta is not null then 'nao_avaliado'
            when $as_of > c.voltou_em then 'violacao'
            else 'a_vencer' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       case when c.falta is null then c.voltou_em end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa := v.placa, sinistro_em := c.sinistro_em, voltou_em := c.voltou_em, vistoria_anterior_em := c.ultima_vistoria_em,
                   falta := c.falta) as evidencia
from com_falta c
join registro.veiculos v using (veiculo_id)
where not v.baixado and not v.dono_silencioso
