-- Tables kept for ever, one file per municipality. `ordem` counts executions: the run in force for an
-- as_of is the one with the highest `ordem`, whatever the clocks said.
create table if not exists execucao (
    execucao_id varchar primary key, ordem bigint not null, as_of date not null,
    iniciada_em timestamp, concluida_em timestamp,
    entrada_hash varchar, normas_hash varchar, codigo_versao varchar,
    situacao varchar not null, codigo_saida integer, resumo json, etapas json
);

create table if not exists carga (
    execucao_id varchar not null, as_of date not null, extrato varchar, arquivo varchar, sha256 varchar,
    bytes bigint, codificacao varchar, delimitador varchar,
    lidas bigint, carregadas bigint, rejeitadas bigint, duplicadas bigint, ignoradas bigint, avisos bigint,
    situacao varchar, origem_as_of date, motivo varchar, colunas_desconhecidas varchar[]
);

create table if not exists rejeitos (
    execucao_id varchar not null, as_of date not null,
    extrato varchar, arquivo varchar, linha bigint, coluna varchar, valor varchar, motivo varchar, nivel varchar
);

create table if not exists gate_resultado (
    execucao_id varchar not null, as_of date not null, extrato varchar, expectativa varchar, descricao varchar,
    severidade varchar, sucesso boolean, valor double, observado varchar, esperado varchar, detalhe varchar
);

-- No index: a night inserts a million rows and every reader filters by execucao_id over ordered blocks.
create table if not exists achados_historico (
    execucao_id varchar not null, as_of date not null,
    achado_id varchar not null, verificacao varchar not null, norma varchar not null, dispositivo varchar,
    situacao varchar not null, sujeito_tipo varchar not null, sujeito_id varchar not null,
    permissionario_id varchar, devido_em date, dias integer, consequencia varchar, competente varchar,
    valor decimal(18, 2), estado varchar not null, aberta_em date not null, reaberta integer not null,
    evidencia varchar
);

create table if not exists encerrados_historico (
    execucao_id varchar not null, as_of date not null,
    achado_id varchar not null, verificacao varchar not null, norma varchar not null, dispositivo varchar,
    situacao varchar not null, sujeito_tipo varchar not null, sujeito_id varchar not null,
    permissionario_id varchar, devido_em date, dias integer, consequencia varchar, competente varchar,
    valor decimal(18, 2), estado varchar not null, aberta_em date not null, reaberta integer not null,
    evidencia varchar, encerrado_em date not null, causa varchar not null, visto_em date not null
);

-- Why an open finding may change without anybody's acting: a row rejected on that night that speaks of its subject, or a
-- dispensa of the same subject for a like check. `total`: how many there are, of which the first are kept.
create table if not exists ressalvas_historico (
    execucao_id varchar not null, as_of date not null, achado_id varchar not null, ordem integer not null, total integer not null,
    tipo varchar not null, extrato varchar, arquivo varchar, linha bigint, coluna varchar, valor varchar, motivo varchar,
    dispensa_id varchar, processo varchar, outra_verificacao varchar, valida_ate date, frase varchar not null
);

create table if not exists parametros_historico (
    execucao_id varchar not null, norma varchar not null, verificacao varchar not null, hash varchar not null
);

-- One line per count, so that the trend over months never reads the findings again.
create table if not exists resumo_historico (
    execucao_id varchar not null, as_of date not null, norma varchar, verificacao varchar, situacao varchar,
    consequencia varchar, estado varchar, quantidade bigint, valor decimal(18, 2)
);

-- The run in force for each as_of. An interrupted run left no findings and never is.
create or replace view execucao_vigente as
select * from execucao
where situacao <> 'interrompida'
qualify row_number() over (partition by as_of order by ordem desc) = 1;

create or replace view ultima_execucao as
select * from execucao where situacao <> 'interrompida' order by ordem desc limit 1;

create or replace view achados as
select * exclude (execucao_id, as_of) from achados_historico
where execucao_id = (select execucao_id from ultima_execucao);

create or replace view ressalvas as
select * exclude (execucao_id, as_of) from ressalvas_historico
where execucao_id = (select execucao_id from ultima_execucao);

create or replace view encerrados as
select * exclude (execucao_id, as_of) from encerrados_historico
where execucao_id = (select execucao_id from ultima_execucao);
