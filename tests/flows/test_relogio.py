"""The date is an argument below the command line: no room but flows/ asks the clock."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from flows.relogio import day_of

RAIZ = Path(__file__).parents[2]
COMODOS = ("checks", "sql", "data", "reports", "notices", "dashboard")
RELOGIO = re.compile(
    r"\b(now|today|utcnow|get_current_timestamp)\(\)|\bcurrent_(date|time|timestamp)\b|datetime\.now\(|\btime\.time\(",
    re.IGNORECASE,
)
#: The one place that reads it, and the instants a message or a log line is really sent.
PERMITIDOS = {"flows/relogio.py"}


def code_lines(arquivo: Path) -> list[str]:
    """Lines without comments."""
    marca = "--" if arquivo.suffix in {".sql", ".j2"} else "#"
    return [linha.split(marca)[0] for linha in arquivo.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("comodo", [*COMODOS, "flows"])
def test_nobody_asks_the_clock(comodo: str) -> None:
    achados = []
    for arquivo in sorted((RAIZ / comodo).rglob("*")):
        relativo = arquivo.relative_to(RAIZ).as_posix()
        if arquivo.suffix in {".py", ".sql", ".j2"} and relativo not in PERMITIDOS:
            achados += [
                f"{relativo}:{n}: {linha.strip()}"
                for n, linha in enumerate(code_lines(arquivo), 1)
                if RELOGIO.search(linha)
            ]
    assert not achados, "\n".join(achados)


def test_the_pattern_sees_what_it_should() -> None:
    for texto in ("now()", "date.today()", "select current_date", "datetime.now(tz)", "CURRENT_TIMESTAMP"):
        assert RELOGIO.search(texto), texto
    for texto in ("as_of", "hoje = p.dia", "today(fuso)", "snow(1)"):
        assert not RELOGIO.search(texto), texto


def test_late_in_the_evening_it_is_still_today() -> None:
    utc = datetime(2026, 12, 1, 1, 30, tzinfo=UTC)
    assert day_of(utc, "America/Bahia") == date(2026, 11, 30)
    assert day_of(utc, "UTC") == date(2026, 12, 1)
