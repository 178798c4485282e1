"""The copy that readers open: `<stem>.publicado.duckdb`, whole or not at all, never the warehouse itself.

A reader with the old file open keeps it until it closes it: the new one takes the name, not the content.
CPFs are masked and private contacts left out: the copy is read by people who decide, not by the mailer.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

import duckdb

from sql.warehouse import SCHEMA_VERSION, published_path

log = logging.getLogger("emdia.publicacao")

#: Kept out of the copy wherever they occur.
PRIVATE = ("email", "telefone", "endereco", "nascido_em")
#: Masked wherever they occur.
DOCUMENTS = ("documento", "proprietario_documento")
REGISTRY = ("permissionarios", "veiculos", "alvaras", "condutores", "linhas")

TABLES = {
    "schema_versao": f"select {SCHEMA_VERSION} as versao, execucao_id, as_of from ultima_execucao",
    "achados": "select * from achados",
    "encerrados": (
        "select h.* exclude (execucao_id, as_of) from encerrados_historico h"
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
#: Operators whose autos and processes are copied: those somebody may have to cassar.
CASSACAO = (
    "(select distinct permissionario_id from achados where consequencia = 'cassacao'"
    " and situacao in ('violacao', 'a_vencer', 'para_decisao'))"
)


def publish_snapshot(con: duckdb.DuckDBPyConnection, warehouse_path: Path) -> Path:
    """Write tonight's copy beside the warehouse and put it in the place of the old one; returns its path.

    Current findings, every closed one, runs, loads, gate, counts per night, the registry, and the autos and
    processes of the operators with an open finding whose consequence is cassacao.
    """
    target = published_path(warehouse_path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    _remove(temporary)
    try:
        con.execute(f"attach '{str(temporary).replace(chr(39), chr(39) * 2)}' as publicado")
        try:
            for name, query in {**TABLES, **_registry(con)}.items():
                con.execute(f"create table publicado.{name} as {query}")
        finally:
            con.execute("detach publicado")
        temporary.replace(target)
    finally:
        _remove(temporary)
    log.info("cópia publicada: %d bytes", target.stat().st_size)
    return target


def _remove(path: Path) -> None:
    for leftover in (path, path.with_name(f"{path.name}.wal")):
        with suppress(FileNotFoundError):
            leftover.unlink()


def _registry(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
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


def _public(con: duckdb.DuckDBPyConnection, name: str) -> str:
    """SELECT of a registry table (as of the night where there is one, else as read) without private data."""
    schema = "registro" if _columns(con, "registro", name) else "extrato"
    columns = [
        f"{masked_document(c)} as {c}" if c in DOCUMENTS else c
        for c in _columns(con, schema, name)
        if c not in PRIVATE
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
