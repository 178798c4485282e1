"""The peers agree with the night's own points on dense worlds, where every rule of the count is at work."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest

from checks.extracts.contracts import contracts
from checks.law.catalogue import load_catalogue
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.loader import load_norms
from data.tables import register_norms
from flows.bench.noite import POINTS_CHECK
from flows.bench.pares import em_pandas, em_polars, em_sqlite
from flows.bench.pares.entrada import Entrada, Flagged, add_months, read_input
from sql.calendar import build_calendar
from sql.facts import build_facts, build_registry, load_macros
from sql.points import build_points, weigh_autos

PEERS = (em_pandas, em_polars, em_sqlite)
LIMITS = ((4, 12), (8, 18), (12, 22))
AGAIN = (12, 2)
START = datetime.fromisoformat("2024-01-01")


def months_later(day: date, months: int) -> date:
    """The same day number, or the first of the next month where it doesn't exist. Slow and plain."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    try:
        return date(year, month + 1, day.day)
    except ValueError:
        return date(year + (month == 11), (month + 1) % 12 + 1, 1)


def brute_force(e: Entrada) -> Flagged:
    """The contract's words, one auto at a time."""
    points = dict(e.pontos.iter_rows())
    reset = dict(e.zerados.iter_rows())
    silent = set(e.calados["permissionario_id"])
    out: Flagged = set()
    seen: set[str] = set()
    for states, situation in ((("confirmado",), "violacao"), (("confirmado", "em_defesa"), "a_vencer")):
        autos = [a for a in e.autos.iter_rows() if a[4] in states and a[2] in points]
        weighed = []
        for who, driver, code, at, _ in autos:
            earlier = [
                x for x in autos
                if (x[1] or "p" + x[0]) == (driver or "p" + who) and x[2] == code and x[3] < at
                and months_later(x[3].date(), AGAIN[0]) >= at.date()
            ]  # fmt: skip
            weighed.append((who, at.date(), points[code] * (AGAIN[1] if earlier else 1)))
        for who in {w for w, _, _ in weighed} - silent - seen:
            mine = [(d, p) for w, d, p in weighed if w == who]
            hits = [
                end
                for end, _ in mine
                if end > reset.get(who, date.min)
                and any(sum(p for d, p in mine if d <= end <= months_later(d, m)) >= limit for m, limit in LIMITS)
            ]
            if hits:
                out.add((who, situation, min(hits)))
                seen.add(who)
    return out


def world(seed: int, autos: int = 260, holders: int = 14) -> Entrada:
    """Few holders, few drivers who work for several, few codes, few days: ties and exact limits abound."""
    rng = np.random.default_rng(seed)
    hours = rng.integers(0, 900 * 4, autos) * 6
    drivers = [None, None, "C1", "C2", "C3", "C4"]
    rows = [
        (
            f"P{rng.integers(holders)}",
            drivers[rng.integers(len(drivers))],
            ["26-I", "26-II", "27-I", "28-VII", "26-IX"][rng.integers(5)],
            START + timedelta(hours=int(h)),
            ["confirmado", "confirmado", "em_defesa"][rng.integers(3)],
        )
        for h in hours
    ]
    schema = {
        "permissionario_id": pl.String,
        "condutor_id": pl.String,
        "codigo": pl.String,
        "ocorrido_em": pl.Datetime("us"),
        "estado_auto": pl.String,
    }
    return Entrada(
        autos=pl.DataFrame(rows + rows[:5], schema=schema, orient="row"),
        pontos=pl.DataFrame({"codigo": ["26-I", "26-II", "27-I", "28-VII"], "pontos": [1, 2, 3, 3]}),
        zerados=pl.DataFrame({"permissionario_id": ["P1", "P2"], "decidido_em": [date(2025, 6, 1), date(2026, 7, 1)]}),
        calados=pl.DataFrame({"permissionario_id": ["P3"]}),
        limites=LIMITS,
        reincidencia=AGAIN,
    )


@pytest.mark.parametrize("seed", range(6))
def test_peers_agree_with_the_plain_words_of_the_law(seed: int) -> None:
    e = world(seed)
    expected = brute_force(e)
    assert expected
    for peer in PEERS:
        data: Any = peer.load(e)
        assert peer.run(e, data) == expected, peer.__name__


def test_month_arithmetic_of_the_peers() -> None:
    days = np.arange(np.datetime64("2023-12-01"), np.datetime64("2025-03-10"))
    for months in (4, 8, 12):
        got = add_months(days, months).astype(object).tolist()
        assert got == [months_later(d, months) for d in days.astype(object).tolist()]
    assert add_months(np.array(["2024-02-29"], dtype="datetime64[D]"), 12)[0] == np.datetime64("2025-03-01")


def night_of(con: duckdb.DuckDBPyConnection, e: Entrada, as_of: date) -> Flagged:
    """The same world through the product's own registry, facts and points."""
    catalogue = load_catalogue()
    norms = load_norms(catalogue=catalogue)
    load_macros(con)
    con.execute("create schema extrato; create table extrato.colunas (extrato varchar, coluna varchar)")
    for c in contracts().values():
        columns = ", ".join(f"{x.name} {x.sql_type}" for x in c.columns)
        con.execute(
            f"create table extrato.{c.name} ({columns}, arquivo varchar, linha bigint, desconhecidos varchar[])"
        )
        con.executemany("insert into extrato.colunas values (?, ?)", [(c.name, x) for x in c.names])
    autos = e.autos.with_row_index("n").with_columns(
        auto_id=pl.format("I{}", pl.col("n")),
        # Under defence: a timely one that nobody decided.
        defesa_em=pl.when(pl.col("estado_auto") == "em_defesa").then(pl.col("ocorrido_em").cast(pl.Date)),
    )
    holders = autos.select("permissionario_id").unique().with_columns(norma=pl.lit("825/2021"))
    holders = holders.with_columns(
        situacao=pl.when(pl.col("permissionario_id").is_in(e.calados["permissionario_id"].implode())).then(
            pl.lit("cassado")
        )
    )
    acts = e.zerados.with_columns(ato=pl.lit("cassacao"), decisao=pl.lit("arquivada")).rename(
        {"decidido_em": "decisao_em"}
    )
    con.register("titulares", holders)
    con.register("autos_do_mundo", autos)
    con.register("atos", acts)
    con.execute("insert into extrato.permissionarios by name from titulares")
    con.execute("insert into extrato.autos by name from (select * exclude (n, estado_auto) from autos_do_mundo)")
    con.execute("insert into extrato.processos by name from atos")
    register_norms(con, norms, as_of)
    build_calendar(con, as_of)
    for step in (build_registry, build_facts, build_points):
        list(step(con, as_of))
    only = {POINTS_CHECK: catalogue[POINTS_CHECK]}
    run_checks(con, only, parameter_rows(norms, catalogue, as_of), as_of)
    rows = con.execute("select permissionario_id, situacao, devido_em from resultado.achados").fetchall()
    return {(p, s, d) for p, s, d in rows}


@pytest.mark.parametrize("seed", range(2))
def test_the_night_agrees_with_the_peers(seed: int) -> None:
    e = world(seed, autos=500, holders=25)
    e = replace(e, calados=pl.DataFrame({"permissionario_id": [f"P{i}" for i in range(3, 25, 3)]}))
    with duckdb.connect() as con:
        got = night_of(con, e, date(2026, 11, 30))
        # The norm's own numbers, read back: the peers must be counting the same law.
        (own,) = read_input(con)
        assert (own.limites, own.reincidencia) == (e.limites, e.reincidencia)
        assert own.autos.height == e.autos.height
    expected = em_pandas.run(e, em_pandas.load(e))
    assert got == expected


def test_recidivism_follows_a_driver_out_of_a_closed_permit() -> None:
    """Two autos of 3 points reach 12 only if both are doubled: the first by what the driver did at P2, now closed."""
    rows = [
        ("P2", "C1", "27-I", datetime.fromisoformat("2026-01-05T10:00"), "confirmado"),
        ("P1", "C1", "27-I", datetime.fromisoformat("2026-02-05T10:00"), "confirmado"),
        ("P1", "C1", "27-I", datetime.fromisoformat("2026-03-05T10:00"), "confirmado"),
    ]
    e = world(0)
    e = replace(
        e,
        autos=pl.DataFrame(rows, schema=e.autos.schema, orient="row"),
        zerados=e.zerados.clear(),
        calados=pl.DataFrame({"permissionario_id": ["P2"]}),
    )
    expected = {("P1", "violacao", date(2026, 3, 5))}
    assert brute_force(e) == expected
    for peer in PEERS:
        data: Any = peer.load(e)
        assert peer.run(e, data) == expected, peer.__name__
    with duckdb.connect() as con:
        assert night_of(con, e, date(2026, 11, 30)) == expected


@pytest.mark.parametrize("seed", range(6))
def test_candidates_are_whom_a_closer_look_finds(seed: int) -> None:
    """The one pass over all autos doubles as the closer look does: with every holder looked at closely, nobody is missing
    from the candidates and nobody is there in vain."""
    with duckdb.connect() as con:
        night_of(con, world(seed, autos=300, holders=40), date(2026, 11, 30))
        candidates = set(con.execute("select pid from fatos.pontos_candidatos").fetchall())
        weigh_autos(con, "registro.permissionarios", "todos")
        closely = con.execute(
            """
            select distinct a.pid
            from todos a
            join registro.permissionarios h on h.pid = a.pid and not h.silencioso
            join norma.pontuacao_limites l on l.norma = a.norma
            left join fatos.pontos_zerados z on z.pid = a.pid
            where a.conjunto = 2 and coalesce(a.dia > z.decidido_em, true)
              and (select sum(b.pontos_contados) from todos b
                   where b.pid = a.pid and b.conjunto = 2 and b.dia <= a.dia
                     and soma_meses(b.dia, l.meses, h.mes_sem_dia) >= a.dia) >= l.pontos
            """
        ).fetchall()
    assert 0 < len(candidates) < 40
    assert candidates == set(closely)
