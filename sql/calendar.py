"""The legal calendar: business days per norm and the arithmetic of terms (Civil Code art. 132).

One implementation for SQL and Python: the macros of sql/macros and the tables that `build_calendar`
writes. `Calendar` asks those same macros, so Python never counts a term by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

import duckdb

from data.holidays import holiday_rows
from sql.layers import run_layer

#: Dates before this one are invalid in an extract, so no term starts earlier.
FIRST_YEAR = 1950
#: An extract may not carry a date more than 50 years after the as-of; terms run a little beyond it.
YEARS_AHEAD = 52


def build_calendar(
    con: duckdb.DuckDBPyConnection, as_of: date, first_year: int = FIRST_YEAR, years_ahead: int = YEARS_AHEAD
) -> None:
    """Write `calendario.*` for every norm of `norma.normas`: built-in holidays plus `extrato.feriados`.

    A national row counts everywhere, a state one in the norm's UF, a municipal one in its municipality;
    a ponto facultativo counts where its row says, and only because the extract lists it.
    """
    last_year = as_of.year + years_ahead
    con.execute("create schema if not exists calendario")
    con.execute("create or replace table calendario.nacionais(dia date, nome varchar, escopo varchar, uf varchar)")
    _insert(con, holiday_rows(first_year, last_year))
    params = {"inicio": date(first_year, 1, 1), "fim": date(last_year, 12, 31)}
    for _ in run_layer(con, "calendario", params):
        pass


def _insert(con: duckdb.DuckDBPyConnection, rows: Iterable[tuple[date, str, str, str | None]]) -> None:
    days, names, scopes, states = (list(column) for column in zip(*rows, strict=True))
    con.execute(
        "insert into calendario.nacionais select unnest($d), unnest($n), unnest($e), unnest($u)",
        {"d": days, "n": names, "e": scopes, "u": states},
    )


class Calendar:
    """The calendar of one norm, asked from Python (explain, notices, tests)."""

    def __init__(self, con: duckdb.DuckDBPyConnection, norma: str) -> None:
        self._con = con.cursor()
        self.norma = norma
        row = self._one("select mes_sem_dia from norma.normas where norma = $norma", {})
        self._mes_sem_dia: str = row

    def is_business_day(self, day: date) -> bool:
        """Whether the office of this norm works on that day."""
        return self._one("select util from calendario.dias where norma = $norma and dia = $dia", {"dia": day})

    def roll(self, day: date) -> date:
        """The day itself when it is a business day, else the next one."""
        return self._one("select proximo_util from calendario.dias where norma = $norma and dia = $dia", {"dia": day})

    def add_business_days(self, day: date, quantity: int) -> date:
        """The `quantity`-th business day after `day` (the start day is left out)."""
        return self._one(
            "select f.dia from calendario.dias i join calendario.dias f"
            " on f.norma = i.norma and f.ordem = i.ordem + $n and f.util"
            " where i.norma = $norma and i.dia = $dia",
            {"dia": day, "n": quantity},
        )

    def add_days(self, day: date, quantity: int) -> date:
        """`quantity` running days after `day`, rolled to a business day (procedural terms)."""
        return self._one(
            "select proximo_util from calendario.dias where norma = $norma and dia = $dia::date + $n::integer",
            {"dia": day, "n": quantity},
        )

    def add_months(self, day: date, quantity: int) -> date:
        """The end of a term of months, not rolled (31 Jan + 1 = 1 Mar, unless the norm says otherwise)."""
        return self._one(
            "select soma_meses($dia::date, $n::integer, $m)",
            {"dia": day, "n": quantity, "m": self._mes_sem_dia},
        )

    def _one(self, sql: str, params: dict[str, Any]) -> Any:
        if "$norma" in sql:
            params = {**params, "norma": self.norma}
        rows = self._con.execute(sql, params).fetchall()
        if not rows:
            raise ValueError(f"o calendário da norma {self.norma} não cobre {params}")
        return rows[0][0]
