"""How a term was counted, told day by day: what is left out, what is skipped, why the end moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

import duckdb

from reports.formats import date_br

WEEKDAYS = (
    "segunda-feira",
    "terça-feira",
    "quarta-feira",
    "quinta-feira",
    "sexta-feira",
    "sábado",
    "domingo",
)
DAY = timedelta(days=1)
#: How far the calendar is read around the dates of a finding, to see where a term moved to.
AROUND = timedelta(days=60)


def load_days_off(con: duckdb.DuckDBPyConnection, norma: str, first: date, last: date) -> Mapping[date, str]:
    """The days between two dates that are no business days for a norm, and why (`sábado`, a holiday's name)."""
    rows = con.execute(
        "select d.dia, string_agg(distinct f.nome, ' e ' order by f.nome) from calendario.dias d"
        " left join calendario.feriados f on f.norma = d.norma and f.dia = d.dia"
        " where d.norma = $n and not d.util and d.dia between $a and $b group by d.dia",
        {"n": norma, "a": first - AROUND, "b": last + AROUND},
    ).fetchall()
    return {day: f"feriado, {name}" if name else WEEKDAYS[day.weekday()] for day, name in rows}


def weekday(day: date) -> str:
    """`16/01/2026 (sexta-feira)`."""
    return f"{date_br(day)} ({WEEKDAYS[day.weekday()]})"


@dataclass(frozen=True)
class Terms:
    """Counting on one norm's calendar; every method returns sentences."""

    days_off: Mapping[date, str]

    def end_of_days(self, start: date, days: int) -> date:
        """Last day of a term of running days, rolled."""
        return self.rolled(start + days * DAY)

    def end_of_business_days(self, start: date, days: int) -> date:
        """The `days`-th business day after the start."""
        day = start
        while days:
            day += DAY
            days -= day not in self.days_off
        return day

    def rolled(self, day: date) -> date:
        """The day, or the next business day."""
        while day in self.days_off:
            day += DAY
        return day

    def roll(self, day: date) -> list[str]:
        """Why a last day moves; nothing when it doesn't."""
        if day not in self.days_off:
            return []
        end, skipped = self.rolled(day), []
        while day < end:
            skipped.append(f"{date_br(day)} é {self.days_off[day]}")
            day += DAY
        return [f"Como {_join(skipped)}, passa para {weekday(end)}, o primeiro dia útil."]

    def running(self, start: date, days: int) -> list[str]:
        """A term of running days: the start day out, the last day in, rolled."""
        raw = start + days * DAY
        return [
            f"{days} dias contados de {date_br(start)}: o dia do começo não entra, o primeiro é"
            f" {weekday(start + DAY)}"
            f" e o último, {weekday(raw)}.",
            *self.roll(raw),
        ]

    def business(self, start: date, days: int) -> list[str]:
        """A term of business days, naming those skipped on the way."""
        end = self.end_of_business_days(start, days)
        skipped = [
            f"{date_br(day)} ({self.days_off[day]})"
            for day in (start + n * DAY for n in range(1, (end - start).days))
            if day in self.days_off
        ]
        text = f"{days} dias úteis contados de {date_br(start)}: o último é {weekday(end)}."
        return [text, *([f"Não contam {_join(skipped)}."] if skipped else [])]

    def term(self, start: date | None, days: int | None, business: int | None, end: date | None) -> list[str]:
        """A term in running days, business days or both (the later counts), checked against the recorded end.

        Where today's calendar gives another end than the one recorded, only the recorded one is told.
        """
        if start is None or end is None:
            return []
        ends = [self.end_of_days(start, days)] if days is not None else []
        ends += [self.end_of_business_days(start, business)] if business is not None else []
        if not ends or max(ends) != end:
            return [f"O prazo terminou em {weekday(end)}."]
        told = self.running(start, days) if days is not None else []
        told += self.business(start, business) if business is not None else []
        if len(ends) > 1:
            told.append(f"Das duas contas vale a mais larga: {weekday(end)}.")
        return told


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " e " + parts[-1]
