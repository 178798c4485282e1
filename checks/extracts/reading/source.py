"""What every reader gives: a header and batches of numbered rows, all as they stand in the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

import pyarrow as pa


@dataclass(frozen=True)
class BrokenRow:
    """A row that could not be cut into the header's columns. `short`: it has fewer than half of them."""

    linha: int
    valor: str
    motivo: str
    short: bool = False


@dataclass
class Batch:
    """Some rows. `table` is an Arrow table with `linha` and the columns asked for as `c<position>` (None: no row).

    `blank` counts blank lines, which are no rows.
    """

    table: pa.Table | None = None
    broken: list[BrokenRow] = field(default_factory=list)
    blank: int = 0


class Source(Protocol):
    """A file opened for reading.

    header: the names as written. types: what each column holds as read, `VARCHAR` or a native DuckDB type.
    excel: numbers may be dates (days since 1899-12-30). warnings: remarks on the whole file, in Portuguese.
    """

    header: list[str]
    types: list[str]
    encoding: str | None
    delimiter: str | None
    excel: bool
    warnings: list[str]

    def batches(self, positions: list[int]) -> Iterator[Batch]:
        """The rows, from the first, with only the columns at `positions`. May be called again."""
        ...
