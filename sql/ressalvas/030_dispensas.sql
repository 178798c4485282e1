-- The open findings whose subject somebody waived for a check that judges the same fact, or for one that can't be
-- told: the name was not read, or is of no check.
create or replace temp table ressalvas_dispensas as
with em_vigor as (
    select * replace (nullif(trim(verificacao), '') as verificacao),
           coalesce(list_contains(desconhecidos, 'verificacao'), false)
             or coalesce(trim(verificacao) not in (select verificacao from ressalvas_leituras), false) as ilegivel
    from extrato.dispensas
    where $as_of between valida_de and valida_ate
)
select a.achado_id, d.dispensa_id, d.processo, d.autoridade, d.motivo, d.valida_ate, d.verificacao
from achados_historico a
join em_vigor d on d.sujeito_tipo = a.sujeito_tipo and d.sujeito_id = a.sujeito_id
left join ressalvas_parecidas p on p.verificacao = a.verificacao and p.outra = d.verificacao
where a.execucao_id = $execucao_id and a.situacao in ('violacao', 'a_vencer', 'para_decisao') and (d.ilegivel or p.outra is not null);
