"""The points family again, written apart from ours in pandas, polars and SQLite, to compare answers and times."""
