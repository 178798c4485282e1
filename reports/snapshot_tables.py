"""What the published copy holds, table by table, and the views that let `explain` read it like a warehouse."""

from __future__ import annotations

import duckdb

from sql.warehouse import SCHEMA_VERSION

#: Kept out of the copy wherever they occur.
PRIVATE = ("email", "telefone", "endereco", "nascido_em")
#: Masked wherever they occur.
DOCUMENTS = ("documento", "proprietario_documento")
REGISTRY = ("permissionarios", "veiculos", "alvaras", "condutores", "linhas")

#: The evidence of a finding; `masked_evidence` is made by whoever copies.
EVIDENCE = "case when contains(evidencia, 'documento') then masked_evidence(evidencia) else evidencia end as evidencia"

TABLES = {
    "schema_versao": f"select {SCHEMA_VERSION} as versao, execucao_id, as_of from ultima_execucao",
    "achados": f"select * replace ({EVIDENCE}) from achados",
    "encerrados": (
        f"select h.* exclude (execucao_id, as_of) replace ({EVIDENCE}) from encerrados_historico h"
        " semi join execucao_vigente v on v.execucao_id = h.execucao_id"
    ),
    "execucao": (
        "select e.*, v.execucao_id is not null as vigente from execucao e"
        " left join execucao_vigente v on v.execucao_id = e.execucao_id"
    ),
    "carga": "select * from carga",
    "gate_resultado": "select * from gate_resultado",
    "resumo_diario": (
        "select h.as_of, norma, verificacao, situacao, consequencia, sum(quantidade)::bigint as quantidade,"
        " coalesce(sum(quantidade) filter (estado = 'novo'), 0)::bigint as novos,"
        " sum(valor)::decimal(18, 2) as valor"
        " from resumo_historico h semi join execucao_vigente v on v.execucao_id = h.execucao_id"
        " group by all order by all"
    ),
}
#: Reasons to doubt a finding; what was rejected may quote a CPF.
TABLES["ressalvas"] = (
    "select * replace (regexp_replace(valor, '[0-9]{3}[.]?[0-9]{3}[.]?[0-9]{3}-?[0-9]{2}', '***', 'g') as valor)"
    " from ressalvas"
)
#: Earlier nights of the open findings that may end in cassacao.
TABLES["noites"] = (
    "select h.execucao_id, h.as_of, h.achado_id, h.situacao, h.estado from achados_historico h"
    " semi join execucao_vigente v on v.execucao_id = h.execucao_id"
    " semi join (select achado_id from achados where consequencia = 'cassacao'"
    " and situacao in ('violacao', 'a_vencer', 'para_decisao')) a on a.achado_id = h.achado_id"
    " where h.execucao_id <> (select execucao_id from ultima_execucao)"
)
#: The names of the warehouse, over the copy: what reads one reads the other.
VIEWS = """
create schema extrato;
create view extrato.permissionarios as select * from main.permissionarios;
create view extrato.veiculos as select * from main.veiculos;
create view extrato.alvaras as select * from main.alvaras;
create view extrato.condutores as select * from main.condutores;
create view extrato.linhas as select * from main.linhas;
create view extrato.autos as select * from main.autos;
create view extrato.processos as select * from main.processos;
create view extrato.cargas as
    select c.* exclude (execucao_id, as_of) from main.carga c semi join main.schema_versao using (execucao_id);
create view esquema as select versao from main.schema_versao;
create view execucao_vigente as select * exclude (vigente) from main.execucao where vigente;
create view ultima_execucao as
    select e.* exclude (vigente) from main.execucao e semi join main.schema_versao using (execucao_id);
create view processos_historico as
    select s.execucao_id, s.as_of, p.* from main.processos_andamento p cross join main.schema_versao s;
create view atos as
    select a.achado_id, a.norma, a.verificacao, a.dispositivo, a.situacao, a.sujeito_tipo, a.sujeito_id,
           a.permissionario_id, a.consequencia as ato, n.rotulo, n.natureza, n.gravidade, a.competente, a.aberta_em,
           a.devido_em, n.etapa, n.prazo_ate, n.pronto, n.processo_id, n.processo_arquivado_em,
           n.ressalva
    from main.achados a join main.atos_andamento n using (achado_id);
create view atos_historico as
    select s.execucao_id, s.as_of, t.* from atos t cross join main.schema_versao s;
create view ressalvas_historico as
    select s.execucao_id, s.as_of, r.* from main.ressalvas r cross join main.schema_versao s;
create view achados_historico as
    select s.execucao_id, s.as_of, a.* from main.achados a cross join main.schema_versao s
    union all by name select * from main.noites;
create view encerrados_historico as
    select v.execucao_id, v.as_of, e.* from main.encerrados e
    join main.execucao v on v.vigente and v.as_of = e.encerrado_em;
"""
#: Calendar kept in the copy, in years before and after the as-of: where terms of open findings lie.
CALENDAR_YEARS = (6, 2)
#: Operators whose autos and processes are copied: those somebody may have to cassar.
CASSACAO = (
    "(select distinct permissionario_id from achados where consequencia = 'cassacao'"
    " and situacao in ('violacao', 'a_vencer', 'para_decisao'))"
)


def registry_tables(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Registry, autos and processos: table → SELECT."""
    queries = {name: _public(con, name) for name in REGISTRY}
    queries["processos"] = f"{_public(con, 'processos')} where permissionario_id in {CASSACAO}"
    # The state of each auto on the as-of comes from the facts; the words on it from the extract.
    facts = _columns(con, "fatos", "autos")
    words = [c for c in _columns(con, "extrato", "autos") if c not in facts]
    queries["autos"] = (
        f"select f.*, {', '.join(f'x.{c}' for c in words)} from fatos.autos f"
        f" join extrato.autos x using (auto_id) where f.permissionario_id in {CASSACAO}"
        if words
        else f"select * from fatos.autos where permissionario_id in {CASSACAO}"
    )
    return queries


#: What the ladder adds to a finding, and the stage of the latest process of each holder and act. Only what the
#: findings don't already say is written again: a million findings must not cost a second million wide rows.
ACTS = {
    "atos_andamento": (
        "atos_historico",
        "achado_id varchar, rotulo varchar, natureza varchar, gravidade integer, etapa varchar, prazo_ate date,"
        " pronto boolean, processo_id varchar, processo_arquivado_em date, ressalva varchar",
    ),
    "processos_andamento": (
        "processos_historico",
        "processo_id varchar, permissionario_id varchar, norma varchar, ato varchar, fundamento varchar,"
        " instaurado_em date, ciencia_em date, fim_defesa date, defesa_em date, defesa_tempestiva boolean,"
        " decisao varchar, decisao_em date, ciencia_decisao_em date, fim_recurso date, recurso_em date,"
        " decisao_recurso varchar, decisao_recurso_em date, etapa varchar, prazo_ate date",
    ),
}


def act_tables(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Acts and processes of the last run: table → SELECT; empty where the warehouse never recorded any."""
    queries = {}
    for name, (source, columns) in ACTS.items():
        typed = [column.split() for column in columns.split(", ")]
        if _columns(con, "main", source):
            queries[name] = (
                f"select {', '.join(c for c, _ in typed)} from {source}"
                " where execucao_id = (select execucao_id from ultima_execucao)"
            )
        else:
            nothing = ", ".join(f"null::{kind} as {c}" for c, kind in typed)
            queries[name] = f"select {nothing} where false"
    return queries


def law_tables(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Norms in force and their calendar around the as-of: table → SELECT."""
    norms = con.execute(
        "select table_name from information_schema.tables where table_catalog = current_database()"
        " and table_schema = 'norma' order by 1"
    ).fetchall()
    queries = {f"norma.{name}": f"select * from norma.{name}" for (name,) in norms}
    before, after = CALENDAR_YEARS
    for name in ("dias", "feriados"):
        queries[f"calendario.{name}"] = (
            f"select c.* from calendario.{name} c, ultima_execucao u"
            f" where year(c.dia) between year(u.as_of) - {before} and year(u.as_of) + {after}"
        )
    return queries


def _public(con: duckdb.DuckDBPyConnection, name: str) -> str:
    """SELECT of a registry table (as of the night where there is one, else as read) without private data."""
    schema = "registro" if _columns(con, "registro", name) else "extrato"
    columns = [
        f"{masked_document(c)} as {c}" if c in DOCUMENTS else c for c in _columns(con, schema, name) if c not in PRIVATE
    ]
    return f"select {', '.join(columns)} from {schema}.{name}"


def masked_document(column: str) -> str:
    """SQL of a document safe to show: a CNPJ (14 characters) as it is, the middle of a CPF, else nothing."""
    bare = f"regexp_replace({column}, '[^0-9A-Za-z]', '', 'g')"
    return (
        f"case length({bare}) when 14 then {bare}"
        f" when 11 then '***.' || substr({bare}, 4, 3) || '.' || substr({bare}, 7, 3) || '-**'"
        f" else case when {column} is not null then '***' end end"
    )


def _columns(con: duckdb.DuckDBPyConnection, schema: str, table: str) -> list[str]:
    rows = con.execute(
        "select column_name from information_schema.columns where table_catalog = current_database()"
        " and table_schema = $s and table_name = $t order by ordinal_position",
        {"s": schema, "t": table},
    ).fetchall()
    return [name for (name,) in rows]
