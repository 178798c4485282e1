"""Parquet files, read by DuckDB itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb

from checks.extracts.model import UnreadableFile
from checks.extracts.reading.source import Batch


class ParquetSource:
    """A Parquet file with its own column types. Lines count its rows from 1."""

    encoding = None
    delimiter = None
    excel = False

    def __init__(self, con: duckdb.DuckDBPyConnection, path: Path) -> None:
        """Read the schema; UnreadableFile when it is no Parquet file."""
        self._file = str(path).replace("'", "''")
        self.warnings: list[str] = []
        try:
            described = con.execute(f"DESCRIBE SELECT * FROM read_parquet('{self._file}')").fetchall()
        except duckdb.Error as error:
            raise UnreadableFile(f"o Parquet não pôde ser aberto: {str(error).splitlines()[0]}") from None
        self.header = [row[0] for row in described]
        self.types = [row[1] for row in described]

    def batches(self, positions: list[int]) -> Iterator[Batch]:
        """One batch: the SQL that reads the file."""
        columns = "".join(f', "{self.header[i].replace(chr(34), chr(34) * 2)}" AS c{i}' for i in positions)
        yield Batch(
            sql=f"(SELECT file_row_number + 1 AS linha{columns} "
            f"FROM read_parquet('{self._file}', file_row_number = true))"
        )
