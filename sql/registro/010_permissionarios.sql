-- Holders that exist on $as_of. `silencioso`: cassado or encerrado by then (an empty date counts as already);
-- the checks say nothing of them, save the debts, which follow the person.
-- `incerto`: a column that decides this could not be read.
create or replace table registro.permissionarios as
select (row_number() over ())::integer as pid,  -- a small key for joins and sorts of millions of rows
       p.permissionario_id,
       p.norma,
       n.nid,
       n.uf,
       n.mes_sem_dia,
       p.nome,
       p.tipo_pessoa,
       p.documento,
       p.email,
       p.telefone,
       p.endereco,
       p.cadastrado_em,
       ate(p.cadastro_atualizado_em, $as_of) as cadastro_atualizado_em,
       case when p.situacao in ('cassado', 'encerrado')
                 and coalesce(case p.situacao when 'cassado' then p.cassado_em else p.encerrado_em end > $as_of, false)
            then 'ativo' else coalesce(p.situacao, 'ativo') end as situacao,
       ate(p.cassado_em, $as_of) as cassado_em,
       ate(p.encerrado_em, $as_of) as encerrado_em,
       p.catracas_reserva,
       coalesce(case p.situacao
                    when 'cassado' then coalesce(p.cassado_em <= $as_of, ilegivel(p.desconhecidos, ['cassado_em']) is null)
                    when 'encerrado' then coalesce(p.encerrado_em <= $as_of, ilegivel(p.desconhecidos, ['encerrado_em']) is null)
                end, false) as silencioso,
       ilegivel(p.desconhecidos, case p.situacao when 'cassado' then ['cassado_em'] when 'encerrado' then ['encerrado_em']
                                                 else ['situacao'] end) as incerto,
       p.desconhecidos,
       p.arquivo,
       p.linha
from extrato.permissionarios p
join registro.normas n using (norma)
where coalesce(p.cadastrado_em <= $as_of, true);
