"""Spreadsheets of what a page shows: typed cells, nothing that a spreadsheet would run, CPFs hidden."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from dashboard.mascara import hide_cpfs
from dashboard.recortes import COLUNAS

#: Beginnings that make a spreadsheet take a text for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
LONGEST_CELL = 32_000
WIDTHS = {"data": 12, "inteiro": 10, "dinheiro": 14, "sim_nao": 8}

Chunk = Sequence[tuple[Any, ...]]


def write_csv(columns: Sequence[str], chunks: Iterable[Chunk]) -> Iterator[bytes]:
    """As achados.csv: UTF-8 with BOM, `;`, ISO dates, decimal point; a text that looks like a formula gets a `'`."""
    yield b"\xef\xbb\xbf" + _line(columns)
    for chunk in chunks:
        yield b"".join(_line([_cell(v) for v in row]) for row in chunk)


def _line(values: Sequence[str]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=";", lineterminator="\r\n").writerow(values)
    return buffer.getvalue().encode()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, int | Decimal):
        return str(value)
    text = hide_cpfs(str(value))
    return f"'{text}" if text.startswith(FORMULA) else text


def write_xlsx(
    path: Path, titulo: str, sobre: Sequence[tuple[str, str]], columns: Sequence[str], chunks: Iterable[Chunk]
) -> int:
    """One sheet of rows (dates, numbers and amounts as such, header frozen, filters) and one that says what it is."""
    import xlsxwriter

    book = xlsxwriter.Workbook(
        str(path),
        {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    head = book.add_format({"bold": True, "bottom": 1, "bg_color": "#E7EDF3", "text_wrap": True, "valign": "top"})
    formats = {
        "data": book.add_format({"num_format": "dd/mm/yyyy", "align": "left"}),
        "dinheiro": book.add_format({"num_format": "#,##0.00"}),
        "inteiro": book.add_format({"num_format": "0"}),
    }
    sheet = book.add_worksheet("Achados")
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    sheet.set_landscape()
    kinds = [COLUNAS[c].tipo for c in columns]
    for i, (name, kind) in enumerate(zip(columns, kinds, strict=True)):
        sheet.set_column(i, i, WIDTHS.get(kind, 34 if name == "nome" else 20))
        sheet.write_string(0, i, COLUNAS[name].rotulo, head)
    count = 0
    for chunk in chunks:
        for row in chunk:
            count += 1
            for i, (value, kind) in enumerate(zip(row, kinds, strict=True)):
                if value is None:
                    continue
                if isinstance(value, bool):
                    sheet.write_string(count, i, "sim" if value else "não")
                elif isinstance(value, date | datetime):
                    sheet.write_datetime(count, i, value, formats["data"])
                elif isinstance(value, int | Decimal):
                    sheet.write_number(count, i, value, formats.get(kind))
                else:
                    sheet.write_string(count, i, hide_cpfs(str(value))[:LONGEST_CELL])
    sheet.autofilter(0, 0, max(count, 1), max(len(columns) - 1, 0))
    about = book.add_worksheet("Sobre")
    about.set_column(0, 0, 24)
    about.set_column(1, 1, 80)
    about.write_string(0, 0, titulo, head)
    for i, (name, value) in enumerate([*sobre, ("Linhas", str(count))], start=1):
        about.write_string(i, 0, name)
        about.write_string(i, 1, value)
    book.close()
    return count
