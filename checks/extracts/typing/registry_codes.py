"""CPF, CNPJ and plates: the codes with a shape of their own."""

from __future__ import annotations

from checks.extracts.typing.cell import WORK, Cell
from checks.extracts.typing.numbers import LOST_DIGITS, SCIENTIFIC

PLATE = "[A-Z]{3}[0-9][A-Z0-9][0-9]{2}"


def _check_digit(text: str, weights: tuple[int, ...]) -> str:
    terms = " + ".join(f"(ascii({text}[{i}]) - 48) * {w}" for i, w in enumerate(weights, 1))
    # 11 minus the remainder, where 10 and 11 give 0.
    return f"((11 - ({terms}) % 11) % 11 % 10)"


def _all_equal(text: str, size: int) -> str:
    return f"{text} = repeat({text}[1], {size})"


MACROS = (
    f"""CREATE OR REPLACE TEMP MACRO cpf_valido(d) AS regexp_full_match(d, '[0-9]{{11}}')
    AND NOT {_all_equal("d", 11)}
    AND {_check_digit("d", tuple(range(10, 1, -1)))} = ascii(d[10]) - 48
    AND {_check_digit("d", tuple(range(11, 1, -1)))} = ascii(d[11]) - 48""",
    f"""CREATE OR REPLACE TEMP MACRO cnpj_valido(d) AS regexp_full_match(d, '[0-9A-Z]{{12}}[0-9]{{2}}')
    AND NOT {_all_equal("d", 14)}
    AND {_check_digit("d", (5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2))} = ascii(d[13]) - 48
    AND {_check_digit("d", (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2))} = ascii(d[14]) - 48""",
    f"""CREATE OR REPLACE TEMP MACRO placa_canonica(p) AS CASE WHEN regexp_full_match(p, '{PLATE}')
    THEN p[1:4] || translate(p[5], '0123456789', 'ABCDEFGHIJ') || p[6:7] END""",
)


def document(raw: str, person: str | None) -> Cell:
    """A CPF or CNPJ as bare characters. `person`: SQL giving PF or PJ, where the extract says.

    Lost leading zeros are put back where the check digits then agree, and told. Check digits that fail, or the other
    kind of document than the person's, are warnings.
    """
    bare = f"upper(translate({raw}, './- ', ''))"
    cpf, cnpj = f"cpf_valido({bare})", f"cnpj_valido({bare})"
    kind = person or "NULL"
    # A number stored as a float comes with `.0`; the digits are all there.
    short = f"translate(regexp_replace({raw}, '\\.0$', ''), './- ', '')"
    digits = f"regexp_full_match({short}, '[0-9]{{1,14}}')"
    as_cpf = f"({digits} AND strlen({short}) <= 11 AND cpf_valido(lpad({short}, 11, '0')))"
    as_cnpj = f"({digits} AND strlen({short}) <= 14 AND cnpj_valido(lpad({short}, 14, '0')))"
    recovered = f"""CASE WHEN {as_cpf} AND coalesce({kind}, 'PF') = 'PF' AND NOT ({kind} IS NULL AND {as_cnpj})
            THEN lpad({short}, 11, '0')
        WHEN {as_cnpj} AND coalesce({kind}, 'PJ') = 'PJ' AND NOT ({kind} IS NULL AND {as_cpf})
            THEN lpad({short}, 14, '0') END"""
    scientific = f"regexp_full_match({raw}, '{SCIENTIFIC}')"
    # Valid as it stands exactly where the shared step gives it back unchanged: what it recovers has other characters.
    valid = f"{WORK} = {bare}"
    return Cell(
        fast=f"CASE WHEN {cpf} AND coalesce({kind}, 'PF') = 'PF' THEN {bare} "
        f"WHEN {cnpj} AND coalesce({kind}, 'PJ') = 'PJ' THEN {bare} END",
        value=f"CASE WHEN NOT {scientific} THEN coalesce({WORK}, {bare}) END",
        error=f"CASE WHEN {scientific} THEN '{LOST_DIGITS}' END",
        warning=f"""CASE WHEN {valid} AND strlen({WORK}) = 11 AND {kind} = 'PJ'
                THEN 'CPF em pessoa jurídica: confira o cadastro'
            WHEN {valid} AND strlen({WORK}) = 14 AND {kind} = 'PF' THEN 'CNPJ em pessoa física: confira o cadastro'
            WHEN {valid} THEN NULL
            WHEN {WORK} IS NOT NULL THEN 'documento completado com zeros à esquerda ou sem o «.0»: confira'
            ELSE 'dígitos verificadores não conferem' END""",
        work=f"CASE WHEN {cpf} OR {cnpj} THEN {bare} ELSE {recovered} END",
    )


def plate(raw: str) -> Cell:
    """A plate without separators, upper case. One in neither form is kept as typed and joins nothing."""
    bare = f"upper(translate({raw}, ' -.', ''))"
    good = (
        f"CASE WHEN regexp_full_match({raw}, '{PLATE}') THEN {raw} "
        f"WHEN regexp_full_match({bare}, '{PLATE}') THEN {bare} END"
    )
    return Cell(
        fast=good,
        value=f"coalesce({good}, {raw})",
        error=f"CASE WHEN ({good}) IS NULL THEN 'placa fora do formato ABC1234 ou ABC1D23: não é ligada a veículo' END",
        fatal=False,
    )
