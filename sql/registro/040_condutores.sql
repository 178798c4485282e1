-- Crew that exists on $as_of. `ativo`: not desligado, matricula not cassada, holder in service.
-- A suspension dated after $as_of has not happened; a cassada matricula carries no date, so it counts as already.
create or replace table registro.condutores as
select c.* exclude (matricula_situacao, suspenso_em, suspenso_ate, desligado_em),
       p.norma, p.nid, p.mes_sem_dia, p.silencioso as dono_silencioso, p.tipo_pessoa,
       case when c.matricula_situacao = 'suspensa' and c.suspenso_em > $as_of then 'ativa'
            else coalesce(c.matricula_situacao, 'ativa') end as matricula_situacao,
       ate(c.suspenso_em, $as_of) as suspenso_em,
       case when coalesce(c.suspenso_em <= $as_of, true) then c.suspenso_ate end as suspenso_ate,
       ate(c.desligado_em, $as_of) as desligado_em,
       not p.silencioso and not coalesce(c.desligado_em <= $as_of, false)
           and coalesce(c.matricula_situacao, 'ativa') <> 'cassada' as ativo
from extrato.condutores c
join registro.permissionarios p using (permissionario_id)
where coalesce(c.cadastrado_em <= $as_of, true);
