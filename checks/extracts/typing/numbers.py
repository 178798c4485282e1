"""Amounts, counts and years."""

from __future__ import annotations

from checks.extracts.typing.cell import Cell, Dot, Setting

LOST_DIGITS = "notação científica: dígitos perdidos na origem; exporte a coluna como texto"
SCIENTIFIC = r"[+-]?[0-9]+[.,][0-9]+[eE][+-]?[0-9]+|[+-]?[0-9]+[eE][+-][0-9]+"
# `1.234` alone: thousands to a Brazilian system, one and a bit to the others.
LONE_DOT = r"[1-9][0-9]{0,2}\.[0-9]{3}"

_AMERICAN = r"[0-9]{1,3}(,[0-9]{3})+\.[0-9]*|[0-9]{1,3}(,[0-9]{3}){2,}"
_BRAZILIAN = r"[0-9]+,[0-9]+|[0-9]{1,3}(\.[0-9]{3})+,[0-9]+"
_GROUPED = r"[0-9]{1,3}(\.[0-9]{3}){2,}"
_DOTTED = r"[0-9]+(\.[0-9]+)?"


def bare(raw: str) -> str:
    """A number without `R$` and the blanks after it."""
    return rf"regexp_replace({raw}, '^[Rr]\$[ \x{{a0}}]*', '')"


def evidence(raw: str) -> tuple[str, str]:
    """SQL: whether a value shows a decimal comma (dots group thousands); whether it shows a decimal dot."""
    number = bare(raw)
    comma = f"regexp_full_match({number}, '{_BRAZILIAN}|{_GROUPED}')"
    dot = f"(regexp_full_match({number}, '[0-9]+\\.[0-9]+') AND NOT regexp_full_match({number}, '{LONE_DOT}'))"
    return comma, dot


def _value(number: str, sql_type: str, dot: Dot) -> str:
    grouped = f"TRY_CAST(replace({number}, '.', '') AS {sql_type})"
    lone = f"TRY_CAST({number} AS {sql_type})" if dot == "decimal" else grouped
    return f"""CASE
        WHEN regexp_full_match({number}, '{LONE_DOT}') THEN {lone}
        WHEN regexp_full_match({number}, '{_DOTTED}') THEN TRY_CAST({number} AS {sql_type})
        WHEN regexp_full_match({number}, '{_BRAZILIAN}')
            THEN TRY_CAST(replace(replace({number}, '.', ''), ',', '.') AS {sql_type})
        WHEN regexp_full_match({number}, '{_GROUPED}') THEN {grouped} END"""


def _problem(number: str, value: str) -> str:
    return f"""CASE
        WHEN regexp_full_match({number}, '{_AMERICAN}')
            THEN 'número no formato 1,234.56: use 1.234,56 ou 1234.56'
        WHEN regexp_full_match({number}, '{SCIENTIFIC}') THEN '{LOST_DIGITS}'
        WHEN regexp_matches({number}, '^-|-$|^\\(.*\\)$') THEN 'número negativo'
        WHEN {value} IS NULL THEN 'número inválido: use 1.234,56 ou 1234.56' END"""


def _doubt(number: str, dot: Dot) -> str:
    if dot != "indefinido":
        return "NULL::VARCHAR"
    return (
        f"CASE WHEN regexp_full_match({number}, '{LONE_DOT}') THEN 'ponto lido como separador de milhar: "
        "nada mais na coluna diz se é milhar ou decimal' END"
    )


def amount(raw: str, column: str, setting: Setting, sql_type: str, decimals: int) -> Cell:
    """An amount with `decimals` decimals; more than that are rounded half up and told."""
    dot = setting.dots.get(column, "indefinido")
    number = bare(raw)
    cheap = f"(CASE WHEN starts_with({raw}, 'R$') THEN ltrim(substr({raw}, 3)) ELSE {raw} END)"
    plain = r"[0-9]+(\.[0-9]{1,2})?"
    comma = r"[0-9]+,[0-9]{1,2}|[0-9]{1,3}(\.[0-9]{3})+,[0-9]{1,2}"
    value = _value(number, sql_type, dot)
    exact = _value(number, "DECIMAL(38,12)", dot)
    rounded = f"CASE WHEN {exact} <> {value} THEN 'mais de {decimals} casas decimais: valor arredondado' END"
    return Cell(
        fast=f"""CASE WHEN regexp_full_match({cheap}, '{plain}') THEN TRY_CAST({cheap} AS {sql_type})
            WHEN regexp_full_match({cheap}, '{comma}')
            THEN TRY_CAST(replace(replace({cheap}, '.', ''), ',', '.') AS {sql_type}) END""",
        value=value,
        error=_problem(number, value),
        warning=f"coalesce({_doubt(number, dot)}, {rounded})",
    )


def whole(raw: str, column: str, setting: Setting, low: int = 0, high: int = 2_147_483_647) -> Cell:
    """A whole number from `low` to `high`."""
    dot = setting.dots.get(column, "indefinido")
    number = bare(raw)
    value = _value(number, "DECIMAL(38,12)", dot)
    simple = f"CASE WHEN regexp_full_match({raw}, '[0-9]+') THEN TRY_CAST({raw} AS INTEGER) END"
    return Cell(
        fast=f"CASE WHEN {simple} BETWEEN {low} AND {high} THEN {simple} END",
        value=f"CASE WHEN {value} = trunc({value}) AND {value} BETWEEN {low} AND {high} THEN ({value})::INTEGER END",
        error=f"""coalesce({_problem(number, value)},
            CASE WHEN {value} <> trunc({value}) THEN 'número com decimais onde se espera um inteiro'
            WHEN {value} NOT BETWEEN {low} AND {high} THEN 'número fora do intervalo de {low} a {high}' END)""",
        warning=_doubt(number, dot),
    )


def year(raw: str, column: str, setting: Setting) -> Cell:
    """A year of four digits, from 1950 to 50 years after as_of."""
    low, high = 1950, setting.latest.year
    cell = whole(raw, column, setting, low, high)
    short = f"CASE WHEN regexp_full_match({raw}, '[0-9]{{2}}') THEN 'ano com dois dígitos: escreva os quatro'"
    outside = f"WHEN ({cell.value}) IS NULL THEN 'ano inválido: use quatro dígitos, de {low} a {high}' END"
    return Cell(cell.fast, cell.value, f"{short} {outside}", cell.warning)
