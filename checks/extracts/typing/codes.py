"""Identifiers, free text, enumerations, booleans and norm ids."""

from __future__ import annotations

from checks.extracts.typing.cell import Cell, Setting, quote
from checks.extracts.typing.numbers import LOST_DIGITS, SCIENTIFIC

LONG_NUMBER = "o Excel guarda só 15 dígitos de um número: os últimos podem ter mudado; digite a coluna como texto"


def free_text(raw: str) -> Cell:
    """Any text."""
    return Cell(raw, raw)


def upper_code(raw: str) -> Cell:
    """A code in upper case without accents."""
    value = f"upper(strip_accents({raw}))"
    return Cell(value, value)


def identifier(raw: str, excel: bool = False) -> Cell:
    """Text from the first byte; scientific notation has lost its digits.

    `excel`: a number typed in a cell keeps 15 digits, and comes with others in place of the rest. Whether the cell
    held a number or a text is no longer seen; that a long one is exactly a float is the sign, and it is told.
    """
    scientific = f"regexp_full_match({raw}, '{SCIENTIFIC}')"
    formula = f"({raw} = '#ERRO')"
    # The pattern needs one of these characters; asking for them first is cheaper than asking for the pattern.
    suspect = " OR ".join(f"contains({raw}, '{c}')" for c in "+.,-#")
    value = f"CASE WHEN NOT {scientific} AND NOT {formula} THEN {raw} END"
    fast = f"CASE WHEN NOT ({suspect}) THEN {raw} WHEN NOT {scientific} AND NOT {formula} THEN {raw} END"
    warning = "NULL::VARCHAR"
    if excel:
        long = f"regexp_full_match({raw}, '[1-9][0-9]{{15,}}')"
        float_like = f"coalesce(TRY_CAST(TRY_CAST({raw} AS DOUBLE) AS HUGEINT)::VARCHAR = {raw}, false)"
        fast = f"CASE WHEN NOT (strlen({raw}) > 15 AND {long}) THEN {fast} END"
        warning = f"CASE WHEN {long} AND {float_like} THEN '{LONG_NUMBER}' END"
    return Cell(
        fast=fast,
        value=value,
        error=f"CASE WHEN {scientific} THEN '{LOST_DIGITS}' WHEN {formula} THEN 'célula com erro de fórmula' END",
        warning=warning,
    )


def norm(raw: str, setting: Setting) -> Cell:
    """The id of a known norm."""
    if setting.normas is None:
        return identifier(raw)
    known = ", ".join(quote(n) for n in sorted(setting.normas)) or "''"
    value = f"CASE WHEN {raw} IN ({known}) THEN {raw} END"
    listed = ", ".join(sorted(setting.normas)) or "nenhuma"
    return Cell(
        value, value, f"CASE WHEN {value} IS NULL THEN {quote('norma desconhecida; conhecidas: ' + listed)} END"
    )


def choice(raw: str, values: tuple[str, ...]) -> Cell:
    """One of `values`, matched without case and accents, given as the contract writes it."""
    plain = f"lower(strip_accents({raw}))"
    listed = ", ".join(quote(v) for v in values)
    arms = " ".join(f"WHEN {quote(v.lower())} THEN {quote(v)}" for v in values)
    value = f"CASE WHEN {raw} IN ({listed}) THEN {raw} ELSE CASE {plain} {arms} END END"
    shown = quote("valor fora da lista: use " + ", ".join(values))
    return Cell(value, value, f"CASE WHEN ({value}) IS NULL THEN {shown} END")


def boolean(raw: str) -> Cell:
    """sim/nao, s/n, 1/0, true/false."""
    plain = f"lower(strip_accents({raw}))"
    value = (
        f"CASE WHEN {plain} IN ('sim', 's', '1', 'true') THEN true "
        f"WHEN {plain} IN ('nao', 'n', '0', 'false') THEN false END"
    )
    return Cell(value, value, f"CASE WHEN ({value}) IS NULL THEN 'valor inválido: use sim ou não' END")
