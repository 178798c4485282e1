"""Reading a table that a warehouse may not have."""

from __future__ import annotations

from typing import Any

import duckdb


def rows_of(con: duckdb.DuckDBPyConnection, table: str, where: str, params: dict[str, Any]) -> list[dict[str, Any]]:
    """Rows of a table as dictionaries; nothing where the warehouse has no such table (or column)."""
    try:
        con.execute(f"select * from {table} where {where}", params)
    except (duckdb.CatalogException, duckdb.BinderException):
        return []
    names = [column[0] for column in con.description or ()]
    return [dict(zip(names, row, strict=True)) for row in con.fetchall()]
