"""What the ingest writes about itself: `extrato.cargas`, `extrato.colunas` and remarks on whole files."""

from __future__ import annotations

import duckdb

from checks.extracts.columns import Contract
from checks.extracts.model import FileLoad, IngestResult

_FIELDS = tuple(FileLoad.__dataclass_fields__)


def remark(con: duckdb.DuckDBPyConnection, extrato: str | None, arquivo: str | None, motivo: str, nivel: str) -> None:
    """Write to `extrato.rejeitos` something that concerns no single row."""
    con.execute("INSERT INTO extrato.rejeitos VALUES (?, ?, NULL, NULL, NULL, ?, ?)", [extrato, arquivo, motivo, nivel])


def declare_columns(con: duckdb.DuckDBPyConnection, contract: Contract, present: set[str]) -> None:
    """Write to `extrato.colunas` the contract columns of the load in force."""
    names = [name for name in contract.names if name in present]
    con.execute("INSERT INTO extrato.colunas SELECT ?, unnest(?)", [contract.name, names])


def recorded(con: duckdb.DuckDBPyConnection) -> list[FileLoad]:
    """The loads in `extrato.cargas`."""
    rows = con.execute(f"SELECT {', '.join(_FIELDS)} FROM extrato.cargas").fetchall()
    return [FileLoad(**dict(zip(_FIELDS, row, strict=True))) for row in rows]


def conclude(con: duckdb.DuckDBPyConnection, loads: list[FileLoad], unmatched: tuple[str, ...]) -> IngestResult:
    """Count the warnings of each file and write `extrato.cargas`."""
    rows = con.execute(
        "SELECT extrato, arquivo, count(*) FROM extrato.rejeitos WHERE nivel = 'aviso' GROUP BY ALL"
    ).fetchall()
    warned = {(extrato, arquivo): count for extrato, arquivo, count in rows}
    con.execute("DELETE FROM extrato.cargas")
    for load in loads:
        load.avisos = warned.get((load.extrato, load.arquivo), 0)
    marks = f"({', '.join('?' * len(_FIELDS))})"
    con.execute(
        f"INSERT INTO extrato.cargas VALUES {', '.join([marks] * len(loads))}",
        [getattr(load, name) for load in loads for name in _FIELDS],
    )
    return IngestResult(tuple(loads), unmatched)
