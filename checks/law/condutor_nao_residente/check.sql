-- Active crew registered as living elsewhere; where the registry is silent on it, nobody can tell.
select c.norma,
       case when c.residente is null or ilegivel(c.desconhecidos, ['desligado_em', 'matricula_situacao']) is not null then 'nao_avaliado' else 'violacao' end as situacao,
       c.condutor_id as sujeito_id,
       c.permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(funcao := c.funcao, residente := c.residente,
                   falta := coalesce(case when c.residente is null then ['condutores.residente'] end,
                                     list_transform(ilegivel(c.desconhecidos, ['desligado_em', 'matricula_situacao']), lambda x: 'condutores.' || x))) as evidencia
from registro.condutores c
join p on p.norma = c.norma and list_contains(p.funcoes, c.funcao)
join registro.permissionarios h on h.permissionario_id = c.permissionario_id
where c.ativo and not coalesce(c.residente, false) and (not p.so_titular or c.documento = h.documento)
