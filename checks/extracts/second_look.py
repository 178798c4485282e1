"""How a column writes its decimals, asked of the whole file when some value is a lone `1.234`."""

from __future__ import annotations

import duckdb

from checks.extracts.columns import Column
from checks.extracts.naming import Naming
from checks.extracts.reading.source import Source
from checks.extracts.typing.cell import Dot, raw_text
from checks.extracts.typing.numbers import LONE_DOT, bare, evidence


def settle(
    con: duckdb.DuckDBPyConnection, source: Source, naming: Naming, columns: list[Column], suspects: str
) -> dict[str, Dot]:
    """Per column with a lone `1.234` among the rows of table `suspects`: thousands, decimal, or unsettled."""
    dots: dict[str, Dot] = {}
    for column in columns:
        native = source.types[naming.positions[column.name]]
        if native != "VARCHAR":
            dots[column.name] = "decimal"
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
        if batch.table is not None:
            con.register("coluna_relida", batch.table)
        elif not batch.sql:
            continue
        origin = batch.sql or "coluna_relida"
        found = con.execute(
            f"SELECT bool_or({comma}), bool_or({point}) "
            f"FROM (SELECT {raw_text(f'c{position}', 'VARCHAR')} AS valor FROM {origin})"
        ).fetchall()[0]
        commas, points = commas or bool(found[0]), points or bool(found[1])
        if batch.table is not None:
            con.unregister("coluna_relida")
    if commas == points:
        return "indefinido"
    return "milhar" if commas else "decimal"
