-- What happened by the as-of date, as views: they cost nothing to the nights that do not read them.
set variable as_of = $as_of;

-- Permits in force on the day: alive, issued and not past their end (an unknown end counts as in force).
create or replace view registro.alvaras_ativos as
select * from registro.alvaras
where not morto and not dono_silencioso and coalesce(fim >= getvariable('as_of'), true);

-- Vehicles in service whose holder is in service.
create or replace view registro.veiculos_ativos as
select * from registro.veiculos where not baixado and not dono_silencioso;

create or replace view registro.vistorias as
select x.vistoria_id, x.veiculo_id, v.norma, v.permissionario_id, x.convocada_em, x.programada_para,
       ate(x.realizada_em, getvariable('as_of')) as realizada_em,
       case when x.realizada_em <= getvariable('as_of') or (x.realizada_em is null and x.resultado = 'ausente') then x.resultado end as resultado,
       ate(x.ciencia_em, getvariable('as_of')) as ciencia_em,
       ate(x.corrigida_em, getvariable('as_of')) as corrigida_em,
       x.itens, x.desconhecidos, x.arquivo, x.linha
from extrato.vistorias x
join registro.veiculos v using (veiculo_id)
where coalesce(x.convocada_em <= getvariable('as_of'), true)
  and coalesce(least(x.convocada_em, x.realizada_em, x.programada_para) <= getvariable('as_of'), true);

create or replace view registro.linhas as
select l.*, n.nid, n.mes_sem_dia from extrato.linhas l join registro.normas n using (norma)
where coalesce(l.iniciada_em <= getvariable('as_of'), true);

-- A vehicle named here may be unknown: the left side is the trip as reported.
create or replace view registro.operacao as
select o.*, v.norma, v.permissionario_id, v.tipo, v.lugares, v.dono_silencioso,
       v.servico, ilegivel(v.desconhecidos, ['servico']) is not null as servico_ilegivel
from extrato.operacao o
left join registro.veiculos v using (veiculo_id)
where o.data <= getvariable('as_of');

create or replace view registro.taxas as
select t.* exclude (pago_em, valor_pago), p.norma, p.silencioso as dono_silencioso, p.cadastrado_em as dono_cadastrado_em,
       ate(t.pago_em, getvariable('as_of')) as pago_em,
       case when t.pago_em > getvariable('as_of') then null else t.valor_pago end as valor_pago
from extrato.taxas t
join registro.permissionarios p using (permissionario_id);

create or replace view registro.obrigacoes as
select o.* exclude (entregue_em), p.norma, p.tipo_pessoa, p.silencioso as dono_silencioso,
       ate(o.entregue_em, getvariable('as_of')) as entregue_em
from extrato.obrigacoes o
join registro.permissionarios p using (permissionario_id);

create or replace view registro.garantias as
select g.*, p.norma, p.silencioso as dono_silencioso
from extrato.garantias g
join registro.permissionarios p using (permissionario_id)
where g.data <= getvariable('as_of');

create or replace view registro.comunicacoes as
select c.* exclude (comunicado_em), p.norma, p.silencioso as dono_silencioso,
       case when c.comunicado_em::date <= getvariable('as_of') then c.comunicado_em end as comunicado_em
from extrato.comunicacoes c
join registro.permissionarios p using (permissionario_id)
where c.ocorrido_em::date <= getvariable('as_of');

create or replace view registro.processos as
select x.processo_id, x.permissionario_id, p.norma, p.silencioso as dono_silencioso, x.ato, x.fundamento, x.instaurado_em,
       ate(x.ciencia_em, getvariable('as_of')) as ciencia_em,
       ate(x.defesa_em, getvariable('as_of')) as defesa_em,
       case when x.decisao is not null and coalesce(x.decisao_em <= getvariable('as_of'), true) then x.decisao end as decisao,
       case when x.decisao is not null then ate(x.decisao_em, getvariable('as_of')) end as decisao_em,
       coalesce(x.ciencia_decisao_em, x.decisao_em) as ciencia_decisao_em,
       ate(x.recurso_em, getvariable('as_of')) as recurso_em,
       case when x.decisao_recurso is not null and coalesce(x.decisao_recurso_em <= getvariable('as_of'), true) then x.decisao_recurso end as decisao_recurso,
       ate(x.decisao_recurso_em, getvariable('as_of')) as decisao_recurso_em,
       x.desconhecidos, x.arquivo, x.linha
from extrato.processos x
join registro.permissionarios p using (permissionario_id)
where x.instaurado_em <= getvariable('as_of');

create or replace view registro.municipios as
select m.municipio, m.uf, n.norma, m.populacao, m.referencia
from extrato.municipios m
join registro.normas n on strip_accents(lower(trim(m.municipio))) = strip_accents(lower(trim(n.municipio))) and upper(m.uf) = n.uf;
