"""Work side by side: order kept, each on its own connection, exceptions told, the caller's context seen."""

import threading
from contextvars import ContextVar
from pathlib import Path

import duckdb
import pytest

from sql.lanes import LANES, side_by_side

WHO: ContextVar[str] = ContextVar("who", default="nobody")


@pytest.fixture
def con(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(str(tmp_path / "banco.duckdb"), config={"threads": 2})
    con.execute("create table escrito (n integer)")
    return con


def prepare(own: duckdb.DuckDBPyConnection) -> None:
    own.execute("create or replace temp macro dobro(n) as 2 * n")


def test_results_come_in_the_order_of_the_items(con: duckdb.DuckDBPyConnection) -> None:
    def run(own: duckdb.DuckDBPyConnection, item: int) -> int:
        own.execute("create or replace temp table passagem as select $n::integer as n", {"n": item})
        own.execute("insert into escrito select n from passagem")
        return int(own.execute("select dobro(n)::integer from passagem").fetchall()[0][0])

    assert side_by_side(con, range(50), run, prepare) == [2 * n for n in range(50)]
    assert con.execute("select count(*), sum(n)::integer from escrito").fetchall() == [(50, 1225)]


def test_no_more_at_a_time_than_the_threads_of_the_warehouse(con: duckdb.DuckDBPyConnection) -> None:
    running, most, guard = 0, 0, threading.Lock()

    def run(own: duckdb.DuckDBPyConnection, _: int) -> None:
        nonlocal running, most
        with guard:
            running += 1
            most = max(most, running)
        own.execute("select count(*) from range(200000) where hash(range) % 7 = 0").fetchall()
        with guard:
            running -= 1

    side_by_side(con, range(20), run, prepare)
    assert 1 <= most <= min(2, LANES)


def test_the_first_failure_in_order_is_raised(con: duckdb.DuckDBPyConnection) -> None:
    def run(_: duckdb.DuckDBPyConnection, item: int) -> int:
        if item % 2:
            raise ValueError(f"item {item}")
        return item

    with pytest.raises(ValueError, match="item 1"):
        side_by_side(con, range(6), run, prepare)


def test_the_context_of_the_caller_is_seen(con: duckdb.DuckDBPyConnection) -> None:
    token = WHO.set("the night")
    try:
        assert side_by_side(con, range(4), lambda _own, _item: WHO.get(), prepare) == ["the night"] * 4
    finally:
        WHO.reset(token)


def test_nothing_to_do(con: duckdb.DuckDBPyConnection) -> None:
    assert side_by_side(con, [], lambda _own, item: item, prepare) == []
