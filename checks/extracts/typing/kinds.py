"""From a contract's column to its SQL."""

from __future__ import annotations

from checks.extracts.columns import Column
from checks.extracts.typing import codes, dates, numbers, registry_codes
from checks.extracts.typing.cell import Cell, Setting


def cell_of(column: Column, raw: str, setting: Setting, person: str | None = None) -> Cell:
    """The SQL that types `column` from the text in `raw`. `person` is SQL for PF or PJ, for documents."""
    match column.kind:
        case "texto":
            return codes.free_text(raw)
        case "maiusculas":
            return codes.upper_code(raw)
        case "identificador":
            return codes.identifier(raw, setting.excel)
        case "norma":
            return codes.norm(raw, setting)
        case "lista":
            return codes.choice(raw, column.values)
        case "booleano":
            return codes.boolean(raw)
        case "documento":
            return registry_codes.document(raw, person)
        case "placa":
            return registry_codes.plate(raw)
        case "data":
            return dates.day(raw, setting)
        case "nascimento":
            return dates.day(raw, setting, dates.EARLIEST_BIRTH)
        case "instante":
            return dates.instant(raw, setting)
        case "ano":
            return numbers.year(raw, column.name, setting)
        case "inteiro":
            return numbers.whole(raw, column.name, setting)
        case "dinheiro":
            return numbers.amount(raw, column.name, setting, column.sql_type, 2)
        case "indice":
            return numbers.amount(raw, column.name, setting, column.sql_type, 6)


NUMBERS = ("inteiro", "dinheiro", "indice")
_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_INSTANTS = ("TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMP_MS", "TIMESTAMP_S")


def native_value(column: Column, raw: str, native: str, setting: Setting) -> str | None:
    """SQL for the value of a column that the file itself types, where no text is needed; None elsewhere.

    NULL where the value is out of range, as in `Cell.fast`.
    """
    base, kind = native.split("(")[0], column.kind
    if kind in ("data", "nascimento", "instante") and base in ("DATE", *_INSTANTS):
        earliest = dates.EARLIEST_BIRTH if kind == "nascimento" else dates.EARLIEST
        inside = f"{raw}::DATE BETWEEN DATE '{earliest}' AND DATE '{setting.latest}'"
        return f"CASE WHEN {inside} THEN {raw}::{column.sql_type} END"
    if kind == "booleano" and base == "BOOLEAN":
        return raw
    if base in _INTEGERS and kind in (*NUMBERS, "ano"):
        low, high = (1950, setting.latest.year) if kind == "ano" else (0, 2_147_483_647)
        return f"CASE WHEN {raw} BETWEEN {low} AND {high} THEN {raw}::{column.sql_type} END"
    if base == "DECIMAL" and kind in ("dinheiro", "indice"):
        cast = f"TRY_CAST({raw} AS {column.sql_type})"
        return f"CASE WHEN {raw} >= 0 AND {cast} = {raw} THEN {cast} END"
    return None
