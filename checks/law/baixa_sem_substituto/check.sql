-- Vehicles withdrawn while their permit is still in force on the as-of date and no other vehicle of the registry says that it replaces them. The
-- authorization to withdraw is not in the extracts: a person decides.
with baixados as (
    select v.norma, v.permissionario_id, v.veiculo_id, v.placa, v.baixado_em, a.alvara_id, a.fim, a.incerto, a.falta_fim
    from registro.veiculos v
    join p using (norma)
    join registro.alvaras a on a.veiculo_id = v.veiculo_id and a.permissionario_id = v.permissionario_id
        and not a.morto and a.emitido_em <= v.baixado_em and coalesce(a.fim >= $as_of, true)
    where v.baixado and not v.dono_silencioso
    qualify row_number() over (partition by v.veiculo_id order by a.falta_fim is not null, a.fim desc) = 1
), sem_substituto as (
    select b.* from baixados b
    anti join registro.veiculos s on s.substitui_veiculo_id = b.veiculo_id
), duvidosos as (
    select distinct permissionario_id from registro.veiculos
    where desconhecidos is not null and ilegivel(desconhecidos, ['substitui_veiculo_id']) is not null
), avisados as (
    select permissionario_id, veiculo_id, min(comunicado_em) as comunicado_em
    from registro.comunicacoes
    where tipo = 'baixa_de_veiculo' and comunicado_em is not null
    group by permissionario_id, veiculo_id
), situados as (
    select b.*, m.comunicado_em,
           case when d.permissionario_id is not null then ['veiculos.substitui_veiculo_id'] else []::varchar[] end
               || list_transform(coalesce(b.incerto, []), lambda c: 'alvaras.' || c)
               || case when b.falta_fim is not null then ['alvaras.valido_ate'] else []::varchar[] end as falta
    from sem_substituto b
    left join duvidosos d using (permissionario_id)
    left join avisados m using (permissionario_id, veiculo_id)
)
select norma,
       case when bool_or(falta = []) then 'para_decisao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(veiculos_baixados := list(struct_pack(dia := baixado_em, veiculo_id, placa, alvara_id, fim := nullif(fim, 'infinity'::date), comunicado_em)
                                             order by baixado_em, veiculo_id),
                   falta := case when not bool_or(falta = []) then list_sort(list_distinct(flatten(list(falta)))) end) as evidencia
from situados
group by norma, permissionario_id
