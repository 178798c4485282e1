-- Counted from the last update, else from the registration; a validity, so never rolled.
with veiculos as (
    select v.*, p.anos, p.aviso_dias,
           soma_anos(coalesce(v.cadastro_atualizado_em, v.cadastrado_em), p.anos, v.mes_sem_dia) as limite,
           case when ilegivel(v.desconhecidos, ['cadastro_atualizado_em']) is not null then ['veiculos.cadastro_atualizado_em']
                when coalesce(v.cadastro_atualizado_em, v.cadastrado_em) is null then ['veiculos.cadastrado_em'] end as falta
    from registro.veiculos v
    join p using (norma)
    where not v.baixado and not v.dono_silencioso
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > limite then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then limite end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, cadastrado_em, cadastro_atualizado_em, anos_do_registro := anos, falta) as evidencia
from veiculos
where falta is not null or limite - aviso_dias <= $as_of
