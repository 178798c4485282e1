"""Days and instants."""

from __future__ import annotations

from datetime import date

from checks.extracts.typing.cell import WORK, Cell, Setting, quote

EARLIEST = date(1950, 1, 1)
EARLIEST_BIRTH = date(1900, 1, 1)

_HOURS = ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f")
_FORMATS = [f"%d/%m/%Y{hour}" for hour in _HOURS] + [
    f"%Y-%m-%d{hour.replace(' ', between)}" for between in " T" for hour in _HOURS
]


def _parsed(raw: str, excel: bool) -> str:
    """The instant written in `raw`, whatever its range."""
    formats = ", ".join(quote(f) for f in dict.fromkeys(_FORMATS))
    text = f"try_strptime({raw}, [{formats}])"
    if not excel:
        return text
    serial = (
        f"TIMESTAMP '1899-12-30' + to_days(TRY_CAST({raw} AS DOUBLE)::INTEGER) "
        f"+ to_seconds(round((TRY_CAST({raw} AS DOUBLE) % 1) * 86400))"
    ).replace("AS DOUBLE)::INTEGER", "AS DOUBLE).trunc()::INTEGER")
    return f"CASE WHEN regexp_full_match({raw}, '[0-9]{{1,6}}(\\.[0-9]+)?') THEN {serial} ELSE {text} END"


def _problem(raw: str, earliest: date, setting: Setting) -> str:
    latest = setting.latest
    return f"""CASE
        WHEN regexp_matches({raw}, '^[0-9]{{1,2}}[/.-][0-9]{{1,2}}[/.-][0-9]{{2}}([^0-9]|$)')
            THEN 'ano com dois dígitos: escreva o ano com quatro'
        WHEN {WORK} IS NULL THEN 'data inválida: use dd/mm/aaaa ou aaaa-mm-dd'
        WHEN {WORK}::DATE = DATE '1899-12-30'
            THEN 'data inválida: 30/12/1899 é um zero de planilha, não uma data'
        WHEN {WORK}::DATE < DATE '{earliest}' THEN 'data inválida: anterior a {earliest:%d/%m/%Y}'
        WHEN {WORK}::DATE > DATE '{latest}' THEN 'data inválida: posterior a {latest:%d/%m/%Y}'
        END"""


def _at_once(raw: str) -> str:
    """The instant in the shapes that whole files are written in, told apart by length and the first separator."""
    iso = f"{raw}[5] = '-'"
    return f"""(CASE
        WHEN strlen({raw}) = 10 THEN CASE WHEN {iso} THEN TRY_CAST({raw} AS DATE)::TIMESTAMP
            ELSE try_strptime({raw}, '%d/%m/%Y') END
        WHEN strlen({raw}) = 16 THEN CASE WHEN {iso} THEN try_strptime({raw}, '%Y-%m-%d %H:%M')
            ELSE try_strptime({raw}, '%d/%m/%Y %H:%M') END
        WHEN strlen({raw}) = 19 THEN CASE WHEN {iso} THEN try_strptime({raw}, '%Y-%m-%d %H:%M:%S')
            ELSE try_strptime({raw}, '%d/%m/%Y %H:%M:%S') END
        WHEN strlen({raw}) BETWEEN 21 AND 26 THEN CASE WHEN {iso} THEN try_strptime({raw}, '%Y-%m-%d %H:%M:%S.%f')
            ELSE try_strptime({raw}, '%d/%m/%Y %H:%M:%S.%f') END END)"""


def day(raw: str, setting: Setting, earliest: date = EARLIEST) -> Cell:
    """A day; the hour is cut off."""
    return _cell(raw, setting, earliest, "::DATE")


def instant(raw: str, setting: Setting) -> Cell:
    """A day and hour; without an hour, midnight."""
    return _cell(raw, setting, EARLIEST, "")


def _cell(raw: str, setting: Setting, earliest: date, cast: str) -> Cell:
    bounds = f"BETWEEN DATE '{earliest}' AND DATE '{setting.latest}'"
    quick = _at_once(raw)
    return Cell(
        fast=f"CASE WHEN {quick}::DATE {bounds} THEN {quick}{cast} END",
        value=f"CASE WHEN {WORK}::DATE {bounds} THEN {WORK}{cast} END",
        error=_problem(raw, earliest, setting),
        work=_parsed(raw, setting.excel),
    )
