-- Synthetic extracts. Variables: operadores, autos (how many), semente, as_of. Table `codigos` (norma, k, codigo, valor)
-- lists the infractions of each norm. Everything is a hash of the row's number: same variables, same rows.
create or replace macro u(i, k) as (hash(i, k, getvariable('semente')) >> 12)::double / 4503599627370496;
create or replace macro dado(i, k, lados) as (hash(i, k, getvariable('semente')) % lados)::integer;
-- Of every hundred operators: 45 mototaxi, 25 and so on. `posto` and `quantos` place a norm inside the hundred.
create or replace macro norma_de(p) as case when p < 45 then '825/2021' when p < 70 then '408/2009' when p < 78 then '1343/1994' when p < 88 then '1854/1999' else '30258/1983' end;
create or replace macro posto(n) as case n when '825/2021' then 0 when '408/2009' then 45 when '1343/1994' then 70 when '1854/1999' then 78 else 88 end;
create or replace macro quantos(n) as case n when '825/2021' then 45 when '408/2009' then 25 when '1343/1994' then 8 when '1854/1999' then 10 else 12 end;
create or replace macro pid(i) as 'P' || lpad(i::varchar, 8, '0');
-- Digits of a CPF with its check digits, from nine digits as a number.
create or replace macro dv(s, peso) as case when s % 11 < 2 then 0 else 11 - s % 11 end;
create or replace macro soma(b, n, p) as list_sum(list_transform(range(n), lambda x: (b // (10 ** (n - 1 - x))::bigint % 10) * (p - x)))::bigint;

-- Days since an operator's registration: nine in ten have been there longer than the history of autos.
create or replace macro casa(i) as (case when dado(i, 7, 10) = 0 then 40 + dado(i, 2, 1960) else 2005 + dado(i, 2, 3000) end)::integer;

create or replace view operadores as
select i, norma_de(i % 100) as norma, pid(i) as permissionario_id,
       i % 100 >= 45 and dado(i, 1, 10) = 0 as empresa,
       getvariable('as_of') - casa(i) as cadastrado_em
from range(getvariable('operadores')) t(i);

-- The digits of a CNPJ ending in 0001: weights of eight digits go 5 to 2 and 9 to 6; 0001 adds 2.
create or replace macro soma_cnpj(b, p) as list_sum(list_transform(range(8), lambda x: (b // (10 ** (7 - x))::bigint % 10) * (2 + (p - x + 6) % 8)))::bigint;

create or replace view permissionarios as
with base as (select *, 100000000 + hash(i, 3, getvariable('semente')) % 899999999 as b from operadores),
     dig as (select *, b // 10 as c, dv(soma(b, 9, 10), 0) as d1, dv(soma_cnpj(b // 10, 5) + 2, 0) as e1 from base),
     doc as (select *, case when empresa then c || '0001' || e1 || dv(soma_cnpj(c, 6) + 3 + 2 * e1, 0)
                            else b::varchar || d1 || dv(soma(b * 10 + d1, 10, 11), 0) end as documento from dig)
select permissionario_id, norma, 'Operador ' || i as nome, case when empresa then 'PJ' else 'PF' end as tipo_pessoa, documento,
       'op' || i || '@correio.example' as email, 'Rua ' || i % 997 as endereco, cadastrado_em,
       greatest(cadastrado_em, getvariable('as_of') - dado(i, 6, 300)) as cadastro_atualizado_em,
       case when dado(i, 4, 200) = 0 then 'encerrado' when dado(i, 4, 200) = 1 then 'cassado' else 'ativo' end as situacao,
       case when dado(i, 4, 200) = 1 then getvariable('as_of') - dado(i, 5, 900) end as cassado_em,
       case when dado(i, 4, 200) = 0 then getvariable('as_of') - dado(i, 5, 900) end as encerrado_em
from doc;

create or replace view frota as
select i, x, norma, permissionario_id, cadastrado_em,
       case x when 0 then 'V' else 'W' end || lpad(i::varchar, 8, '0') as veiculo_id
from operadores, range(2) s(x) where x = 0 or i % 10 in (1, 4, 7);

create or replace view veiculos as
with base as (
    select f.*, p.documento, p.cadastro_atualizado_em, i * 2 + x as v,
           case norma when '825/2021' then 5 when '30258/1983' then 4 when '1854/1999' then 13 else 12 end as vida,
           year(getvariable('as_of')) as ano
    from frota f join permissionarios p using (permissionario_id, norma, cadastrado_em)
)
select veiculo_id, permissionario_id,
       chr((65 + v // 6760000 % 26)::integer) || chr((65 + v // 260000 % 26)::integer) || chr((65 + v // 10000 % 26)::integer) || '-' || lpad((v % 10000)::varchar, 4, '0') as placa,
       case norma when '825/2021' then 'motocicleta' when '408/2009' then 'van' else 'onibus' end as tipo,
       (ano - case when dado(v, 10, 100) < 3 then vida + 1 + dado(v, 11, 3) else dado(v, 11, vida) end)::integer as ano_fabricacao,
       case norma when '825/2021' then 'individual' when '1854/1999' then 'rodoviario' else 'urbano' end as servico,
       case norma when '30258/1983' then getvariable('as_of') - case when dado(v, 10, 100) < 3 then 2600 else dado(v, 12, 1500) end end as nota_fiscal_em,
       case when norma = '30258/1983' and dado(v, 13, 3) = 0 then 12 when norma = '825/2021' then 2 else 36 end as lugares,
       case norma when '825/2021' then 150 end as cilindradas,
       lpad(v::varchar, 11, '0') as renavam, '9BW' || lpad(v::varchar, 14, '0') as chassi, lpad(v::varchar, 6, '0') as numero_ordem,
       case when dado(v, 22, 100) > 0 then documento else '52998224725' end as proprietario_documento,
       getvariable('as_of') + case when dado(v, 14, 100) < 2 then -dado(v, 15, 200) else 1 + dado(v, 15, 364) end as licenciamento_vence_em,
       (ano - case when dado(v, 23, 60) = 0 then 1 else 0 end)::integer as crlv_exercicio,
       getvariable('as_of') + case when dado(v, 24, 60) = 0 then -dado(v, 25, 90) else 1 + dado(v, 25, 360) end as seguro_vence_em,
       'operacao' as funcao, cadastrado_em, cadastro_atualizado_em,
       case when x = 1 and dado(v, 16, 12) = 0 then getvariable('as_of') - dado(v, 17, 700) end as baixado_em,
       case when norma = '825/2021' and dado(v, 18, 2) = 0 then getvariable('as_of') - dado(v, 19, 150) end as declaracao_substituicao_em
from base;

create or replace view alvaras as
with base as (
    select f.*, k, i * 2 + x as v,
           case norma when '408/2009' then 'alvara' when '1854/1999' then 'concessao' else 'permissao' end as modalidade,
           case when dado(i * 2 + x, 20, 100) < 3 then -dado(i * 2 + x, 21, 150) else 10 + dado(i * 2 + x, 21, 350) end as resta
    from frota f, range(2) s(k)
    where x = 0 or norma = '408/2009'
), datas as (
    select *, case when norma = '825/2021' then make_date((year(getvariable('as_of')) - k - case when resta < 0 then 1 else 0 end)::integer, 12, 31)
                   else getvariable('as_of') + (resta - 365 * k)::integer end as valido_ate
    from base
)
select 'A' || lpad(i::varchar, 8, '0') || '-' || x || k as alvara_id, permissionario_id,
       (valido_ate - 364)::date as emitido_em, modalidade, veiculo_id,
       case when norma not in ('825/2021') then 'L' || (i % 400) end as linha_id,
       valido_ate, 'vigente' as situacao
from datas;

create or replace view condutores as
select case x when 0 then 'C' else 'D' end || lpad(i::varchar, 8, '0') as condutor_id, permissionario_id,
       'Condutor ' || i || x as nome, 'motorista' as funcao,
       case x when 0 then 'V' || lpad(i::varchar, 8, '0') end as veiculo_id,
       getvariable('as_of') - 365 * 22 - dado(i * 2 + x, 26, 14000) as nascido_em,
       dado(i * 2 + x, 27, 60) > 0 as residente,
       case norma when '825/2021' then 'A' else 'D' end as cnh_categoria,
       getvariable('as_of') + case when dado(i * 2 + x, 28, 60) = 0 then -dado(i * 2 + x, 29, 200) else 1 + dado(i * 2 + x, 29, 1800) end as cnh_valida_ate,
       false as cnh_restricao,
       case when dado(i * 2 + x, 55, 300) = 0 then 'suspensa' else 'ativa' end as matricula_situacao,
       case when dado(i * 2 + x, 55, 300) = 0 then getvariable('as_of') - dado(i, 56, 40) end as suspenso_em,
       case when dado(i * 2 + x, 55, 300) = 0 then getvariable('as_of') + 20 + dado(i, 57, 40) end as suspenso_ate,
       cadastrado_em, case when dado(i * 2 + x, 58, 40) = 0 then getvariable('as_of') - dado(i, 59, 900) end as desligado_em
from operadores, range(2) s(x) where x = 0 or i % 5 = 0;

-- Autos. `j` may repeat the fact of the one before (equal instants); most are settled, what is open is recent or rare.
create or replace view autos as
with fatos as (
    select j, j - (dado(j, 30, 150) = 0 and j > 0)::integer as f from range(getvariable('autos')) t(j)
), quem as (
    select j, f, u(f, 31) as sorte,
           case when f % 100 < 40 then '825/2021' when f % 100 < 65 then '408/2009' when f % 100 < 75 then '1343/1994' when f % 100 < 87 then '1854/1999' else '30258/1983' end as norma,
           dado(f, 32, 400) as perfil
    from fatos
), operador as (
    -- rank inside the norm: a mild slope everywhere, and one auto in fifty to one operator in five hundred
    select *, (case when perfil < 8 then floor(sorte * getvariable('operadores') / 100 * quantos(norma) / 500)
                    else floor(pow(sorte, 1.25) * getvariable('operadores') / 100 * quantos(norma)) end)::bigint as r
    from quem
), onde as (
    select *, r // quantos(norma) * 100 + posto(norma) + r % quantos(norma) as i from operador
), fato as (
    select o.j, o.norma, o.i, o.f,
           floor(u(o.f, 33) * least(2000, casa(o.i)))::integer as ha,
           dado(o.f, 34, 96) as hora,
           floor(pow(u(o.f, 35), 1.6) * q.n)::integer as k,
           u(o.j, 36) as sina, dado(o.j, 37, 4) as lento, dado(o.j, 38, 9) as espera, dado(o.j, 39, 12) as s1, dado(o.j, 40, 40) as s2, dado(o.j, 41, 25) as s3
    from onde o join (select norma, count(*) as n from codigos group by norma) q using (norma)
), datas as (
    select f.*, c.codigo, c.valor, getvariable('as_of') - ha as dia,
           getvariable('as_of') - ha + case when lento = 0 then espera else 0 end as ciencia,
           sina < 0.15 as defende,
           sina >= 0.15 and sina < 0.17 as cancela,
           sina >= 0.17 and sina < 0.185 as deve,
           case f.norma when '825/2021' then 13 when '408/2009' then 4 when '1343/1994' then 6 when '1854/1999' then 5 else 8 end as prazo
    from fato f join codigos c on c.norma = f.norma and c.k = f.k
), defesas as (
    select *, case when defende then ciencia + 1 + s1 % prazo end as defesa,
           case when defende then case s3 % 10 when 0 then 'parcial' when 1 then 'improcedente' when 2 then 'improcedente' else 'procedente' end end as julgada
    from datas
), julgados as (
    select *, defesa + 10 + s2 as decidida, defende and julgada <> 'improcedente' and s3 < 5 as recorre from defesas
), recursos as (
    select *, case when recorre then decidida + 1 + s1 % 4 end as recurso, case when recorre then decidida + 20 + s2 end as recurso_decidido from julgados
), fim as (
    select *, case when cancela or deve or julgada = 'improcedente' or (recorre and s1 = 0) then null
                   when norma = '408/2009' then coalesce(recurso_decidido, decidida, ciencia) + 1 + s2 % 28
                   else coalesce(recurso_decidido, decidida, ciencia) + 1 + s1 % 4 end as paga
    from recursos
)
select 'I' || lpad(j::varchar, 9, '0') as auto_id, pid(i) as permissionario_id, codigo,
       dia::timestamp + to_minutes((hora * 15)::integer) as ocorrido_em,
       'V' || lpad(i::varchar, 8, '0') as veiculo_id,
       -- one in forty driven by the next operator's driver: recidivism follows the driver
       case when s2 < 32 then case when i % 5 = 0 and s1 < 4 then 'D' else 'C' end || lpad(i::varchar, 8, '0')
            when s2 = 32 then 'C' || lpad(((i + 1) % getvariable('operadores'))::varchar, 8, '0') end as condutor_id,
       case when norma <> '825/2021' then 'L' || (i % 400) end as linha_id,
       'Ponto ' || (j % 997) as local, 'AG' || (j % 61) as agente,
       dia as lavrado_em, case when ciencia > getvariable('as_of') then dia else ciencia end as ciencia_em,
       (valor / 100)::decimal(18, 2) as valor,
       case when norma = '408/2009' then ciencia + 30 end as vence_em,
       case when defesa <= getvariable('as_of') then defesa end as defesa_em,
       case when decidida <= getvariable('as_of') then julgada end as decisao,
       case when decidida <= getvariable('as_of') then decidida end as decisao_em,
       case when decidida + s3 % 6 <= getvariable('as_of') then decidida + s3 % 6 end as ciencia_decisao_em,
       case when julgada = 'parcial' and decidida <= getvariable('as_of') then (valor / 200)::decimal(18, 2) end as valor_decidido,
       case when recurso <= getvariable('as_of') then recurso end as recurso_em,
       case when recurso_decidido <= getvariable('as_of') then case when s1 = 0 then 'provido' else 'negado' end end as decisao_recurso,
       case when recurso_decidido <= getvariable('as_of') then recurso_decidido end as decisao_recurso_em,
       case when paga <= getvariable('as_of') then paga end as pago_em,
       case when paga <= getvariable('as_of') then (case when julgada = 'parcial' then valor / 200 else valor / 100 end)::decimal(18, 2) end as valor_pago,
       case when cancela and ciencia + s2 <= getvariable('as_of') then 'cancelado' else 'ativo' end as situacao,
       case when cancela and ciencia + s2 <= getvariable('as_of') then ciencia + s2 end as cancelado_em
from fim;

create or replace view processos as
select 'R' || lpad(i::varchar, 8, '0') as processo_id, permissionario_id, 'cassacao' as ato,
       getvariable('as_of') - 200 - dado(i, 50, 600) as instaurado_em, 'arquivada' as decisao,
       getvariable('as_of') - 20 - dado(i, 50, 600) as decisao_em
from operadores where norma = '825/2021' and (dado(i, 51, 250) = 0 or i = 0); -- an empty file would be refused

create or replace view valores_referencia as
select unidade, make_date(ano::integer, 1, 1) as vigente_desde, valor::decimal(18, 2) as valor
from (values ('TARIFA_SITIAC', 5.00), ('UFP', 12.34), ('UPFM', 4.56), ('VRE', 100.00)) v(unidade, valor),
     range(year(getvariable('as_of')) - 8, year(getvariable('as_of')) + 1) a(ano);
