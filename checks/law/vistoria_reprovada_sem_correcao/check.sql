-- The last inspection failed and nothing cured it. Extracts give no hour: an approval on the day of the failure is
-- taken as coming after it. A later inspection that cannot be read may be either.
with vistas as (
    select veiculo_id, vistoria_id, realizada_em, ciencia_em, corrigida_em, itens,
           resultado in ('aprovada', 'reprovada') and realizada_em is not null as julgada,
           resultado = 'aprovada' as aprovada,
           ilegivel(desconhecidos, ['corrigida_em']) as correcao_ilegivel,
           case when realizada_em is not null then ilegivel(desconhecidos, ['resultado'])
                else ilegivel(desconhecidos, ['realizada_em']) end as duvida
    from registro.vistorias
), sem_data as (  -- the registry drops a result that has no day
    select distinct veiculo_id from extrato.vistorias
    where resultado = 'reprovada' and realizada_em is null and corrigida_em is null
), ultimas as (
    select veiculo_id,
           max(struct_pack(dia := realizada_em, aprovada := aprovada, id := vistoria_id, ciencia_em := ciencia_em, corrigida_em := corrigida_em,
                           itens := itens, correcao_ilegivel := correcao_ilegivel)) filter (julgada) as u,
           max(coalesce(realizada_em, 'infinity'::date)) filter (duvida is not null) as duvida_em,
           flatten(list(duvida) filter (duvida is not null)) as duvida
    from vistas
    group by veiculo_id
), pendentes as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, p.prazo_dias, p.conta_de, u.u as vistoria,
           case p.conta_de when 'ciencia_em' then u.u.ciencia_em else u.u.dia end + p.prazo_dias as devido_em,
           case when u.duvida_em > u.u.dia or (u.u is null and u.duvida_em is not null) then u.duvida
                when u.u is null then case when s.veiculo_id is not null then ['realizada_em'] end
                when u.u.correcao_ilegivel is not null then ['corrigida_em']
                when p.conta_de = 'ciencia_em' and u.u.ciencia_em is null then ['ciencia_em'] end as falta
    from registro.veiculos v
    join p using (norma)
    left join ultimas u using (veiculo_id)
    left join sem_data s using (veiculo_id)
    where not v.baixado and not v.dono_silencioso
      and (u.veiculo_id is not null or s.veiculo_id is not null)
      and (coalesce(u.duvida_em > u.u.dia, u.u is null) or (not u.u.aprovada and u.u.corrigida_em is null))
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > devido_em then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then devido_em end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, vistoria_id := vistoria.id, realizada_em := vistoria.dia, ciencia_laudo_em := vistoria.ciencia_em,
                   itens := vistoria.itens, prazo_dias, conta_de,
                   falta := list_transform(list_distinct(falta), lambda c: 'vistorias.' || c)) as evidencia
from pendentes
where falta is not null or vistoria is not null
