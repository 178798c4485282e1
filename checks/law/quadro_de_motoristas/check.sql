-- Active drivers of each company against its vehicles in service, reserve included; both limits are lawful.
-- What could not be read is given both readings: a finding only where none of them would do.
with frotas as (
    select permissionario_id,
           count(*) filter (duvida_do_veiculo is null) as certos,
           count(*) as possiveis,
           list_distinct(flatten(list(duvida_do_veiculo) filter (duvida_do_veiculo is not null))) as duvida
    from fatos.frota
    where norma in (select norma from p)
    group by permissionario_id
), pessoas as (
    select c.permissionario_id, coalesce(c.documento, c.condutor_id) as pessoa,
           bool_or(ilegivel(c.desconhecidos, ['desligado_em', 'matricula_situacao']) is null) as certa
    from registro.condutores c
    join p on p.norma = c.norma and p.tipo_pessoa = c.tipo_pessoa and list_contains(p.funcoes, c.funcao)
    where c.ativo
    group by all
), quadros as (
    select permissionario_id, count(*) filter (certa) as certos, count(*) as possiveis from pessoas group by permissionario_id
), empresas as (
    select h.norma, h.permissionario_id, p.vezes_minimo, p.vezes_maximo,
           coalesce(f.certos, 0) as frota, coalesce(f.possiveis, 0) as frota_maior,
           coalesce(q.certos, 0) as motoristas, coalesce(q.possiveis, 0) as motoristas_maior,
           coalesce(f.duvida, []) as duvida
    from registro.permissionarios h
    join p on p.norma = h.norma and p.tipo_pessoa = h.tipo_pessoa
    left join frotas f using (permissionario_id)
    left join quadros q using (permissionario_id)
    where not h.silencioso
), contas as (
    select *,
           motoristas_maior < vezes_minimo * frota or motoristas > vezes_maximo * frota_maior as provado,
           motoristas < vezes_minimo * frota_maior or motoristas_maior > vezes_maximo * frota as possivel
    from empresas
)
select norma,
       case when provado then 'violacao' else 'nao_avaliado' end as situacao,
       permissionario_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(motoristas, motoristas_minimo := vezes_minimo * frota, motoristas_maximo := vezes_maximo * frota, frota_ativa := frota,
                   falta := case when not provado then duvida || case when motoristas_maior > motoristas
                       then ['condutores.desligado_em', 'condutores.matricula_situacao'] else []::varchar[] end end) as evidencia
from contas
where possivel
