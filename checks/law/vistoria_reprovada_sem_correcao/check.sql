-- The last inspection failed and nothing cured it. Extracts give no hour: an approval on the day of the failure is
-- taken as coming after it. A later inspection that cannot be read may be either. A report is not received before the inspection.
with sem_data as (  -- the registry drops a result that has no day
    select distinct veiculo_id from extrato.vistorias
    where resultado = 'reprovada' and realizada_em is null and corrigida_em is null
), pendentes as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, p.prazo_dias, p.conta_de, u.julgada as vistoria,
           case p.conta_de when 'ciencia_em' then u.julgada.ciencia_em else u.julgada.dia end + p.prazo_dias as devido_em,
           case when u.duvida_em > u.julgada.dia or (u.julgada is null and u.duvida_em is not null) then u.duvida
                when u.julgada is null then case when s.veiculo_id is not null then ['realizada_em'] end
                when u.julgada.correcao_ilegivel is not null then ['corrigida_em']
                when p.conta_de = 'ciencia_em' and coalesce(u.julgada.ciencia_em < u.julgada.dia, true) then ['ciencia_em'] end as falta
    from registro.veiculos v
    join p using (norma)
    left join fatos.ultimas_vistorias u using (veiculo_id)
    left join sem_data s using (veiculo_id)
    where not v.baixado and not v.dono_silencioso
      and (u.veiculo_id is not null or s.veiculo_id is not null)
      and (coalesce(u.duvida_em > u.julgada.dia, u.julgada is null) or (not u.julgada.aprovada and u.julgada.corrigida_em is null))
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
