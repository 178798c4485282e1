"""Outer blanks off, and what stands for nothing turned into nothing: the same for every text column."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pyarrow.compute as pc

_WORDS = ("null", "n/a")
ABSENT = pa.array(
    ["", "-", *("".join(letters) for w in _WORDS for letters in set(product(*zip(w, w.upper(), strict=True))))]
)


def clean(table: pa.Table) -> pa.Table:
    """`table` with its text trimmed and absent values (empty, `-`, `NULL`, `N/A` in any case) null."""
    columns = [_clean(column) if pa.types.is_string(column.type) else column for column in table.columns]
    return pa.table(columns, names=table.column_names)


def _clean(column: pa.ChunkedArray) -> pa.ChunkedArray:
    trimmed = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(trimmed, value_set=ABSENT), pa.scalar(None, pa.string()), trimmed)
