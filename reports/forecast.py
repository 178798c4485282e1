"""What will be wrong, and from when, if nobody acts: the same checks, asked on future dates.

The registry as it is tonight is read from the warehouse (never written); each future date gets the norms in force then,
its own facts and its own findings, in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb

from checks.law.catalogue import CheckSpec
from data.model import Norm
from data.tables import register_norms
from reports.forecast_days import Days
from sql.calendar import build_calendar
from sql.facts import load_macros
from sql.warehouse import TIME_ZONE

DAY = timedelta(days=1)
#: A finding "falls" on the first date on which it has one of these.
FALLEN = "('violacao', 'para_decisao')"


@dataclass(frozen=True)
class Previsto:
    """One finding that does not exist tonight and will from `data` on. `devido_em` is the last day to act in time."""

    data: date
    verificacao: str
    norma: str
    dispositivo: str
    situacao: str
    situacao_hoje: str | None
    sujeito_tipo: str
    sujeito_id: str
    permissionario_id: str | None
    devido_em: date | None
    consequencia: str
    competente: str | None
    valor: Decimal | None


@dataclass(frozen=True)
class Forecast:
    """The findings to come, by date, and the checks that could not be asked on some date."""

    as_of: date
    ate: date
    previstos: tuple[Previsto, ...]
    falhas: tuple[str, ...]


def forecast(
    warehouse: Path,
    norms: Sequence[Norm],
    catalogue: Mapping[str, CheckSpec],
    as_of: date,
    days: int,
    step: int = 15,
    on_date: Callable[[date], None] = lambda _: None,
) -> Forecast:
    """Findings that appear between `as_of` (excluded) and `as_of + days`, each with its first date.

    Dates are asked `step` days apart; what appears between two of them is dated by its own term (the day after
    `devido_em`) or, where it has none in the gap, by asking the days of the gap. `warehouse` is opened read-only.
    `on_date` hears each date before it is asked.
    """
    last = as_of + timedelta(days=days)
    with _registry(warehouse, norms, last) as con:
        nights = Days(con, norms)
        facts = [name for name, spec in catalogue.items() if spec.devido_e_fato]
        con.execute("create table por_fato as select unnest($f::varchar[]) as verificacao", {"f": facts})
        on_date(as_of)
        failed = nights.ask(as_of, catalogue)
        previous = as_of
        while previous < last:
            current = min(previous + timedelta(days=step), last)
            on_date(current)
            failed |= nights.ask(current, catalogue)
            failed |= _ask_gap(con, nights, catalogue, previous, current, on_date)
            previous = current
        return Forecast(as_of, last, tuple(_first_dates(con, as_of)), tuple(sorted(failed)))


@contextmanager
def _registry(warehouse: Path, norms: Sequence[Norm], last: date) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory connection whose `extrato.*` are tonight's tables, and the calendar of the whole period."""
    con = duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"})
    try:
        con.execute(f"set TimeZone = '{TIME_ZONE}'")
        con.execute("attach $w as banco (read_only)".replace("$w", "'" + str(warehouse).replace("'", "''") + "'"))
        con.execute("create schema extrato")
        tables = con.execute(
            "select table_name from duckdb_tables() where database_name = 'banco' and schema_name = 'extrato'"
        ).fetchall()
        for (table,) in tables:
            con.execute(f'create view extrato."{table}" as select * from banco.extrato."{table}"')
        load_macros(con)
        register_norms(con, norms, last)
        build_calendar(con, last)
        yield con
    finally:
        con.close()


def _ask_gap(
    con: duckdb.DuckDBPyConnection,
    nights: Days,
    catalogue: Mapping[str, CheckSpec],
    first: date,
    last: date,
    on_date: Callable[[date], None],
) -> set[str]:
    """Ask the days between two dates, only of the checks whose new findings do not carry their own date.

    A check is asked until all that it says on the last date has been seen: no day after that can bring it forward.
    """
    carries = "f.verificacao not in (from por_fato) and coalesce(f.devido_em >= $first and f.devido_em < $last, false)"
    asked = _unseen(con, first, last, f"not ({carries})", first=first)
    failed: set[str] = set()
    day = first + DAY
    while day < last and (asked := asked & _unseen(con, day - DAY, last)):
        on_date(day)
        failed |= nights.ask(day, {name: spec for name, spec in catalogue.items() if name in asked})
        day += DAY
    return failed


def _unseen(
    con: duckdb.DuckDBPyConnection, until: date, last: date, condition: str = "true", **params: date
) -> set[str]:
    """The checks with a finding fallen on `last`, under `condition`, and on no asked date up to `until`."""
    rows = con.execute(
        f"""
        select distinct f.verificacao from previsao f
        where f.data = $last and f.situacao in {FALLEN} and {condition}
          and not exists (select 1 from previsao p where p.data <= $until and p.situacao in {FALLEN}
                          and (p.verificacao, p.norma, p.sujeito_tipo, p.sujeito_id)
                            = (f.verificacao, f.norma, f.sujeito_tipo, f.sujeito_id))
        """,
        {"until": until, "last": last, **params},
    ).fetchall()
    return {name for (name,) in rows}


def _first_dates(con: duckdb.DuckDBPyConnection, as_of: date) -> Iterator[Previsto]:
    rows = con.execute(
        f"""
        with hoje as (
            select verificacao, norma, sujeito_tipo, sujeito_id, situacao from previsao where data = $as_of
        ), caidos as (
            select f.* from previsao f where f.data > $as_of and f.situacao in {FALLEN}
            qualify row_number() over (partition by verificacao, norma, sujeito_tipo, sujeito_id order by f.data) = 1
        )
        select case when c.devido_em >= $as_of and c.devido_em < c.data and c.verificacao not in (from por_fato)
                    then c.devido_em + 1 else c.data end as data,
               c.verificacao, c.norma, c.dispositivo, c.situacao, h.situacao, c.sujeito_tipo, c.sujeito_id,
               c.permissionario_id, c.devido_em, c.consequencia, c.competente, c.valor
        from caidos c
        left join hoje h using (verificacao, norma, sujeito_tipo, sujeito_id)
        where coalesce(h.situacao not in {FALLEN}, true)
        order by 1, 2, 3, 7, 8
        """,
        {"as_of": as_of},
    ).fetchall()
    return (Previsto(*row) for row in rows)
