-- The last lawful day is fatos.limite_idade (rules of norma.idade_maxima); `vencida` says whether the norm
-- forbids the vehicle past it (violacao) or lets an authority order its replacement (para_decisao).
select v.norma,
       case when l.falta is not null then 'nao_avaliado'
            when $as_of > l.limite then l.vencida
            else 'a_vencer' end as situacao,
       v.veiculo_id as sujeito_id,
       v.permissionario_id,
       case when l.falta is null then l.limite end as devido_em,
       null::decimal(18, 2) as valor,
       l.dispositivo,
       l.consequencia,
       l.competente,
       struct_pack(placa := v.placa, servico := v.servico, lugares := v.lugares, ano_fabricacao := v.ano_fabricacao,
                   primeiro_uso_em := v.primeiro_uso_em, nota_fiscal_em := v.nota_fiscal_em,
                   anos := l.anos, conta_de := l.conta_de, limite := l.limite, falta := l.falta) as evidencia
from registro.veiculos v
join p using (norma)
join fatos.limite_idade l using (veiculo_id)
where not v.baixado and not v.dono_silencioso
  and (l.falta is not null or l.limite - p.aviso_dias <= $as_of)
