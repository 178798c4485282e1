-- Active drivers registered for each vehicle, a person counted once. One whose standing could not be read may have left.
with pessoas as (
    select v.norma, v.veiculo_id, v.permissionario_id, v.placa, p.maximo, coalesce(c.documento, c.condutor_id) as pessoa,
           list(c.condutor_id order by c.condutor_id) as condutores,
           bool_or(ilegivel(c.desconhecidos, ['desligado_em', 'matricula_situacao']) is null) as certa
    from registro.condutores c
    join p on p.norma = c.norma and list_contains(p.funcoes, c.funcao)
    join registro.veiculos_ativos v on v.veiculo_id = c.veiculo_id and v.norma = c.norma
    where c.ativo
    group by all
), contados as (
    select norma, veiculo_id, permissionario_id, placa, maximo, count(*) as todos, count(*) filter (certa) as certos,
           list_sort(flatten(list(condutores))) as condutores
    from pessoas
    group by all
    having count(*) > maximo
)
select norma,
       case when certos > maximo then 'violacao' else 'nao_avaliado' end as situacao,
       veiculo_id as sujeito_id,
       permissionario_id,
       null::date as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(placa, quantidade_condutores := todos, limite_condutores := maximo, condutores,
                   falta := case when certos <= maximo then ['condutores.desligado_em', 'condutores.matricula_situacao'] end) as evidencia
from contados
