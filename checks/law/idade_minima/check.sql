-- Active crew below the age of their function: the birthday itself already serves. An age is never rolled. A birth after the day has
-- not happened, and tells no age.
with pessoas as (
    select c.norma, c.condutor_id, c.permissionario_id, c.funcao, c.nascido_em, r.anos, r.dispositivo, r.consequencia,
           soma_anos(ate(c.nascido_em, $as_of), r.anos, c.mes_sem_dia) as completa_em,
           nullif(case when coalesce(c.nascido_em > $as_of, true) then ['condutores.nascido_em'] else []::varchar[] end
                  || list_transform(coalesce(ilegivel(c.desconhecidos, ['desligado_em', 'matricula_situacao']), []), lambda x: 'condutores.' || x), []) as falta
    from registro.condutores c
    join r on r.norma = c.norma and list_contains(r.funcoes, c.funcao)
    where c.ativo
    qualify row_number() over (partition by c.condutor_id order by r.ordem) = 1
)
select norma,
       case when falta is not null then 'nao_avaliado' else 'violacao' end as situacao,
       condutor_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       dispositivo,
       consequencia,
       struct_pack(funcao, nascido_em, idade_exigida := anos, completa_em, falta) as evidencia
from pessoas
where completa_em is null or $as_of < completa_em
