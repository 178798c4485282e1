"""Files as text: CSV, Excel and Parquet become batches of numbered rows, nothing named or typed yet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb

from checks.extracts.reading.csv_source import CsvSource
from checks.extracts.reading.parquet_source import ParquetSource
from checks.extracts.reading.source import Source
from checks.extracts.reading.xlsx_source import XlsxSource


def open_source(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    suffix: str,
    extract: str,
    utf8: bool,
    score: Callable[[list[str]], int],
) -> Source:
    """Open a file by its format (`suffix`: the raw store's files have none of their own).

    Raises UnreadableFile with a message in Portuguese.
    """
    if suffix == ".parquet":
        return ParquetSource(con, path)
    if suffix == ".xlsx":
        return XlsxSource(path, extract)
    return CsvSource(path, utf8, score)
