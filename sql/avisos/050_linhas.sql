-- Items with the words of their subject, and what the fee table needs to know of the permit.
create or replace temp table avisos_linhas as
with primeiras as (
    select permissionario_id, veiculo_id, min(emitido_em) as primeira, bool_or(not morto) as algum_vivo
    from registro.alvaras
    where veiculo_id is not null
    group by all
), por_titular as (
    select permissionario_id, min(emitido_em) as primeira, bool_or(not morto) as algum_vivo
    from registro.alvaras
    group by all
), infracoes as (
    select norma, codigo, arg_max(descricao, vigente_de) as descricao from norma.infracoes group by all
)
select i.*,
       coalesce(v.placa, va.placa, vx.placa) as placa,
       coalesce(v.tipo, va.tipo, vx.tipo) as tipo_veiculo,
       coalesce(v.ano_fabricacao, va.ano_fabricacao) as ano_fabricacao,
       t.modalidade,
       coalesce(li.nome, lt.nome) as linha,
       coalesce(t.linha_id, li.linha_id) as linha_id,
       c.nome as condutor,
       c.funcao,
       coalesce(x.codigo, i.codigo) as infracao,
       coalesce(x.ocorrido_em::date, i.fato_em) as dia_do_fato,
       f.descricao as conduta,
       coalesce(pv.primeira, pt.primeira) as primeira_emissao,
       coalesce(pv.algum_vivo, pt.algum_vivo, false) as tem_titulo_vivo
from avisos_itens i
left join registro.veiculos v on i.sujeito_tipo = 'veiculo' and v.veiculo_id = i.sujeito_id
left join registro.alvaras t on i.sujeito_tipo = 'alvara' and t.alvara_id = i.sujeito_id
left join registro.veiculos va on va.veiculo_id = t.veiculo_id
left join fatos.autos x on i.sujeito_tipo = 'auto' and x.auto_id = i.sujeito_id
left join registro.veiculos vx on vx.veiculo_id = x.veiculo_id
left join registro.condutores c on i.sujeito_tipo = 'condutor' and c.condutor_id = i.sujeito_id
left join extrato.linhas li on i.sujeito_tipo = 'linha' and li.linha_id = i.sujeito_id
left join extrato.linhas lt on lt.linha_id = t.linha_id
left join infracoes f on f.norma = i.norma and f.codigo = coalesce(x.codigo, i.codigo)
left join primeiras pv on pv.permissionario_id = i.permissionario_id and pv.veiculo_id = coalesce(v.veiculo_id, t.veiculo_id)
left join por_titular pt on pt.permissionario_id = i.permissionario_id and coalesce(v.veiculo_id, t.veiculo_id) is null;

-- Autos that nothing is asked of: a defence or a suspensive appeal waits for its decision.
create or replace temp table avisos_em_julgamento as
select permissionario_id, count(*) as quantos
from fatos.autos
where estado_auto = 'em_defesa' and (defesa_tempestiva or recurso_tempestivo) and ciencia_em <= $as_of
group by all;
