"""Write synthetic extracts: `write_bench(folder, scale, fmt)`. DuckDB does all of it, straight to files."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import duckdb
import polars as pl

from data.exemplo.infracoes import codes
from data.exemplo.pessoas import NORMS
from data.exemplo.tabela_de_taxas import renewal_fees
from data.exemplo.tabelas import UNITS, holidays, towns, waiting_list

VERSION = 3
SEED = 825
AS_OF = date(2026, 11, 30)
Format = Literal["csv", "parquet"]
HERE = Path(__file__).parent
EXTRACTS = (
    "permissionarios",
    "veiculos",
    "alvaras",
    "condutores",
    "autos",
    "processos",
    "valores_referencia",
    "linhas",
    "vistorias",
    "taxas",
    "operacao",
    "obrigacoes",
    "garantias",
    "comunicacoes",
)


@dataclass(frozen=True)
class Scale:
    """How big, and the usual format of that size."""

    operadores: int
    autos: int
    formato: Format


SCALES = {
    "S": Scale(10_000, 100_000, "csv"),
    "M": Scale(100_000, 2_000_000, "csv"),
    "L": Scale(1_000_000, 20_000_000, "parquet"),
}


def write_bench(
    folder: Path, scale: str | Scale, fmt: Format | None = None, seed: int = SEED, as_of: date = AS_OF
) -> Path:
    """Write the extracts of `scale` (S, M, L or a Scale) under `folder` and return their folder.

    Cached by size, format, seed, date and the version of this generator: a finished folder is used as it is.
    """
    size = SCALES[scale] if isinstance(scale, str) else scale
    fmt = fmt or size.formato
    target = folder / f"{size.operadores}x{size.autos}-{fmt}-{as_of}-s{seed}-v{VERSION}"
    if (target / "pronto").is_file():
        return target / "extratos"
    (target / "extratos").mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as con:
        for name, value in {"operadores": size.operadores, "autos": size.autos, "semente": seed}.items():
            con.execute(f"set variable {name} = {int(value)}")
        con.execute(f"set variable as_of = date '{as_of.isoformat()}'")
        _codes(con)
        _fees(con)
        for script in ("gerador.sql", "rotina.sql"):
            con.execute((HERE / script).read_text(encoding="utf-8"))
        options = "format parquet" if fmt == "parquet" else "format csv, header, delimiter ';'"
        for name in EXTRACTS:
            path = str(target / "extratos" / f"{name}.{fmt}").replace("'", "''")
            con.execute(f"copy (from {name}) to '{path}' ({options})")
    day = pl.Series([as_of]).to_numpy()[0]
    for name, table in {
        "feriados": holidays(day),
        "municipios": towns(day),
        "lista_espera": waiting_list(seed, day),
    }.items():
        table.write_csv(target / "extratos" / f"{name}.csv", separator=";")
    (target / "pronto").touch()
    return target / "extratos"


def _codes(con: duckdb.DuckDBPyConnection) -> None:
    """The infractions of each norm with their amount in cents at the bench's reference values."""
    worth = {**UNITS, "BRL": 100}
    rows = [
        (norm, k, c.codigo, round((c.valor or 0) * worth[c.unidade]))
        for norm in NORMS
        for k, c in enumerate(codes(norm))
    ]
    con.execute("create table codigos (norma varchar, k integer, codigo varchar, valor bigint)")
    con.executemany("insert into codigos values (?, ?, ?, ?)", rows)


def _fees(con: duckdb.DuckDBPyConnection) -> None:
    """The yearly fees of each norm that has them in R$, in cents."""
    rows = [(norm, kind, category, cents) for norm in NORMS for (kind, category), cents in renewal_fees(norm).items()]
    con.execute("create table tarifas (norma varchar, tipo varchar, categoria varchar, valor bigint)")
    con.executemany("insert into tarifas values (?, ?, ?, ?)", rows)
