-- The routine of the same operators: inspections, fees, trips, lines, duties, deposits, communications.
-- Most are in order, as in a registry that works: one in fifty or so is late, missing or wrong.
create or replace view linhas as
select 'L' || k as linha_id, norma_de(k % 100) as norma, 'Linha ' || k as nome,
       case when dado(k, 60, 20) = 0 then 'especial' else 'comum' end as categoria,
       getvariable('as_of') - 900 - dado(k, 61, 3000) as iniciada_em, 1 + dado(k, 62, 6) as frota_exigida
from range(400) t(k) where norma_de(k % 100) <> '825/2021';

-- Three inspections of each vehicle, some five months apart; one in eighty failed, and is put right two weeks later.
create or replace view vistorias as
with feitas as (
    select f.veiculo_id, n, ((i * 2 + x) * 3 + n)::integer as t,
           getvariable('as_of') - 10 - dado(i * 2 + x, 70, 130) - 150 * n::integer as realizada_em
    from frota f, range(3) s(n)
)
select 'T' || veiculo_id || n as vistoria_id, veiculo_id,
       realizada_em - 20 - dado(t, 71, 10) as convocada_em, realizada_em - dado(t, 72, 2) as programada_para, realizada_em,
       case when dado(t, 73, 80) = 0 then 'reprovada' else 'aprovada' end as resultado,
       case when dado(t, 73, 80) = 0 then realizada_em end as ciencia_em,
       case when dado(t, 73, 80) = 0 and realizada_em + 14 <= getvariable('as_of') then realizada_em + 14 end as corrigida_em
from feitas;

-- Yearly fees of three years, those of `tarifas` (norma, tipo, categoria, valor in cents), from the year after the first.
create or replace view taxas as
with exercicios as (
    select e::integer as exercicio from range(year(getvariable('as_of')) - 2, year(getvariable('as_of')) + 1) t(e)
), devidas as (
    select o.permissionario_id, t.tipo, e.exercicio, null as veiculo_id, t.valor, o.i * 8 + e.exercicio % 4 as s
    from operadores o, exercicios e
    join tarifas t on t.norma = o.norma and t.categoria in ('todas', 'motocicleta') and t.tipo in ('cracha_permissionario', 'ISSQN')
    where year(o.cadastrado_em) < e.exercicio
    union all
    select f.permissionario_id, t.tipo, e.exercicio, f.veiculo_id, t.valor, (f.i * 2 + f.x) * 8 + 4 + e.exercicio % 4
    from frota f, exercicios e
    join tarifas t on t.norma = f.norma and t.tipo in ('TVTM', 'TVTI')
        and t.categoria = case f.norma when '825/2021' then 'motocicleta' else 'van' end
    where year(f.cadastrado_em) < e.exercicio
), datas as (
    select *, make_date(exercicio, 3, 31) as vence_em, dado(s, 80, 60) > 0 as paga from devidas
)
select permissionario_id, tipo, exercicio, veiculo_id, vence_em, (valor / 100)::decimal(18, 2) as valor,
       case when paga then vence_em - dado(s, 81, 60) end as pago_em,
       case when paga then (valor / 100)::decimal(18, 2) end as valor_pago
from datas;

-- The last ten days of a third of the vehicles.
create or replace view operacao as
select getvariable('as_of') - n::integer as data, f.veiculo_id, 10 as viagens_programadas,
       10 - case when dado((i * 2 + x) * 10 + n, 90, 40) = 0 then 2 else 0 end as viagens_realizadas,
       20 + dado((i * 2 + x) * 10 + n, 91, 30) as lotacao_maxima, 'C' || lpad(i::varchar, 8, '0') as condutor_id
from frota f, range(10) s(n)
where f.norma <> '825/2021' and (i + x) % 5 < 3 and f.veiculo_id in (select veiculo_id from veiculos where baixado_em is null);

create or replace view obrigacoes as
with pedidas as (
    select 'balanco' as tipo, a::varchar as referencia, make_date((a + 1)::integer, 3, 20) as alvo, ['1343/1994', '30258/1983'] as normas
    from range(year(getvariable('as_of')) - 3, year(getvariable('as_of'))) t(a)
    union all
    select 'relatorio_operacional', year(getvariable('as_of')) || '-B' || b, make_date(year(getvariable('as_of'))::integer, (2 * b + 1)::integer, 8),
           ['1854/1999']
    from range(1, 6) t(b)
)
select permissionario_id, tipo, referencia, case when dado(o.i, 95, 30) > 0 then alvo - dado(o.i, 96, 30) end as entregue_em
from operadores o, pedidas p
where o.empresa and list_contains(p.normas, o.norma) and o.cadastrado_em < alvo and alvo <= getvariable('as_of');

create or replace view garantias as
select permissionario_id, 'deposito' as movimento, cadastrado_em as data, (50000 + dado(i, 97, 40) * 1000)::decimal(18, 2) as valor,
       'dinheiro' as modalidade
from operadores where empresa and norma in ('1343/1994', '1854/1999', '30258/1983');

create or replace view comunicacoes as
select permissionario_id,
       (['acidente', 'endereco', 'baixa_de_veiculo', 'alteracao_social', 'substituicao_de_veiculo'])[1 + dado(i, 98, 5)] as tipo,
       (getvariable('as_of') - 3 - dado(i, 99, 500))::timestamp + to_hours(dado(i, 100, 24)) as ocorrido_em,
       (getvariable('as_of') - 3 - dado(i, 99, 500))::timestamp + to_hours(dado(i, 100, 24) + case when dado(i, 101, 15) = 0 then 400 else 6 end) as comunicado_em
from operadores where i % 8 = 3;
