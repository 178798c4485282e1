"""Parquet files, with the types they bring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa

from checks.extracts.model import UnreadableFile
from checks.extracts.reading.source import Batch

_ROWS = 262_144


class ParquetSource:
    """A Parquet file with its own column types. Lines count its rows from 1."""

    encoding: str | None = None
    delimiter: str | None = None
    excel = False

    def __init__(self, con: duckdb.DuckDBPyConnection, path: Path) -> None:
        """Read the schema; UnreadableFile when it is no Parquet file."""
        import pyarrow.parquet as parquet

        self._path = path
        self.warnings: list[str] = []
        try:
            schema = parquet.read_schema(path)
        except (OSError, pa.ArrowException) as error:
            raise UnreadableFile(f"o Parquet não pôde ser aberto: {str(error).splitlines()[0]}") from None
        self.header = list(schema.names)
        con.register("parquet_vazio", self._plain(schema.empty_table()))
        self.types = [row[1] for row in con.execute("DESCRIBE SELECT * FROM parquet_vazio").fetchall()]
        con.unregister("parquet_vazio")

    @staticmethod
    def _plain(table: pa.Table) -> pa.Table:
        """The table with every kind of text as plain text, and columns named by position."""
        columns = []
        for column in table.columns:
            kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
            textual = pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or pa.types.is_binary(kind)
            columns.append(column.cast(pa.string() if textual else kind))
        return pa.table(columns, names=[f"c{i}" for i in range(len(columns))])

    def batches(self, positions: list[int]) -> Iterator[Batch]:
        """The rows, some hundred thousand at a time."""
        import pyarrow.parquet as parquet

        row = 1
        try:
            with parquet.ParquetFile(self._path) as file:
                for part in file.iter_batches(_ROWS):
                    table = self._plain(pa.Table.from_batches([part])).select([f"c{i}" for i in positions])
                    lines = pa.array(range(row, row + part.num_rows), pa.int64())
                    row += part.num_rows
                    yield Batch(table=table.append_column("linha", lines))
        except (OSError, pa.ArrowException) as error:
            raise UnreadableFile(f"o Parquet não pôde ser lido: {str(error).splitlines()[0]}") from None
