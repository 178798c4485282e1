"""Run the peers and hold their answers against the night's."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from flows.bench.pares.entrada import Flagged, ours, read_input
from flows.medida import Medida

if TYPE_CHECKING:
    import duckdb

PEERS = ("polars", "pandas", "sqlite")
# SQLite takes minutes beyond this many autos: left out, and said so.
SQLITE_ROWS = 3_000_000


@dataclass(frozen=True)
class Par:
    """One peer: seconds to load and to compute, how many it flagged, and how many answers differ from ours.

    `segundos` None: not run.
    """

    nome: str
    carga: float
    segundos: float | None
    apontados: int
    diferentes: int


def compare(con: duckdb.DuckDBPyConnection) -> tuple[int, list[Par]]:
    """How many the night flagged, and each peer's result."""
    inputs = read_input(con)
    mine = ours(con)
    out = []
    for name in PEERS:
        peer = import_module(f"flows.bench.pares.em_{name}")
        if name == "sqlite" and sum(e.autos.height for e in inputs) > SQLITE_ROWS:
            out.append(Par(name, 0.0, None, 0, 0))
            continue
        found: Flagged = set()
        loading, seconds = 0.0, 0.0
        for e in inputs:
            with Medida() as m:
                data = peer.load(e)
            loading += m.segundos
            with Medida() as m:
                found |= peer.run(e, data)
            seconds += m.segundos
        out.append(Par(name, loading, seconds, len(found), len(found ^ mine)))
    return len(mine), out
