"""Days and instants."""

from __future__ import annotations

from datetime import date

from checks.extracts.typing.cell import Cell, Setting, quote

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


def _problem(raw: str, parsed: str, earliest: date, setting: Setting) -> str:
    latest = setting.latest
    return f"""CASE
        WHEN regexp_matches({raw}, '^[0-9]{{1,2}}[/.-][0-9]{{1,2}}[/.-][0-9]{{2}}([^0-9]|$)')
            THEN 'ano com dois dígitos: escreva o ano com quatro'
        WHEN {parsed} IS NULL THEN 'data inválida: use dd/mm/aaaa ou aaaa-mm-dd'
        WHEN {parsed}::DATE = DATE '1899-12-30'
            THEN 'data inválida: 30/12/1899 é um zero de planilha, não uma data'
        WHEN {parsed}::DATE < DATE '{earliest}' THEN 'data inválida: anterior a {earliest:%d/%m/%Y}'
        WHEN {parsed}::DATE > DATE '{latest}' THEN 'data inválida: posterior a {latest:%d/%m/%Y}'
        END"""


def day(raw: str, setting: Setting, earliest: date = EARLIEST) -> Cell:
    """A day; the hour is cut off."""
    bounds = f"BETWEEN DATE '{earliest}' AND DATE '{setting.latest}'"
    parsed = (
        f"(CASE WHEN strlen({raw}) = 10 AND {raw}[5] = '-' THEN TRY_CAST({raw} AS DATE) "
        f"WHEN strlen({raw}) = 10 THEN try_strptime({raw}, '%d/%m/%Y')::DATE END)"
    )
    slow = _parsed(raw, setting.excel)
    return Cell(
        fast=f"CASE WHEN {parsed} {bounds} THEN {parsed} END",
        value=f"CASE WHEN ({slow})::DATE {bounds} THEN ({slow})::DATE END",
        error=_problem(raw, f"({slow})", earliest, setting),
    )


def instant(raw: str, setting: Setting) -> Cell:
    """A day and hour; without an hour, midnight."""
    bounds = f"BETWEEN DATE '{EARLIEST}' AND DATE '{setting.latest}'"
    parsed = (
        f"(CASE WHEN strlen({raw}) = 16 AND {raw}[5] = '-' THEN try_strptime({raw}, '%Y-%m-%d %H:%M') "
        f"WHEN strlen({raw}) = 16 THEN try_strptime({raw}, '%d/%m/%Y %H:%M') "
        f"WHEN strlen({raw}) = 19 AND {raw}[5] = '-' THEN try_strptime({raw}, '%Y-%m-%d %H:%M:%S') "
        f"WHEN strlen({raw}) = 19 THEN try_strptime({raw}, '%d/%m/%Y %H:%M:%S') "
        f"WHEN strlen({raw}) = 10 AND {raw}[5] = '-' THEN try_strptime({raw}, '%Y-%m-%d') "
        f"WHEN strlen({raw}) = 10 THEN try_strptime({raw}, '%d/%m/%Y') END)"
    )
    slow = _parsed(raw, setting.excel)
    return Cell(
        fast=f"CASE WHEN ({parsed})::DATE {bounds} THEN {parsed} END",
        value=f"CASE WHEN ({slow})::DATE {bounds} THEN ({slow}) END",
        error=_problem(raw, f"({slow})", EARLIEST, setting),
    )
