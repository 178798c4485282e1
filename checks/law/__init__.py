"""Is the operator in order: one folder per check (check.toml, check.sql, casos.csv) and the engine that runs them."""
