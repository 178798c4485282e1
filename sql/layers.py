"""Run the numbered layers of SQL files: sql/<layer>/NNN_name.sql, in order, timed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

ROOT = Path(__file__).parent


@dataclass(frozen=True)
class Step:
    """One SQL file that ran: its name and the wall seconds it took."""

    name: str
    seconds: float


def bind(text: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Keep only the named parameters that the text uses: DuckDB refuses an extra one."""
    return {name: value for name, value in params.items() if f"${name}" in text}


def run_file(con: duckdb.DuckDBPyConnection, path: Path, params: Mapping[str, Any]) -> Step:
    """Execute every statement of one SQL file with the parameters it names."""
    start = time.perf_counter()
    for statement in con.extract_statements(path.read_text(encoding="utf-8")):
        con.execute(statement, bind(statement.query, params))
    return Step(path.stem, time.perf_counter() - start)


def run_layer(con: duckdb.DuckDBPyConnection, layer: str, params: Mapping[str, Any]) -> Iterator[Step]:
    """Run the files of a layer in the order of their numbers, yielding what each one cost."""
    for path in sorted((ROOT / layer).glob("*.sql")):
        yield run_file(con, path, params)
