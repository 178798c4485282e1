create table if not exists atos_historico (
    execucao_id varchar not null, as_of date not null, achado_id varchar not null, norma varchar, verificacao varchar, dispositivo varchar,
    situacao varchar, sujeito_tipo varchar, sujeito_id varchar, permissionario_id varchar,
    ato varchar, rotulo varchar, natureza varchar, gravidade integer, competente varchar, aberta_em date, devido_em date,
    etapa varchar, prazo_ate date, pronto boolean, processo_id varchar, processo_arquivado_em date
);

-- what keeps the act from being ready though its stage would let it (ressalvas_historico)
alter table atos_historico add column if not exists ressalva varchar;

create table if not exists processos_historico (
    execucao_id varchar not null, as_of date not null, processo_id varchar, permissionario_id varchar, norma varchar, ato varchar,
    fundamento varchar, instaurado_em date, ciencia_em date, fim_defesa date, defesa_em date, defesa_tempestiva boolean,
    decisao varchar, decisao_em date, ciencia_decisao_em date, fim_recurso date, recurso_em date, decisao_recurso varchar,
    decisao_recurso_em date, etapa varchar, prazo_ate date
);

create or replace view atos as
select * exclude (execucao_id, as_of) from atos_historico where execucao_id = (select execucao_id from ultima_execucao);
