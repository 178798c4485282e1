"""The copy that readers open: `<stem>.publicado.duckdb`, whole or not at all, never the warehouse itself.

A reader with the old file open keeps it until it closes it: the new one takes the name, not the content.
CPFs are masked and private contacts left out: the copy is read by people who decide, not by the mailer.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

import duckdb

from reports.documents import mask_evidence
from reports.snapshot_tables import TABLES, VIEWS, act_tables, law_tables, registry_tables
from sql.warehouse import published_path

log = logging.getLogger("emdia.publicacao")


def publish_snapshot(con: duckdb.DuckDBPyConnection, warehouse_path: Path) -> Path:
    """Write tonight's copy beside the warehouse and put it in the place of the old one; returns its path.

    Current findings, the act each calls for and its stage, every closed one, runs, loads, gate, counts per night,
    the registry, norms and calendar, and, where somebody may have to cassar, the autos and processes of the operator
    and the nights of the finding.
    """
    target = published_path(warehouse_path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    _remove(temporary)
    try:
        with suppress(duckdb.NotImplementedException):  # there from the last time on this connection
            con.create_function("masked_evidence", mask_evidence, ["VARCHAR"], "VARCHAR")
        con.execute(f"attach '{str(temporary).replace(chr(39), chr(39) * 2)}' as publicado")
        try:
            con.execute("create schema publicado.norma; create schema publicado.calendario")
            for name, query in {**TABLES, **act_tables(con), **registry_tables(con), **law_tables(con)}.items():
                con.execute(f"create table publicado.{name} as {query}")
        finally:
            con.execute("detach publicado")
        # A view keeps the names it was made with, so views are made where the copy goes by its own name.
        with duckdb.connect(str(temporary)) as copy:
            copy.execute(VIEWS)
        temporary.replace(target)
    finally:
        _remove(temporary)
    log.info("cópia publicada: %d bytes", target.stat().st_size)
    return target


def _remove(path: Path) -> None:
    for leftover in (path, path.with_name(f"{path.name}.wal")):
        with suppress(FileNotFoundError):
            leftover.unlink()
