-- Autos that name a crew member who is not in the registry on the as-of date: registering him puts it right. One whose row may be among
-- those refused for bad data is not called unknown.
with recusadas as (
    select count(*) filter (coluna is distinct from 'condutor_id') > 0 as alguma_sem_chave, list(valor) filter (coluna = 'condutor_id') as chaves
    from extrato.rejeitos
    where extrato = 'condutores' and nivel = 'rejeitado'
), conhecidos as (
    select condutor_id from extrato.condutores where coalesce(cadastrado_em <= $as_of, true)
), desconhecidos as (  -- usually nobody: one look at the names alone
    select a.condutor_id
    from (select distinct condutor_id from fatos.autos where condutor_id is not null) a
    anti join conhecidos c on c.condutor_id = a.condutor_id
), citados as (
    select a.norma, a.condutor_id, a.permissionario_id, a.auto_id, a.codigo, a.ocorrido_em::date as dia, a.estado_auto
    from fatos.autos a
    semi join desconhecidos d on d.condutor_id = a.condutor_id
    where a.estado_auto <> 'cancelado' and a.norma in (select norma from p)
), por_pessoa as (
    select c.norma, c.condutor_id,
           arg_min(c.permissionario_id, c.dia) as permissionario_id,
           min(c.dia) filter (c.estado_auto = 'confirmado') as provado_em,
           min(c.dia) filter (c.estado_auto = 'em_defesa') as em_defesa_em,
           bool_or(r.alguma_sem_chave or coalesce(list_contains(r.chaves, c.condutor_id), false)) as talvez_recusado,
           list(struct_pack(dia := c.dia, auto_id := c.auto_id, codigo := c.codigo, estado := c.estado_auto) order by c.dia, c.auto_id) as autos
    from citados c
    cross join recusadas r
    join registro.permissionarios h on h.permissionario_id = c.permissionario_id and not h.silencioso
    group by c.norma, c.condutor_id
), julgados as (
    select *, case when talvez_recusado then ['condutores.linhas_rejeitadas']
                   when provado_em is null and em_defesa_em is null then ['autos'] end as falta
    from por_pessoa
)
select norma,
       case when falta is not null then 'nao_avaliado'
            when provado_em is not null and $as_of > provado_em then 'violacao'
            else 'a_vencer' end as situacao,
       condutor_id as sujeito_id,
       permissionario_id,
       case when falta is null then coalesce(provado_em, em_defesa_em) end as devido_em,
       null::decimal(18, 2) as valor,
       struct_pack(autos, falta) as evidencia
from julgados
