"""How a column writes its decimals, asked of the whole file when some value is a lone `1.234`."""

from __future__ import annotations

import duckdb

from checks.extracts.columns import Column
from checks.extracts.naming import Naming
from checks.extracts.reading.source import Source
from checks.extracts.typing.absent import clean
from checks.extracts.typing.cell import Dot
from checks.extracts.typing.numbers import LONE_DOT, bare, evidence


def settle(
    con: duckdb.DuckDBPyConnection, source: Source, naming: Naming, columns: list[Column], suspects: str
) -> dict[str, Dot]:
    """Per column with a lone `1.234` among the rows of table `suspects`: thousands, decimal, or unsettled."""
    dots: dict[str, Dot] = {}
    for column in columns:
        native = source.types[naming.positions[column.name]]
        if native != "VARCHAR":
            dots[column.name] = "decimal"  # the file itself says that it is a number
            continue
        lone = con.execute(
            f"SELECT count(*) FROM {suspects} WHERE regexp_full_match({bare(column.name)}, '{LONE_DOT}')"
        ).fetchall()[0][0]
        if lone:
            dots[column.name] = _read_again(con, source, naming.positions[column.name])
    return dots


def _read_again(con: duckdb.DuckDBPyConnection, source: Source, position: int) -> Dot:
    commas = points = False
    comma, point = evidence("valor")
    for batch in source.batches([position]):
        if batch.table is None:
            continue
        con.register("coluna_relida", clean(batch.table))
        found = con.execute(
            f"SELECT bool_or({comma}), bool_or({point}) FROM (SELECT c{position} AS valor FROM coluna_relida)"
        ).fetchall()[0]
        con.unregister("coluna_relida")
        commas, points = commas or bool(found[0]), points or bool(found[1])
    if commas == points:
        return "indefinido"
    return "milhar" if commas else "decimal"
