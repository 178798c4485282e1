-- What one unit of each reference (tariff, UFP, UPFM, reference value) was worth, from when to when.
create or replace table fatos.referencias as
select upper(trim(unidade)) as unidade, vigente_desde, valor,
       coalesce(lead(vigente_desde) over (partition by upper(trim(unidade)) order by vigente_desde), 'infinity'::date) as vigente_antes_de
from extrato.valores_referencia
where vigente_desde <= $as_of and valor is not null
union all
select 'BRL', '-infinity'::date, 1, 'infinity'::date;

-- The amount the norm gives to an infraction on the day of the fact, in R$: NULL where the source is unreadable
-- or the reference value of that day is missing; the milder one where articles and annex disagree.
create or replace view fatos.valor_da_norma as
select i.norma, i.codigo, i.grupo, i.unidade, coalesce(c.valor_adotado, i.valor) as quantidade, r.valor as valor_unidade,
       (coalesce(c.valor_adotado, i.valor) * r.valor)::decimal(18, 2) as valor_norma,
       greatest(coalesce(i.vigente_de, '-infinity'::date), r.vigente_desde) as desde,
       least(coalesce(i.vigente_ate + 1, 'infinity'::date), r.vigente_antes_de) as antes_de
from norma.infracoes i
join fatos.referencias r on r.unidade = i.unidade
left join norma.conflitos c on c.norma = i.norma and c.situacao = 'grupo_diverge' and i.codigo in (c.codigo_artigo, c.codigo_anexo)
where i.valor is not null;
