"""What composing reads: the municipality's data, opened for reading, for as short a time as it takes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

import duckdb

from notices.delivery.brakes import Violations
from notices.delivery.told import register_already
from sql.warehouse import WarehouseBusy, read_warehouse

STEP = 1.0  # seconds between two tries


class NoNight(Exception):
    """There is no night for that date; the message (Portuguese) says which there is."""


@contextmanager
def open_reader(warehouse: Path, ledger: Path, espera: float) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse, read-only, with the temporary table `entregue` of what was told already.

    The warehouse and not the published copy, which leaves e-mail addresses out. While it is open no night can start,
    so close it before sending. Waits up to `espera` seconds for a night to end, then raises `WarehouseBusy`.
    """
    fim = time.monotonic() + espera
    while True:
        try:
            con = read_warehouse(warehouse)
            break
        except WarehouseBusy:
            if time.monotonic() >= fim:
                raise
            time.sleep(STEP)
    with con:
        register_already(con, ledger)
        yield con


def night(con: duckdb.DuckDBPyConnection, as_of: date | None) -> date:
    """The date of the night to tell of: the one asked for, or the last. Raises `NoNight`."""
    ultima = con.execute("select max(as_of) from ultima_execucao").fetchall()[0][0]
    if ultima is None:
        raise NoNight("o banco ainda não tem nenhuma noite: rode `emdia run` antes.")
    if as_of is None:
        return date.fromisoformat(str(ultima))
    if not con.execute("select 1 from execucao_vigente where as_of = ?", [as_of]).fetchall():
        raise NoNight(f"não há noite de {as_of:%d/%m/%Y} no banco (a última é {ultima:%d/%m/%Y}): rode `emdia run`.")
    return as_of


def held_back(con: duckdb.DuckDBPyConnection) -> int:
    """How many findings the notices just composed leave out until somebody looks at them."""
    try:
        return int(con.execute("select count(*) from temp.avisos_retidos").fetchall()[0][0])
    except duckdb.CatalogException:
        return 0


def violations(con: duckdb.DuckDBPyConnection, as_of: date) -> Violations:
    """Proved violations on the date, and on the last night that is one to two weeks older."""
    agora, antes = con.execute(
        "with noites as (select v.as_of, coalesce(sum(quantidade) filter (h.situacao = 'violacao'), 0)::bigint as n"
        "  from execucao_vigente v left join resumo_historico h on h.execucao_id = v.execucao_id group by all)"
        " select max(n) filter (as_of = $d),"
        " max_by(n, as_of) filter (as_of between $d - 14 and $d - 7) from noites",
        {"d": as_of},
    ).fetchall()[0]
    return Violations(agora or 0, antes)
