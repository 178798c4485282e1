"""The ladder: which act each open finding calls for, who decides it, and where its process stands."""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from sql.layers import run_layer

DATA = Path(__file__).parent.parent / "data"


@cache
def kinds_of_act() -> dict[str, dict[str, Any]]:
    """The acts by id (`achados.consequencia`): rotulo, natureza, gravidade, processo, por_auto."""
    return tomllib.loads((DATA / "atos.toml").read_text(encoding="utf-8"))


@cache
def steps_of_checks() -> dict[str, dict[str, Any]]:
    """Checks whose findings call for something other than a process (see the file): passo, em_aberto, so_a_favor."""
    return tomllib.loads((DATA / "passos.toml").read_text(encoding="utf-8"))


def only_in_favour() -> tuple[str, ...]:
    """Checks that concern the operator only where the difference (`evidencia.diferenca`) was charged too much."""
    return tuple(sorted(c for c, s in steps_of_checks().items() if s.get("so_a_favor")))


def who_draws_up(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Norm → who draws up autos under it; a norm that names nobody (or a warehouse of before) is not there."""
    try:
        return dict(
            con.execute(
                "select norma, string_agg(autoridade, '; ' order by autoridade) from norma.autoridades"
                " where papel = 'autua' group by norma"
            ).fetchall()
        )
    except (duckdb.BinderException, duckdb.CatalogException):
        return {}


def record_acts(con: duckdb.DuckDBPyConnection, execucao_id: str, as_of: date) -> int:
    """Write `atos_historico` and `processos_historico` for a recorded run; returns how many acts wait.

    Recording again replaces. A penalty is `pronto` only once its defence was presented or its term ran out; a fine,
    once it is final and overdue.
    """
    con.execute(
        "create or replace table resultado.tipos_de_ato(ato varchar, rotulo varchar, natureza varchar,"
        " processo varchar, gravidade integer, por_auto boolean)"
    )
    con.executemany(
        "insert into resultado.tipos_de_ato values (?, ?, ?, ?, ?, ?)",
        [
            [a, k["rotulo"], k["natureza"], k.get("processo"), k["gravidade"], k.get("por_auto", False)]
            for a, k in kinds_of_act().items()
        ],
    )
    con.execute("create or replace table resultado.passos(verificacao varchar, passo varchar, em_aberto boolean)")
    con.executemany(
        "insert into resultado.passos values (?, ?, ?)",
        [[c, s["passo"], s.get("em_aberto", False)] for c, s in steps_of_checks().items()],
    )
    for _ in run_layer(con, "atos", {"execucao_id": execucao_id, "as_of": as_of}):
        pass
    return int(con.execute("select count(*) from resultado.atos").fetchall()[0][0])
