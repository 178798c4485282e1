"""Synthetic extracts of any size for `emdia bench`, written by DuckDB alone."""
