"""The row contracts as pandera schemas, and the proof that what was loaded keeps them.

Typing (in SQL) decides row by row what can be read; this looks at the result once more, from the contract alone, so
that a mistake in the typing becomes rejected rows and not wrong findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, cast

import duckdb

from checks.extracts import cited
from checks.extracts.columns import Column, Contract
from checks.extracts.typing.cell import Setting
from checks.extracts.typing.dates import EARLIEST, EARLIEST_BIRTH

if TYPE_CHECKING:
    import pandera.polars as pandera
    import polars as pl

_BATCH = 1_000_000


def schema_of(contract: Contract, setting: Setting) -> pandera.DataFrameSchema:
    """The pandera schema of `extrato.<name>`. pandera is imported here: it takes seconds."""
    import pandera.polars as pandera

    columns = {
        column.name: pandera.Column(
            _polars_type(column),
            checks=_checks(column, setting),
            nullable=not column.required,
            coerce=False,
        )
        for column in contract.columns
    }
    return pandera.DataFrameSchema(columns, checks=list(_row_checks(contract)), strict=True, name=contract.name)


def _polars_type(column: Column) -> Any:
    import polars as pl

    types = {
        "DATE": pl.Date,
        "TIMESTAMP": pl.Datetime("us"),
        "INTEGER": pl.Int32,
        "BOOLEAN": pl.Boolean,
        "DECIMAL(18,2)": pl.Decimal(18, 2),
        "DECIMAL(18,6)": pl.Decimal(18, 6),
    }
    return types.get(column.sql_type, pl.String)


def _checks(column: Column, setting: Setting) -> list[pandera.Check]:
    import pandera.polars as pandera

    latest = setting.latest
    match column.kind:
        case "lista":
            return [pandera.Check.isin(column.values)]
        case "norma":
            return [pandera.Check.isin(sorted(setting.normas))] if setting.normas else []
        case "data" | "nascimento":
            earliest = EARLIEST_BIRTH if column.kind == "nascimento" else EARLIEST
            return [pandera.Check.in_range(earliest, latest)]
        case "instante":
            return [pandera.Check.in_range(_midnight(EARLIEST), _midnight(latest + timedelta(1)), include_max=False)]
        case "ano":
            return [pandera.Check.in_range(EARLIEST.year, latest.year)]
        case "inteiro" | "dinheiro" | "indice":
            return [pandera.Check.ge(0)]
        case _:
            return []


def _midnight(day: date) -> datetime:
    """The start of a day in the municipality's own time, as the extracts have it."""
    return datetime.combine(day, time.min)


def _row_checks(contract: Contract) -> Iterator[pandera.Check]:
    import pandera.polars as pandera
    import polars as pl

    def row_check(expression: pl.Expr, name: str) -> pandera.Check:
        return pandera.Check(lambda data: data.lazyframe.select(expression), name=name)

    if contract.any_of:
        filled = pl.any_horizontal(*(pl.col(name).is_not_null() for name in contract.any_of))
        yield row_check(filled, f"preencha {' ou '.join(contract.any_of)}")
    for rule in contract.required_when:
        kept = pl.col(rule.other).ne_missing(pl.lit(rule.value)) | pl.col(rule.column).is_not_null()
        yield row_check(kept, f"{rule.other} {rule.value} exige {rule.column}")


def enforce(con: duckdb.DuckDBPyConnection, contract: Contract, setting: Setting) -> dict[str, int]:
    """Validate `extrato.<name>`; move the rows that break the contract to `extrato.rejeitos`; {arquivo: moved}."""
    import pandera.errors
    import polars as pl

    schema = schema_of(contract, setting)
    names = [c.name for c in contract.columns]
    failures: list[pl.DataFrame] = []
    reader = con.sql(f"SELECT {', '.join(names)}, rowid AS fila FROM extrato.{contract.name}").to_arrow_reader(_BATCH)
    for arrow in reader:
        frame = cast(pl.DataFrame, pl.from_arrow(arrow))
        try:
            schema.validate(frame.drop("fila"), lazy=True)
        except pandera.errors.SchemaErrors as error:
            cases = error.failure_cases.filter(pl.col("index").is_not_null())
            failures.append(
                cases.select(
                    frame["fila"].gather(cases["index"]).alias("fila"),
                    pl.col("column").cast(pl.String).alias("coluna"),
                    pl.col("failure_case").cast(pl.String).alias("valor"),
                    pl.concat_str(pl.lit("contrato da linha: "), pl.col("check").cast(pl.String)).alias("motivo"),
                )
            )
            if cases.height < error.failure_cases.height:
                raise  # the table itself is not as the contract says: a mistake of ours, not of the data
    if not failures:
        return {}
    broken = pl.concat(failures)
    con.register("contrato_quebrado", broken.to_arrow())
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        SELECT '{contract.name}', t.arquivo, t.linha, CASE WHEN list_contains({names!r}, b.coluna) THEN b.coluna END,
            b.valor, b.motivo, 'rejeitado'
        FROM contrato_quebrado b JOIN extrato.{contract.name} t ON t.rowid = b.fila"""
    )
    cited.keep(
        con, contract, names, "t.", "t.arquivo",
        f"FROM extrato.{contract.name} t SEMI JOIN contrato_quebrado b ON b.fila = t.rowid",
    )  # fmt: skip
    moved = con.execute(
        f"""SELECT arquivo, count(*) FROM extrato.{contract.name}
        WHERE rowid IN (SELECT fila FROM contrato_quebrado) GROUP BY arquivo"""
    ).fetchall()
    con.execute(f"DELETE FROM extrato.{contract.name} WHERE rowid IN (SELECT fila FROM contrato_quebrado)")
    con.unregister("contrato_quebrado")
    return dict(moved)
