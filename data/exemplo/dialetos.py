"""Writing extracts as municipal systems do: encodings, separators, dates, money, spreadsheets."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

MONEY = frozenset({"valor", "valor_decidido", "valor_pago"})


@dataclass(frozen=True)
class Dialect:
    """How one file is written. `br`: dd/mm/aaaa and `R$ 1.234,56`; otherwise ISO and 1234.56."""

    ext: str = "csv"
    encoding: str = "utf-8"
    separator: str = ";"
    br: bool = False
    crlf: bool = False
    upper: bool = False


DIALECTS = {
    "permissionarios": Dialect(encoding="cp1252", br=True, crlf=True),
    "veiculos": Dialect(encoding="utf-8-sig", br=True),
    "alvaras": Dialect(separator=","),
    "condutores": Dialect(separator="\t"),
    "vistorias": Dialect(encoding="utf-8-sig", br=True, upper=True),
    "autos": Dialect(encoding="cp1252", br=True, crlf=True, upper=True),
    "linhas": Dialect(separator="|"),
    "operacao": Dialect(ext="parquet"),
    "taxas": Dialect(ext="parquet"),
    "garantias": Dialect(ext="xlsx"),
    "comunicacoes": Dialect(br=True),
    "valores_referencia": Dialect(br=True),
    "feriados": Dialect(encoding="cp1252", br=True),
}


def money_text(column: pl.Expr, br: bool) -> pl.Expr:
    """Cents as `R$ 1.234,56` or `1234.56`."""
    reais, cents = column // 100, (column % 100).cast(pl.String).str.zfill(2)
    if not br:
        return reais.cast(pl.String) + "." + cents
    thousands = (reais // 1000).cast(pl.String) + "." + (reais % 1000).cast(pl.String).str.zfill(3)
    whole = pl.when(reais >= 1000).then(thousands).otherwise(reais.cast(pl.String))
    return pl.lit("R$ ") + whole + "," + cents


def as_text(rows: pl.DataFrame, d: Dialect) -> pl.DataFrame:
    """Every column as the text the file will hold; null stays null."""
    out = []
    for name, kind in rows.schema.items():
        c = pl.col(name)
        if name in MONEY:
            c = money_text(c, d.br)
        elif kind == pl.Date:
            c = c.dt.to_string("%d/%m/%Y" if d.br else "%Y-%m-%d")
        elif kind == pl.Datetime:
            c = c.dt.to_string("%d/%m/%Y %H:%M" if d.br else "%Y-%m-%d %H:%M")
        elif kind == pl.Boolean:
            c = pl.when(c).then(pl.lit("sim")).when(~c).then(pl.lit("nao"))
        elif kind != pl.String:
            c = c.cast(pl.String)
        out.append(c.alias(name))
    return rows.select(out)


def write(
    folder: Path,
    name: str,
    rows: pl.DataFrame,
    dirty: Callable[[pl.DataFrame], pl.DataFrame] | None = None,
    footer: str = "",
    extract: str = "",
) -> Path:
    """Write `rows` (typed, money in cents) as `<name>.<ext>` in its extract's dialect.

    `dirty` works on the text of a CSV, before it is written; `footer` is a last line.
    """
    d = DIALECTS.get(extract or name, Dialect())
    path = folder / f"{name}.{d.ext}"
    if d.ext == "parquet":
        money = [money_text(pl.col(c), br=False).cast(pl.Decimal(18, 2)) for c in rows.columns if c in MONEY]
        rows.with_columns(money).write_parquet(path)
    elif d.ext == "xlsx":
        _write_xlsx(path, rows)
    else:
        text = as_text(rows, d)
        text = dirty(text) if dirty else text
        if d.upper:
            text = text.rename({c: c.upper() for c in text.columns})
        end = "\r\n" if d.crlf else "\n"
        body = text.write_csv(separator=d.separator, line_terminator=end)
        path.write_bytes((body + (footer + end if footer else "")).encode(d.encoding))
    return path


def _write_xlsx(path: Path, rows: pl.DataFrame) -> None:
    import xlsxwriter

    # The creation date is part of the file: fixed, so that the same seed gives the same bytes.
    with xlsxwriter.Workbook(str(path)) as book:
        book.set_properties({"created": datetime(2020, 1, 1, tzinfo=UTC).replace(tzinfo=None)})
        shown = rows.with_columns([pl.col(c) / 100 for c in rows.columns if c in MONEY])
        shown.write_excel(book, worksheet="Planilha1", autofit=False, dtype_formats={pl.Date: "dd/mm/yyyy"})
