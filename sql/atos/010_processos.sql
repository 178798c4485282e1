-- Where the latest process of each holder and act stands on the as-of date. The defence term is the norm's own term for
-- autos (norma.processo), a reading where the law gives revocations no rite: nobody loses a permit before being heard.
create or replace table resultado.processos as
with ultimos as (
    select x.*, p.nid
    from registro.processos x
    join registro.permissionarios p using (permissionario_id)
    qualify row_number() over (partition by x.permissionario_id, x.ato order by x.instaurado_em desc, x.processo_id desc) = 1
), prazos as (
    select u.*, t.fim_defesa, d.fim_recurso,
           coalesce(u.ciencia_em <= $as_of, false) as notificado,
           coalesce(u.defesa_em <= t.fim_defesa, u.defesa_em is not null and u.ciencia_em is null) as defesa_tempestiva
    from ultimos u
    left join fatos.prazos t on t.chave = u.nid * 100000 + (u.ciencia_em - date '1900-01-01')::integer
    left join fatos.prazos d on d.chave = u.nid * 100000 + (u.ciencia_decisao_em - date '1900-01-01')::integer
)
select processo_id, permissionario_id, norma, ato, fundamento, instaurado_em, ciencia_em, fim_defesa, defesa_em, defesa_tempestiva,
       decisao, decisao_em, ciencia_decisao_em, fim_recurso, recurso_em, decisao_recurso, decisao_recurso_em,
       case when decisao_recurso is not null then 'final'
            when decisao is not null and recurso_em is not null then 'em_recurso'
            when decisao is not null and coalesce(ciencia_decisao_em > $as_of, ciencia_decisao_em is null) then 'decidido'
            when decisao is not null and fim_recurso >= $as_of then 'prazo_de_recurso'
            when decisao is not null then 'final'
            when defesa_tempestiva then 'pronto_para_decidir'
            when not notificado then 'instaurado'
            when fim_defesa >= $as_of then 'prazo_de_defesa'
            else 'pronto_para_decidir' end as etapa,
       case when decisao is null and notificado and defesa_em is null and fim_defesa >= $as_of then fim_defesa
            when decisao is not null and recurso_em is null and ciencia_decisao_em <= $as_of and fim_recurso >= $as_of then fim_recurso
       end as prazo_ate
from prazos;
