"""The ladder: which act each open finding calls for, who decides it, and where its process stands."""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from sql.layers import run_layer

ACTS = Path(__file__).parent.parent / "data" / "atos.toml"


@cache
def kinds_of_act() -> dict[str, dict[str, Any]]:
    """The acts by id (`achados.consequencia`): rotulo, natureza, gravidade, processo."""
    return tomllib.loads(ACTS.read_text(encoding="utf-8"))


def record_acts(con: duckdb.DuckDBPyConnection, execucao_id: str, as_of: date) -> int:
    """Write `atos_historico` and `processos_historico` for a recorded run; returns how many acts wait.

    Recording again replaces. A penalty is `pronto` only once its defence was presented or its term ran out.
    """
    con.execute(
        "create or replace table resultado.tipos_de_ato(ato varchar, rotulo varchar, natureza varchar,"
        " processo varchar, gravidade integer)"
    )
    con.executemany(
        "insert into resultado.tipos_de_ato values (?, ?, ?, ?, ?)",
        [[a, k["rotulo"], k["natureza"], k.get("processo"), k["gravidade"]] for a, k in kinds_of_act().items()],
    )
    for _ in run_layer(con, "atos", {"execucao_id": execucao_id, "as_of": as_of}):
        pass
    return int(con.execute("select count(*) from resultado.atos").fetchall()[0][0])
