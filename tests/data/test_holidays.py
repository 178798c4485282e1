"""Built-in holidays against an independent source, year by year."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import holidays
import pytest

from data.errors import NormError
from data.holidays import easter, holiday_rows, load_holidays

#: The reference gives state holidays only from the year after the law that allowed them.
ESTADUAIS_DESDE = 1996


def days(uf: str | None, primeiro: int, ultimo: int) -> set[date]:
    return {x.dia for x in holiday_rows(primeiro, ultimo) if x.uf in {None, uf}}


def test_national_days() -> None:
    referencia = holidays.country_holidays("BR", years=range(1950, 2101))
    assert days(None, 1950, 2100) == set(referencia)


@pytest.mark.parametrize("uf", ["BA", "MG"])
def test_state_days(uf: str) -> None:
    referencia = holidays.country_holidays("BR", subdiv=uf, years=range(ESTADUAIS_DESDE, 2101))
    assert days(uf, ESTADUAIS_DESDE, 2100) == set(referencia)


def test_easter_at_the_edges() -> None:
    # The earliest and latest possible days, and the two exceptions of the epact table.
    assert easter(1818) == date(1818, 3, 22)
    assert easter(2038) == date(2038, 4, 25)
    assert easter(1954) == date(1954, 4, 18)
    assert easter(1981) == date(1981, 4, 19)
    assert all(easter(ano).isoweekday() == 7 for ano in range(1900, 2200))


def test_black_awareness_only_from_2024() -> None:
    nomes = {ano: {x.dia for x in holiday_rows(ano, ano)} for ano in (2023, 2024)}
    assert date(2023, 11, 20) not in nomes[2023]
    assert date(2024, 11, 20) in nomes[2024]


def test_optional_days_are_not_built_in() -> None:
    assert not days("BA", 2026, 2026) & {date(2026, 2, 16), date(2026, 2, 17), date(2026, 2, 18), date(2026, 6, 4)}


def test_rows_in_order_with_their_state() -> None:
    linhas = holiday_rows(2025, 2026)
    assert [x.dia for x in linhas] == sorted(x.dia for x in linhas)
    assert {(x.dia, x.escopo) for x in linhas if x.uf == "BA"} == {
        (date(2025, 7, 2), "estadual"),
        (date(2026, 7, 2), "estadual"),
    }


@pytest.mark.parametrize(
    ("corpo", "mensagem"),
    [
        ('escopo = "estadual"\ndia = "03-19"', "feriado estadual pede `uf`"),
        ('escopo = "nacional"\ndia = "02-30"', "não existe"),
        ('escopo = "nacional"\ndia = "02-29"', "não existe em todos os anos"),
        ('escopo = "nacional"', "diga `dia` ou `pascoa`"),
        ('escopo = "municipal"\ndia = "03-19"', "não é um de"),
    ],
)
def test_wrong_rules(tmp_path: Path, corpo: str, mensagem: str) -> None:
    texto = f'[[feriado]]\nnome = "X"\nvigente_de = 2000\nfonte = "Lei"\n{corpo}\n'
    (tmp_path / "x.toml").write_text(texto, encoding="utf-8")
    with pytest.raises(NormError, match=r"x.toml, linha \d") as erro:
        load_holidays(tmp_path)
    assert mensagem in str(erro.value)
