"""The lines of the extracts that a finding rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import duckdb

#: Field of the evidence (or kind of subject) → extract and its key.
EXTRACTS = {
    "permissionario": "permissionarios",
    "veiculo": "veiculos",
    "alvara": "alvaras",
    "condutor": "condutores",
    "auto": "autos",
    "linha": "linhas",
    "processo": "processos",
}


@dataclass(frozen=True)
class SourceLine:
    """One row of an extract: the file, its line and the SHA-256 of its content."""

    extrato: str
    registro_id: str
    arquivo: str
    linha: int
    sha256: str | None


def source_lines(con: duckdb.DuckDBPyConnection, achado: dict[str, Any], evidence: dict[str, Any]) -> list[SourceLine]:
    """Where tonight's extracts hold the subject, its holder and every record the evidence names."""
    wanted = {(achado["sujeito_tipo"], achado["sujeito_id"]), ("permissionario", achado["permissionario_id"])}
    wanted |= set(_ids(evidence))
    lines = []
    for kind, table in EXTRACTS.items():
        ids = sorted({i for k, i in wanted if k == kind and i})
        if ids and _exists(con, table):
            lines += con.execute(
                f"select distinct '{table}', x.{kind}_id, x.arquivo, x.linha, c.sha256 from extrato.{table} x"
                f" left join extrato.cargas c on c.extrato = '{table}' and c.arquivo = x.arquivo"
                f" where list_contains($ids, x.{kind}_id) order by all",
                {"ids": ids},
            ).fetchall()
    return [SourceLine(*line) for line in lines]


def _ids(value: Any) -> Iterator[tuple[str, str]]:
    """(kind, id) of every record named in the evidence, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from _ids(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            kind = "auto" if name == "anterior_auto" else name.removesuffix("_id")
            if isinstance(item, str) and kind in EXTRACTS and name in (f"{kind}_id", "anterior_auto"):
                yield kind, item
            else:
                yield from _ids(item)


def _exists(con: duckdb.DuckDBPyConnection, table: str) -> bool:
    rows = con.execute(
        "select 1 from information_schema.columns where table_schema = 'extrato' and table_name = $t"
        " and column_name = 'arquivo'",
        {"t": table},
    ).fetchall()
    return bool(rows)
