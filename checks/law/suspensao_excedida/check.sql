-- A suspension that ends later than its longest lawful last day, the first day counted, or that has no end and runs past it.
with suspensos as (
    select c.*, p.dias, p.aviso_dias, c.suspenso_em + p.dias - 1 as ultimo,
           ilegivel(c.desconhecidos, ['suspenso_ate', 'suspenso_em', 'matricula_situacao', 'desligado_em']) as ilegiveis
    from registro.condutores c
    join p using (norma)
    where c.ativo
), julgados as (
    select *, case when ilegiveis is not null then list_transform(ilegiveis, lambda x: 'condutores.' || x)
                   when suspenso_em is null and matricula_situacao = 'suspensa' then ['condutores.suspenso_em'] end as falta
    from suspensos
    where suspenso_em is not null or matricula_situacao = 'suspensa' or list_contains(ilegiveis, 'suspenso_em')
)
select norma,
       case when falta is not null then 'nao_avaliado' when $as_of > ultimo then 'violacao' else 'a_vencer' end as situacao,
       condutor_id as sujeito_id,
       permissionario_id,
       case when falta is null then ultimo end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(funcao, matricula_situacao, suspenso_em, suspenso_ate, dias_de_suspensao := dias, ultimo_dia_licito := ultimo, falta) as evidencia
from julgados
where falta is not null
   or ((suspenso_ate > ultimo or suspenso_ate is null) and ultimo - aviso_dias <= $as_of)
