"""Runs as the warehouse remembers them: which one is meant, what it read, by which law and code it judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import duckdb


class DiffError(Exception):
    """The runs asked for can't be compared; the message is Portuguese."""


@dataclass(frozen=True)
class RunInfo:
    """One side of the comparison: what it read and by which law and code it judged."""

    execucao_id: str
    as_of: date
    codigo_versao: str
    #: sha256 of the files in force, by extract.
    cargas: Mapping[str, tuple[str, ...]]
    #: hash of the parameters, by (norma, verificacao).
    parametros: Mapping[tuple[str, str], str]


def run_info(con: duckdb.DuckDBPyConnection, execucao_id: str, base: str = "main") -> RunInfo:
    """What one run read and judged by; `base` is the schema, or `database.schema`, that remembers it."""
    key = {"id": execucao_id}
    as_of, version = con.execute(
        f"select as_of, codigo_versao from {base}.execucao where execucao_id = $id", key
    ).fetchall()[0]
    loads = con.execute(
        f"select extrato, list(sha256 order by sha256) from {base}.carga"
        " where execucao_id = $id and situacao <> 'recusado' and sha256 is not null group by extrato",
        key,
    ).fetchall()
    params = con.execute(
        f"select norma, verificacao, hash from {base}.parametros_historico where execucao_id = $id", key
    ).fetchall()
    return RunInfo(execucao_id, as_of, version, {x: tuple(s) for x, s in loads}, {(n, v): h for n, v, h in params})


def resolve_run(con: duckdb.DuckDBPyConnection, name: str | date) -> str:
    """The id of the run that `name` means; DiffError lists what there is."""
    text = name.isoformat() if isinstance(name, date) else name.strip()
    by_date = con.execute(
        "select execucao_id from execucao_vigente where as_of = try_cast($t as date)", {"t": text}
    ).fetchall()
    if by_date:
        return by_date[0][0]
    found = con.execute(
        "select execucao_id from execucao where situacao <> 'interrompida' and starts_with(execucao_id, $t)"
        " order by execucao_id <> $t, ordem desc",
        {"t": text},
    ).fetchall()
    if len(found) == 1 or (found and found[0][0] == text):
        return found[0][0]
    reason = "corresponde a mais de uma execução" if found else "não é uma execução nem uma data executada"
    raise DiffError(f"«{text}» {reason}. As últimas são: {_recent(con)}.")


def _recent(con: duckdb.DuckDBPyConnection) -> str:
    rows = con.execute(
        "select execucao_id, as_of from execucao where situacao <> 'interrompida' order by ordem desc limit 5"
    ).fetchall()
    return ", ".join(f"{run} ({as_of:%d/%m/%Y})" for run, as_of in rows) or "nenhuma"


def last_run(con: duckdb.DuckDBPyConnection) -> str:
    """The id of the last run executed."""
    rows = con.execute("select execucao_id from ultima_execucao").fetchall()
    if not rows:
        raise DiffError("o banco ainda não tem nenhuma execução. Rode antes `emdia run`.")
    return rows[0][0]


def run_before(con: duckdb.DuckDBPyConnection, para_id: str) -> str:
    """The run that this one took the place of, else the one in force on the date before."""
    rows = (
        con.execute(
            "with p as (select * from execucao where execucao_id = $id)"
            " select e.execucao_id from execucao e, p where e.situacao <> 'interrompida' and e.ordem <"
            " p.ordem"
            " and e.as_of = p.as_of order by e.ordem desc limit 1",
            {"id": para_id},
        ).fetchall()
        or con.execute(
            "select v.execucao_id from execucao_vigente v, execucao p where p.execucao_id = $id and"
            " v.as_of < p.as_of"
            " order by v.as_of desc limit 1",
            {"id": para_id},
        ).fetchall()
    )
    if not rows:
        raise DiffError(f"não há execução anterior com que comparar {para_id}. Há: {_recent(con)}.")
    return rows[0][0]
