-- The delivery ledger: one SQLite file beside the warehouse. Instants are ISO 8601 text with offset.
create table if not exists rodada (
    rodada_id text primary key,               -- tipo-AAAAMMDD
    tipo text not null,
    as_of text not null,
    criada_em text not null,
    situacao text not null,                   -- aberta, aguarda, liberada, cancelada
    motivos text not null default '',         -- why the breaker asks, one a line
    decidida_em text,
    decidida_por text
) strict;

create table if not exists eml (
    sha256 text primary key,                  -- of the message exactly as it goes through the line
    conteudo blob not null                    -- zlib
) strict, without rowid;

create table if not exists mensagem (
    n integer primary key,                    -- order of composition
    chave text not null unique,
    rodada_id text not null references rodada,
    tipo text not null,
    as_of text not null,
    normas text not null,                     -- JSON
    destinatario_id text not null,
    endereco text,
    message_id text,
    eml_sha256 text references eml,
    estado text not null check (estado in ('preparada', 'enviando', 'enviada', 'recusada', 'incerta', 'suprimida')),
    motivo text,
    aprovada integer not null default 0,      -- past the breaker, by itself or by a person
    tentativas integer not null default 0,
    proxima_em text,
    codigo integer,                           -- the server's last answer
    resposta text,
    mudou_em text not null
) strict;
create index if not exists mensagem_estado on mensagem (estado, tipo);
create index if not exists mensagem_rodada on mensagem (rodada_id);
create index if not exists mensagem_destinatario on mensagem (destinatario_id, estado);

-- One row per recipient, finding (each time it opens) and step; its state is the message's.
create table if not exists entrega (
    destinatario_id text not null,
    achado_id text not null,
    reaberta integer not null,
    degrau text not null,
    chave text not null references mensagem (chave),
    verificacao text not null,
    norma text not null,
    situacao text not null,
    devido_em text,
    valor text,
    primary key (destinatario_id, achado_id, reaberta, degrau)
) strict, without rowid;
create index if not exists entrega_chave on entrega (chave);

-- Every change of state, for ever.
create table if not exists evento (
    evento_id integer primary key,
    em text not null,
    chave text not null,
    de text,
    para text not null,
    detalhe text
) strict;
create index if not exists evento_chave on evento (chave);

create table if not exists endereco_ruim (
    endereco text primary key,
    destinatario_id text not null,
    desde text not null,
    codigo integer,
    resposta text
) strict, without rowid;

create table if not exists pausa (
    norma text primary key,                   -- '*': all of them
    desde text not null,
    por text not null,
    motivo text not null
) strict, without rowid;
