"""Which night the facts of the warehouse are of, and which of its sources are stale."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import duckdb

from notices.compose.errors import ComposeError


@dataclass(frozen=True)
class Night:
    """The run whose findings and facts are told."""

    execucao_id: str
    as_of: date


@dataclass(frozen=True)
class StaleSource:
    """An extract that was refused or missing, and the night its rows come from."""

    extrato: str
    de: date | None


def open_night(con: duckdb.DuckDBPyConnection, as_of: date) -> Night:
    """The night of `as_of`, readied for the views of the registry. `ComposeError` when the facts are of another one.

    Findings are kept for ever, facts only of the last run executed: a notice needs both.
    """
    linhas = con.execute("select execucao_id, as_of from ultima_execucao").fetchall()
    if not linhas:
        raise ComposeError("o banco ainda não tem nenhuma noite: rode `emdia run` antes.")
    execucao_id, data = linhas[0]
    if data != as_of:
        raise ComposeError(
            f"os fatos no banco são da noite de {data:%d/%m/%Y}, e não de {as_of:%d/%m/%Y}. "
            f"Rode de novo `emdia run --as-of {as_of:%Y-%m-%d}`, ou peça a data que está no banco."
        )
    con.execute("set variable as_of = $as_of::date", {"as_of": as_of})
    return Night(execucao_id, as_of)


def stale_sources(con: duckdb.DuckDBPyConnection, night: Night) -> tuple[StaleSource, ...]:
    """The extracts whose rows are of an earlier night, by name."""
    linhas = con.execute(
        "select extrato, min(origem_as_of) filter (situacao = 'defasado') from carga"
        " where execucao_id = $e and situacao in ('defasado', 'recusado') group by extrato order by extrato",
        {"e": night.execucao_id},
    ).fetchall()
    return tuple(StaleSource(*linha) for linha in linhas)
