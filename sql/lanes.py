"""Independent pieces of work side by side, each on a connection of its own.

Over small tables most of a statement is planning, which takes one core: several at a time use the others. Over big
ones a single statement takes every core, and two would only need twice the memory: whoever calls says which is which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue
from typing import TypeVar

import duckdb

#: At most so many at a time, and never more than the threads the warehouse may use.
LANES = 4

T = TypeVar("T")
R = TypeVar("R")


def side_by_side(
    con: duckdb.DuckDBPyConnection,
    items: Iterable[T],
    run: Callable[[duckdb.DuckDBPyConnection, T], R],
    prepare: Callable[[duckdb.DuckDBPyConnection], None],
) -> list[R]:
    """`run(connection, item)` for every item, some at a time; the results in the order of the items.

    `prepare` readies each connection: variables, temporary tables and temporary macros are its own. The first
    exception of a `run` is raised once the others under way have ended.
    """
    threads = con.execute("select current_setting('threads')").fetchall()[0][0]
    lanes = [con.cursor() for _ in range(max(1, min(int(threads), LANES)))]
    free: SimpleQueue[duckdb.DuckDBPyConnection] = SimpleQueue()
    for own in lanes:
        prepare(own)
        free.put(own)

    def run_on_a_free_one(item: T) -> R:
        own = free.get()
        try:
            return run(own, item)
        finally:
            free.put(own)

    try:
        with ThreadPoolExecutor(len(lanes)) as pool:
            # the log of a flow knows its run by the context
            coming = [pool.submit(copy_context().run, run_on_a_free_one, item) for item in items]
            try:
                return [future.result() for future in coming]
            finally:
                for future in coming:
                    future.cancel()
    finally:
        for own in lanes:
            own.close()  # and with it, its temporary tables
