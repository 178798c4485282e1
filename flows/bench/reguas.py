"""The yardsticks: what DuckDB itself needs to read the columns, and to sort the autos into a new table."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from flows.medida import Medida

if TYPE_CHECKING:
    import duckdb

# What the points family reads of an auto.
NARROW = ("permissionario_id", "condutor_id", "codigo", "ocorrido_em", "ciencia_em", "situacao")
ORDER = "order by permissionario_id, ocorrido_em"
REPEATS = 3


@dataclass(frozen=True)
class Regua:
    """One yardstick: the median of three, the rows it went over, and its peak resident memory (MiB)."""

    nome: str
    titulo: str
    segundos: float
    linhas: int
    pico_mb: float


def yardsticks(con: duckdb.DuckDBPyConnection) -> dict[str, Regua]:
    """Scan and floors over `extrato.autos`, on the night's own warehouse and settings."""
    from checks.extracts.contracts import contracts

    wide = ", ".join(contracts()["autos"].names)
    narrow = ", ".join(NARROW)
    scan = ", ".join(f"count({c}), min({c}), max({c})" for c in NARROW)
    rows = int(con.execute("select count(*) from extrato.autos").fetchall()[0][0])
    plan = {
        "leitura": (f"leitura das {len(NARROW)} colunas", f"select {scan} from extrato.autos"),
        "piso": (
            "piso: autos ordenados, todas as colunas",
            f"create or replace table piso as select {wide} from extrato.autos {ORDER}",
        ),
        "piso_estreito": (
            f"piso estreito: {len(NARROW)} colunas",
            f"create or replace table piso as select {narrow} from extrato.autos {ORDER}",
        ),
    }
    out = {}
    for name, (title, sql) in plan.items():
        times, peak = [], 0.0
        for _ in range(REPEATS):
            with Medida() as m:
                con.execute(sql).fetchall()
            times.append(m.segundos)
            peak = max(peak, m.pico_mb)
        out[name] = Regua(name, title, median(times), rows, peak)
    con.execute("drop table if exists piso")
    return out
