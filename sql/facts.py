"""Registry and facts as of a date: what the checks read, computed once a night."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import duckdb

from sql.layers import Step, run_layer


def build_registry(con: duckdb.DuckDBPyConnection, as_of: date) -> Iterator[Step]:
    """Write `registro.*`: the registry as it stood on `as_of`; what is dated later has not happened."""
    return run_layer(con, "registro", {"as_of": as_of})


def build_facts(con: duckdb.DuckDBPyConnection, as_of: date) -> Iterator[Step]:
    """Write `fatos.*`: terms, age limits, where each auto stands and what it is worth, points."""
    return run_layer(con, "fatos", {"as_of": as_of})


def load_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Create the calendar macros the other layers use."""
    for _ in run_layer(con, "macros", {}):
        pass
