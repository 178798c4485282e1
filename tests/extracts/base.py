"""Small made-up extracts, written and ingested for real."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from checks.extracts.ingest import IngestRequest, IngestResult, Limits, RawStore, ingest

AS_OF = date(2026, 11, 30)
NORMAS = frozenset({"408/2009", "825/2021"})

CPFS = ("52998224725", "11144477735", "12345678909", "98765432100", "00000000191")
CNPJS = ("11222333000181", "12ABC34501DE35")

HOLDERS = """permissionario_id;norma;nome;tipo_pessoa;documento;situacao
P1;408/2009;Viação Açaí Ltda;PJ;11222333000181;ativo
P2;825/2021;José da Silva;PF;52998224725;ativo
"""

VEHICLES = """veiculo_id;permissionario_id;placa;tipo;ano_fabricacao
V1;P1;ABC1234;onibus;2018
V2;P1;DEF1G23;van;2020
V3;P2;IJK7890;motocicleta;2022
"""

AUTOS_HEADER = "auto_id;permissionario_id;codigo;ocorrido_em;veiculo_id;placa;valor;pago_em"


def autos(*rows: str, header: str = AUTOS_HEADER) -> str:
    """An `autos` file with these rows."""
    return "\n".join([header, *rows]) + "\n"


def put(folder: Path, **files: str | bytes) -> Path:
    """Write `<name>.csv` files (`__` in a name stands for a dash); text goes out in UTF-8."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / f"{name.replace('__', '-')}.csv").write_bytes(data)
    return folder


def load(
    folder: Path,
    con: duckdb.DuckDBPyConnection | None = None,
    as_of: date = AS_OF,
    store: RawStore | None = None,
    limits: Limits | None = None,
    normas: frozenset[str] | None = NORMAS,
) -> tuple[duckdb.DuckDBPyConnection, IngestResult]:
    """Ingest a folder, with holders of our own where it has none."""
    if not list(folder.glob("permissionarios*")):
        put(folder, permissionarios=HOLDERS)
    con = con or duckdb.connect()
    result = ingest(con, IngestRequest(folder, as_of, store, limits or Limits(), normas))
    for carga in result.cargas:
        assert carga.balances, carga
    return con, result


def rows(con: duckdb.DuckDBPyConnection, query: str, *values: Any) -> list[tuple[Any, ...]]:
    """All rows of a query."""
    return con.execute(query, list(values)).fetchall()


def values(con: duckdb.DuckDBPyConnection, query: str) -> list[Any]:
    """First column of a query."""
    return [row[0] for row in rows(con, query)]


def remarks(con: duckdb.DuckDBPyConnection, extrato: str = "autos") -> list[tuple[Any, ...]]:
    """(linha, coluna, nivel, motivo) of an extract's rejeitos, in order."""
    return rows(
        con,
        "SELECT linha, coluna, nivel, motivo FROM extrato.rejeitos WHERE extrato = ? "
        "ORDER BY linha NULLS FIRST, coluna, motivo",
        extrato,
    )


def carga(result: IngestResult, extrato: str = "autos") -> Any:
    """The only load of an extract."""
    (found,) = [c for c in result.cargas if c.extrato == extrato]
    return found


def tally(result: IngestResult, extrato: str = "autos") -> tuple[int, int, int, int, int]:
    """lidas, carregadas, rejeitadas, duplicadas, ignoradas over an extract's files."""
    loads = [c for c in result.cargas if c.extrato == extrato]
    names: Iterable[str] = ("lidas", "carregadas", "rejeitadas", "duplicadas", "ignoradas")
    return tuple(sum(getattr(c, name) for c in loads) for name in names)  # type: ignore[return-value]
