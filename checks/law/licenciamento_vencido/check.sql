-- The vehicle's own date says by itself that it was not licensed again. A date of the state's calendar is the same for
-- every vehicle of that plate: past it, only the year on the document tells who did and who did not.
with veiculos as (
    select v.*, p.aviso_dias, v.licenciamento_pelo_calendario and v.licenciamento_vence_em < $as_of as so_calendario,
           case when v.licenciamento_vence_em is null then ['veiculos.licenciamento_vence_em']
                when v.licenciamento_pelo_calendario and v.licenciamento_vence_em < $as_of and v.crlv_exercicio is null
                     then ['veiculos.licenciamento_vence_em', 'veiculos.crlv_exercicio'] end as falta
    from registro.veiculos v
    join p using (norma)
    where not v.baixado and not v.dono_silencioso
      and coalesce(v.licenciamento_vence_em - p.aviso_dias <= $as_of, true)
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > licenciamento_vence_em then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then licenciamento_vence_em end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, licenciamento_vence_em, licenciamento_pelo_calendario, crlv_exercicio, falta) as evidencia
from veiculos
where not (so_calendario and coalesce(crlv_exercicio >= year(licenciamento_vence_em), false))
