"""The warehouse: one DuckDB file per municipality, opened the same way everywhere.

DuckDB lets one process write; a second one gets `WarehouseBusy`. Readers use the published copy.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import duckdb

from sql.layers import ROOT, run_file

#: Version of the tables that are kept for ever. Raise it together with a step in `_migrate`.
SCHEMA_VERSION = 1
TIME_ZONE = "America/Bahia"


class WarehouseError(Exception):
    """The warehouse can't be used; the message (Portuguese) says why and what to do."""


class WarehouseBusy(WarehouseError):
    """Another process (or another run inside this one) holds the warehouse."""


class WarehouseInvalid(WarehouseError):
    """The path is not a warehouse: not a DuckDB file, a folder, not writable, damaged."""


class WarehouseTooNew(WarehouseError):
    """The file was written by a later version of the product (or of DuckDB)."""


def open_warehouse(
    path: Path | str, memory_limit: str | None = None, threads: int | None = None
) -> duckdb.DuckDBPyConnection:
    """Open the warehouse for writing, creating file, folder and tables where they don't exist.

    `memory_limit` as DuckDB writes it ("8GB"); spills go to `<file>.tmp` beside it. No extension is ever
    fetched. Raises a `WarehouseError` with a message for people.
    """
    path = Path(path)
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": f"{path}.tmp",
    }
    if memory_limit:
        config["memory_limit"] = memory_limit
    if threads:
        config["threads"] = str(threads)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        con = duckdb.connect(str(path), config=config)
    except (duckdb.Error, OSError) as error:
        raise _explain(path, error) from error
    try:
        con.execute(f"set global TimeZone = '{TIME_ZONE}'")
        _migrate(con, path)
    except duckdb.Error as error:
        con.close()
        raise _explain(path, error) from error
    except BaseException:
        con.close()
        raise
    return con


def read_warehouse(path: Path | str) -> duckdb.DuckDBPyConnection:
    """Open an existing warehouse to look at, changing nothing. Raises a `WarehouseError` for people."""
    path = Path(path)
    if not path.exists():
        raise WarehouseInvalid(f"{path} não existe. Rode antes `emdia run`, ou indique o arquivo com --warehouse.")
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    try:
        con = duckdb.connect(str(path), read_only=True, config=config)
        con.execute(f"set TimeZone = '{TIME_ZONE}'")
        found = con.execute("select max(versao) from esquema").fetchall()[0][0]
    except duckdb.CatalogException as error:
        raise WarehouseInvalid(f"{path} é um arquivo do DuckDB, mas não um banco do emdia.") from error
    except (duckdb.Error, OSError) as error:
        raise _explain(path, error) from error
    if found != SCHEMA_VERSION:
        con.close()
        raise WarehouseTooNew(
            f"{path} está no esquema {found} e esta versão do emdia usa o {SCHEMA_VERSION}. "
            "Rode `emdia run` com a versão atual, ou atualize o emdia."
        )
    return con


def _migrate(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Bring the tables kept for ever to this version; refuse those of a later one."""
    con.execute("create table if not exists esquema (versao integer not null)")
    found = con.execute("select max(versao) from esquema").fetchall()[0][0]
    if found is not None and found > SCHEMA_VERSION:
        raise WarehouseTooNew(
            f"{path} foi gravado por uma versão mais nova do emdia (esquema {found}, esta conhece até "
            f"{SCHEMA_VERSION}). Atualize o emdia; o arquivo não foi alterado."
        )
    con.execute("begin")
    run_file(con, ROOT / "ledger" / "esquema.sql", {})
    if found is None:
        con.execute("insert into esquema values ($v)", {"v": SCHEMA_VERSION})
    con.execute("commit")


def _busy(path: Path, pid: str) -> str:
    who = f" (processo {pid})" if pid else ""
    return (
        f"{path} está em uso por outra execução{who}. Espere que ela termine e tente de novo; "
        f"para só consultar, use a cópia publicada {published_path(path)}."
    )


def published_path(path: Path | str) -> Path:
    """Where readers find the copy published beside the warehouse: `<stem>.publicado.duckdb`."""
    path = Path(path)
    return path.with_name(f"{path.stem}.publicado.duckdb")


def _explain(path: Path, error: Exception) -> WarehouseError:
    """What the engine said, in words that tell what to do."""
    text = str(error)
    if "set lock on file" in text:
        pid = re.search(r"PID (\d+)", text)
        return WarehouseBusy(_busy(path, pid.group(1) if pid else ""))
    if "different configuration" in text:
        return WarehouseBusy(_busy(path, str(os.getpid())))
    if "newer" in text or "storage version" in text.lower():
        return WarehouseTooNew(
            f"{path} foi gravado por uma versão mais nova do DuckDB. Atualize o emdia; "
            f"o arquivo não foi alterado. ({text})"
        )
    if "not a valid DuckDB" in text:
        return WarehouseInvalid(
            f"{path} existe, mas não é um arquivo do DuckDB. Indique outro com --warehouse; este não foi alterado."
        )
    if path.is_dir():
        return WarehouseInvalid(f"{path} é uma pasta; --warehouse pede o nome de um arquivo.")
    return WarehouseInvalid(f"não foi possível abrir {path}: {text}")
