-- Trips and autos that name a vehicle out of the registry on that day. A trip of an unknown vehicle belongs to the norm
-- of its driver, else to the only norm of the load; where several are possible no norm can be broken, and the warning of
-- the load (a key that points nowhere) is what is left of it. A vehicle whose row may be among those refused for bad data
-- is not called unknown.
with recusadas as (
    select count(*) filter (coluna is distinct from 'veiculo_id') > 0 as alguma_sem_chave, list(valor) filter (coluna = 'veiculo_id') as chaves
    from extrato.rejeitos
    where extrato = 'veiculos' and nivel = 'rejeitado'
), viagens as (
    select distinct coalesce(o.veiculo_id, forma_da_placa(o.placa)) as chave, forma_da_placa(o.placa) as placa, o.data as dia, o.condutor_id,
           v.permissionario_id, v.cadastrado_em, v.baixado_em, v.veiculo_id is not null as conhecido,
           ilegivel(v.desconhecidos, ['cadastrado_em', 'baixado_em']) as ilegiveis
    from registro.operacao o
    left join extrato.veiculos v on v.veiculo_id = o.veiculo_id
    where v.veiculo_id is null or v.cadastrado_em > o.data or v.baixado_em <= o.data or v.desconhecidos is not null
), estranhos as (  -- of the vehicles that autos name, those that may be out of the registry on some day: usually few
    select a.veiculo_id
    from (select veiculo_id, min(ocorrido_em)::date as primeiro, max(ocorrido_em)::date as ultimo
          from extrato.autos where veiculo_id is not null group by veiculo_id) a
    left join extrato.veiculos v using (veiculo_id)
    where v.veiculo_id is null or v.cadastrado_em > a.primeiro or v.baixado_em <= a.ultimo or v.desconhecidos is not null
), citacoes as (
    select a.auto_id, coalesce(a.veiculo_id, forma_da_placa(a.placa)) as chave, forma_da_placa(a.placa) as placa, a.ocorrido_em::date as dia,
           v.cadastrado_em, v.baixado_em, v.veiculo_id is not null as conhecido,
           ilegivel(v.desconhecidos, ['cadastrado_em', 'baixado_em']) as ilegiveis
    from (select auto_id, veiculo_id, placa, ocorrido_em from extrato.autos semi join estranhos using (veiculo_id)
          union all
          select auto_id, veiculo_id, placa, ocorrido_em from extrato.autos where veiculo_id is null and placa is not null) a
    left join extrato.veiculos v on v.veiculo_id = a.veiculo_id
    where (v.veiculo_id is null or v.cadastrado_em > a.ocorrido_em::date or v.baixado_em <= a.ocorrido_em::date or v.desconhecidos is not null)
), fatos_brutos as (
    select 'operacao' as fonte, null as auto_id, 'confirmado' as estado_auto, o.chave, o.placa, o.dia, o.cadastrado_em, o.baixado_em,
           o.conhecido, o.ilegiveis, coalesce(o.permissionario_id, c.permissionario_id) as permissionario_id
    from viagens o
    left join extrato.condutores c on not o.conhecido and c.condutor_id = o.condutor_id
    union all
    select 'autos', c.auto_id, f.estado_auto, c.chave, c.placa, c.dia, c.cadastrado_em, c.baixado_em, c.conhecido, c.ilegiveis, f.permissionario_id
    from citacoes c
    join fatos.autos f using (auto_id)
    where f.estado_auto <> 'cancelado'
), formas as (
    select distinct forma_da_placa(placa) as forma from extrato.veiculos
    where placa is not null and exists (select 1 from fatos_brutos where not conhecido)
), motivados as (
    select b.*, s.norma as norma_do_titular,
           not b.conhecido and (r.alguma_sem_chave or coalesce(list_contains(r.chaves, b.chave), false)) as talvez_recusado,
           case when not b.conhecido then 'desconhecido'
                when b.cadastrado_em > b.dia then 'ainda não cadastrado'
                when b.baixado_em <= b.dia then 'baixado' end as motivo
    from fatos_brutos b
    cross join recusadas r
    left join registro.permissionarios s using (permissionario_id)
    where not coalesce(s.silencioso, false)
      and (b.conhecido or b.chave is distinct from b.placa or b.placa not in (select forma from formas))  -- a plate of two vehicles is no unknown one
), normas_da_carga as (
    select count(distinct norma) as quantas from registro.permissionarios
), por_veiculo as (
    select p.norma, m.chave,
           arg_min(m.permissionario_id, m.dia) filter (m.permissionario_id is not null) as permissionario_id,
           any_value(m.placa) as placa, any_value(m.cadastrado_em) as cadastrado_em, any_value(m.baixado_em) as baixado_em,
           min(m.dia) filter (m.motivo is not null and not m.talvez_recusado and m.estado_auto = 'confirmado') as provado_em,
           min(m.dia) filter (m.motivo is not null and not m.talvez_recusado and m.estado_auto = 'em_defesa') as em_defesa_em,
           list_distinct(flatten(list(case when m.motivo is null then list_transform(m.ilegiveis, lambda c: 'veiculos.' || c)
                                           when m.talvez_recusado then ['veiculos.linhas_rejeitadas']
                                           when m.estado_auto = 'incerto' then ['autos'] end))) as falta,
           list(struct_pack(dia := m.dia, fonte := m.fonte, auto_id := m.auto_id, motivo := m.motivo) order by m.dia, m.auto_id) as fatos
    from motivados m
    cross join normas_da_carga n
    join p on p.norma = m.norma_do_titular or (m.norma_do_titular is null and n.quantas = 1)
    where m.motivo is not null or m.ilegiveis is not null
    group by p.norma, m.chave
)
select norma,
       case when provado_em is not null then case when $as_of > provado_em then 'violacao' else 'a_vencer' end
            when em_defesa_em is not null then 'a_vencer'
            else 'nao_avaliado' end as situacao,
       chave as sujeito_id,
       permissionario_id,
       coalesce(provado_em, em_defesa_em) as devido_em,
       null::decimal(18, 2) as valor,
       null as sujeito_tipo,
       struct_pack(placa, cadastrado_em, baixado_em, fatos,
                   falta := case when coalesce(provado_em, em_defesa_em) is null then falta end) as evidencia
from por_veiculo
union all
select p.norma, 'nao_avaliado', p.norma, null, null, null, 'norma',
       struct_pack(placa := null, cadastrado_em := null, baixado_em := null, fatos := null, falta := a.falta)
from p
cross join (
    select list(e order by e) as falta
    from (select unnest(['autos', 'operacao']) as e)
    where e not in (select extrato from extrato.colunas)
) a
where len(a.falta) > 0
