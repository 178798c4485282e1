"""The legal calendar against an independent, slow implementation, over 60 years of dates."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.loader import load_norms
from data.tables import register_norms
from sql.calendar import Calendar, build_calendar
from sql.facts import load_macros

FIRST, LAST = date(1990, 1, 1), date(2049, 12, 31)
AS_OF = date(2026, 11, 30)
DAY = timedelta(days=1)
EXTRA = [
    (date(2026, 2, 16), "Carnaval", "ponto_facultativo", None, None),
    (date(2026, 2, 17), "Carnaval", "ponto_facultativo", None, None),
    (date(2026, 6, 24), "São João", "estadual", "BA", None),
    (date(2026, 10, 25), "Aniversário", "municipal", "BA", "JEQUIE"),
    (date(2026, 10, 26), "Ponto na cidade", "ponto_facultativo", "MG", "Januária"),
]


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    con = duckdb.connect()
    load_macros(con)
    con.execute("create schema extrato")
    con.execute("create table extrato.feriados(data date, nome varchar, escopo varchar, uf varchar, municipio varchar)")
    con.executemany("insert into extrato.feriados values (?, ?, ?, ?, ?)", [list(row) for row in EXTRA])
    register_norms(con, load_norms(), AS_OF)
    build_calendar(con, AS_OF)
    yield con
    con.close()


def days(first: date, last: date) -> Iterator[date]:
    day = first
    while day <= last:
        yield day
        day += DAY


def slow_months(start: date, months: int, last_day: bool = False) -> date:
    """Walk month by month, then look for the day of the same number; else the day after the month's last."""
    year, month = start.year, start.month
    for _ in range(months):
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    try:
        return date(year, month, start.day)
    except ValueError:
        following = date(year + (month == 12), month % 12 + 1, 1)
        return following - DAY if last_day else following


def slow_easter(year: int) -> date:
    """First Sunday after the first ecclesiastical full moon on or after 21 March (tables of the Gregorian calendar)."""
    golden = year % 19 + 1
    century = year // 100 + 1
    skipped = 3 * century // 4 - 12
    correction = (8 * century + 5) // 25 - 5
    epact = (11 * golden + 20 + correction - skipped) % 30
    if epact == 24 or (epact == 25 and golden > 11):
        epact += 1
    moon = date(year, 3, 1) + timedelta(days=(44 - epact if 44 - epact >= 21 else 74 - epact) - 1)
    while True:
        moon += DAY
        if moon.weekday() == 6:
            return moon


def slow_holidays(uf: str, municipio: str) -> set[date]:
    out = set()
    for year in range(1949, 2080):
        for month, day in ((1, 1), (4, 21), (5, 1), (9, 7), (10, 12), (11, 2), (11, 15), (12, 25)):
            out.add(date(year, month, day))
        if year >= 2024:
            out.add(date(year, 11, 20))
        if uf == "BA":
            out.add(date(year, 7, 2))
        out.add(slow_easter(year) - 2 * DAY)
    for day, _, _, of_state, of_town in EXTRA:
        if of_town:
            if of_town.lower().replace("á", "a") == municipio.lower().replace("á", "a").replace("é", "e"):
                out.add(day)
        elif of_state in (None, uf):
            out.add(day)
    return out


@pytest.mark.parametrize("months", [1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 240])
@pytest.mark.parametrize("rule", ["dia_seguinte", "ultimo_dia"])
def test_months_of_every_day(con: duckdb.DuckDBPyConnection, months: int, rule: str) -> None:
    rows = con.execute(
        "select d::date, soma_meses(d::date, $n::integer, $r) from generate_series($a::date, $b::date, interval 1 day) t(d)",
        {"n": months, "r": rule, "a": FIRST, "b": LAST},
    ).fetchall()
    assert len(rows) == (LAST - FIRST).days + 1
    wrong = [(d, got) for d, got in rows if got != slow_months(d, months, rule == "ultimo_dia")]
    assert not wrong, wrong[:5]


@pytest.mark.parametrize(
    ("start", "months", "end"),
    [
        (date(2026, 1, 31), 1, date(2026, 3, 1)),
        (date(2024, 2, 29), 12, date(2025, 3, 1)),
        (date(2025, 8, 31), 6, date(2026, 3, 1)),
        (date(2025, 8, 30), 6, date(2026, 3, 1)),
        (date(2025, 8, 28), 6, date(2026, 2, 28)),
        (date(2024, 1, 31), 1, date(2024, 3, 1)),
        (date(2024, 1, 29), 1, date(2024, 2, 29)),
        (date(2025, 12, 31), 1, date(2026, 1, 31)),
    ],
)
def test_known_ends(con: duckdb.DuckDBPyConnection, start: date, months: int, end: date) -> None:
    assert Calendar(con, "408/2009").add_months(start, months) == end


@pytest.mark.parametrize(
    ("norma", "uf", "municipio"),
    [
        ("408/2009", "BA", "Mata de São João"),
        ("1343/1994", "BA", "Jequié"),
        ("1854/1999", "MG", "Januária"),
        ("30258/1983", "BA", "Salvador"),
    ],
)
def test_business_days_of_sixty_years(con: duckdb.DuckDBPyConnection, norma: str, uf: str, municipio: str) -> None:
    off = slow_holidays(uf, municipio)

    def works(day: date) -> bool:
        return day.weekday() < 5 and day not in off

    def roll(day: date) -> date:
        while not works(day):
            day += DAY
        return day

    def nth(day: date, n: int) -> date:
        while n:
            day += DAY
            n -= works(day)
        return day

    rows = con.execute(
        "select i.dia, i.util, i.proximo_util,"
        " (select dia from calendario.dias f where f.norma = i.norma and f.util and f.ordem = i.ordem + 5),"
        " (select dia from calendario.dias f where f.norma = i.norma and f.util and f.ordem = i.ordem + 20)"
        " from calendario.dias i where i.norma = $n and i.dia between $a and $b",
        {"n": norma, "a": FIRST, "b": LAST},
    ).fetchall()
    assert len(rows) == (LAST - FIRST).days + 1
    wrong = [r for r in rows if r[1:] != (works(r[0]), roll(r[0]), nth(r[0], 5), nth(r[0], 20))]
    assert not wrong, wrong[:5]


@settings(deadline=None, max_examples=40)
@given(day=st.dates(date(1990, 1, 1), date(2049, 12, 31)), n=st.integers(1, 60))
def test_python_asks_the_same_calendar(con: duckdb.DuckDBPyConnection, day: date, n: int) -> None:
    calendar = Calendar(con, "1854/1999")
    assert calendar.roll(calendar.roll(day)) == calendar.roll(day) >= day
    assert calendar.add_days(day, n) == calendar.roll(day + n * DAY)
    end = calendar.add_business_days(day, n)
    assert calendar.is_business_day(end)
    assert sum(calendar.is_business_day(d) for d in days(day + DAY, end)) == n


@settings(deadline=None, max_examples=40)
@given(day=st.dates(date(1990, 1, 1), date(2049, 12, 31)), months=st.integers(1, 240))
def test_months_never_go_back(con: duckdb.DuckDBPyConnection, day: date, months: int) -> None:
    calendar = Calendar(con, "825/2021")
    assert calendar.add_months(day, months) <= calendar.add_months(day + DAY, months)


def test_municipal_rows_count_only_at_home(con: duckdb.DuckDBPyConnection) -> None:
    assert not Calendar(con, "1854/1999").is_business_day(date(2026, 10, 26))
    assert Calendar(con, "1343/1994").is_business_day(date(2026, 10, 26))
    assert not Calendar(con, "408/2009").is_business_day(date(2026, 6, 24))
    assert Calendar(con, "1854/1999").is_business_day(date(2026, 6, 24))
