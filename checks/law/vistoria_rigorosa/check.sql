-- Past the end of the year of make plus `anos`, whoever renews the registration decides; no extract says how rigorous an inspection was.
with limites as (
    select v.*, p.anos, p.aviso_dias, fim_do_ano(v.ano_fabricacao + p.anos) as limite
    from registro.veiculos v
    join p using (norma)
    where not v.baixado and not v.dono_silencioso
)
select norma,
       case when $as_of > limite then 'para_decisao' else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       limite as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, ano_fabricacao, anos, limite, funcao) as evidencia
from limites
where limite - aviso_dias <= $as_of
