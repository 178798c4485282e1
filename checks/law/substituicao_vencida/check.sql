-- Replacement term: the age limit plus `prazo_dias`, rolled to a business day.
with veiculos as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, v.ano_fabricacao, l.limite, l.falta, p.prazo_dias,
           l.limite + p.prazo_dias as prazo_sem_prorrogar,
           d.proximo_util as devido_em
    from registro.veiculos v
    join p using (norma)
    join fatos.limite_idade l using (veiculo_id)
    left join calendario.dias d on d.norma = v.norma and d.dia = l.limite + p.prazo_dias
    where not v.baixado and not v.dono_silencioso
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when $as_of > devido_em then 'violacao'
            else 'a_vencer' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       case when falta is null then devido_em end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, ano_fabricacao, limite, prazo_dias, prazo_sem_prorrogar, falta) as evidencia
from veiculos
where falta is not null or limite < $as_of
