"""The cautions of a night: open findings that may change once a rejected row is put right, or a dispensa looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

import duckdb

from sql.acts import kinds_of_act
from sql.layers import run_layer

#: How many reasons are kept for one finding.
KEPT = 20
#: What a person is told by: the rejected value is left out.
PRIVATE = ("nome", "documento", "proprietario_documento", "email", "telefone", "endereco", "nascido_em")
#: (verificacao, extrato, whether the check itself asks for it, whether it asks which vehicle replaces which)
Reading = tuple[str, str, bool, bool]


def record_cautions(
    con: duckdb.DuckDBPyConnection,
    execucao_id: str,
    as_of: date,
    leituras: Sequence[Reading],
    parecidas: Iterable[tuple[str, str]],
) -> int:
    """Write `ressalvas_historico` for a recorded run; returns how many open findings have some.

    `leituras`: what each check reads. `parecidas`: pairs of checks of which a dispensa for the second says something of
    the first. Reads `extrato.*` of tonight. Recording again replaces; nothing else is changed.
    """
    con.execute(
        "create or replace temp table ressalvas_leituras (verificacao varchar, extrato varchar,"
        " propria boolean, troca boolean)"
    )
    con.execute("create or replace temp table ressalvas_parecidas (verificacao varchar, outra varchar)")
    _fill(con, "ressalvas_leituras", leituras)
    _fill(con, "ressalvas_parecidas", list(parecidas))
    params = {
        "execucao_id": execucao_id,
        "as_of": as_of,
        "processuais": sorted(ato for ato, kind in kinds_of_act().items() if kind.get("processo")),
        "pessoais": list(PRIVATE),
        "mostradas": KEPT,
    }
    for _ in run_layer(con, "ressalvas", params):
        pass
    for table in ("citados", "sujeitos", "linhas", "dispensas", "leituras", "parecidas"):
        con.execute(f"drop table ressalvas_{table}")
    found = con.execute(
        "select count(distinct achado_id) from ressalvas_historico where execucao_id = $id", {"id": execucao_id}
    ).fetchall()
    return int(found[0][0])


def _fill(con: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[object]]) -> None:
    """All rows in one statement."""
    if rows:
        marks = ", ".join([f"({', '.join('?' * len(rows[0]))})"] * len(rows))
        con.execute(f"insert into {table} values {marks}", [value for row in rows for value in row])
