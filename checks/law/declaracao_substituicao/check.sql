-- To be made within `antecedencia_dias` before the age limit; a declaration of any date by $as_of answers it.
with veiculos as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, v.ano_fabricacao, l.limite, p.antecedencia_dias,
           nullif(list_concat(coalesce(l.falta, []), coalesce(ilegivel(v.desconhecidos, ['declaracao_substituicao_em']), [])), []) as falta
    from registro.veiculos v
    join p using (norma)
    join fatos.limite_idade l using (veiculo_id)
    where not v.baixado and not v.dono_silencioso and v.declaracao_substituicao_em is null
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > limite then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then limite end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, ano_fabricacao, limite, antecedencia_dias, falta) as evidencia
from veiculos
where (falta is not null and coalesce(limite - antecedencia_dias <= $as_of, true)) or (falta is null and limite - antecedencia_dias <= $as_of)
