"""One value at a time: what each kind of column takes, refuses and doubts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from validate_docbr import CNPJ, CPF

from checks.extracts import columns as kinds
from checks.extracts import tables
from checks.extracts.columns import Column
from checks.extracts.typing.cell import Setting
from checks.extracts.typing.kinds import cell_of
from tests.extracts.base import AS_OF, NORMAS


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    tables.create_macros(connection)
    yield connection
    connection.close()


def read(
    con: duckdb.DuckDBPyConnection, column: Column, text: str, person: str | None = None, **setting: Any
) -> tuple[Any, str | None, str | None]:
    """(value, error, warning) of one text; the quick reading must agree with the patient one."""
    cell = cell_of(column, "r", Setting(AS_OF, NORMAS, **setting), f"'{person}'" if person else None)
    cell = cell.working_on("w")
    quick, value, error, warning = con.execute(
        f"SELECT {cell.fast}, {cell.value}, {cell.error}, {cell.warning} "
        f"FROM (SELECT r, {cell.work} AS w FROM (SELECT ?::VARCHAR AS r))",
        [text],
    ).fetchall()[0]
    if quick is not None:
        assert (quick, error, warning) == (value, None, None)
    return value, error, warning


FEB = date(2024, 2, 1)


@pytest.mark.parametrize(
    "text",
    [
        "01/02/2024",
        "2024-02-01",
        "1/2/2024",
        "01/02/2024 23:59",
        "01/02/2024 23:59:59",
        "2024-02-01 10:00",
        "2024-02-01 10:00:00",
        "2024-02-01T10:00:00",
        "2024-02-01 10:00:00.123456",
    ],
)
def test_a_day_is_read_and_its_hour_cut_off(con: duckdb.DuckDBPyConnection, text: str) -> None:
    assert read(con, kinds.date("d"), text) == (FEB, None, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("31/02/2024", "data inválida"),
        ("29/02/2023", "data inválida"),
        ("12/31/2023", "data inválida"),
        ("2024-02-30", "data inválida"),
        ("01/02/24", "dois dígitos"),
        ("1/2/24 10:00", "dois dígitos"),
        ("1899-12-30", "zero de planilha"),
        ("30/12/1899 00:00:00", "zero de planilha"),
        ("1949-12-31", "anterior a 01/01/1950"),
        ("01/12/2076", "posterior a 30/11/2076"),
        ("01/02/2024 24:00", "data inválida"),
        ("infinity", "data inválida"),
        ("45292", "data inválida"),
        ("01/02/20245", "data inválida"),
    ],
)
def test_a_bad_day_is_refused_with_its_reason(con: duckdb.DuckDBPyConnection, text: str, why: str) -> None:
    value, error, _ = read(con, kinds.date("d"), text)
    assert value is None
    assert error and why in error


@pytest.mark.parametrize(
    ("column", "text", "good"),
    [
        (kinds.date("d"), "31/12/1949", False),
        (kinds.date("d"), "01/01/1950", True),
        (kinds.date("d"), "30/11/2076", True),
        (kinds.date("d"), "01/12/2076", False),
        (kinds.birth("d"), "31/12/1899", False),
        (kinds.birth("d"), "01/01/1900", True),
        (kinds.instant("d"), "2076-11-30 23:59:59", True),
        (kinds.instant("d"), "2076-12-01 00:00:00", False),
        (kinds.year("a"), "1949", False),
        (kinds.year("a"), "1950", True),
        (kinds.year("a"), "2076", True),
        (kinds.year("a"), "2077", False),
        (kinds.year("a"), "24", False),
        (kinds.count("n"), "-1", False),
        (kinds.count("n"), "0", True),
        (kinds.count("n"), "2147483647", True),
        (kinds.count("n"), "2147483648", False),
    ],
)
def test_ranges_hold_on_both_sides(con: duckdb.DuckDBPyConnection, column: Column, text: str, good: bool) -> None:
    value, error, _ = read(con, column, text)
    assert (value is not None, error is None) == (good, good)


def test_an_instant_keeps_its_hour(con: duckdb.DuckDBPyConnection) -> None:
    assert read(con, kinds.instant("i"), "01/02/2024 08:15")[0] == datetime.fromisoformat("2024-02-01 08:15")
    assert read(con, kinds.instant("i"), "2024-02-01 08:15:30.5")[0] == datetime.fromisoformat(
        "2024-02-01 08:15:30.500000"
    )
    assert read(con, kinds.instant("i"), "01/02/2024")[0] == datetime.fromisoformat("2024-02-01")


def test_numbers_are_dates_only_in_a_spreadsheet(con: duckdb.DuckDBPyConnection) -> None:
    assert read(con, kinds.date("d"), "45292", excel=True)[0] == date(2024, 1, 1)
    assert read(con, kinds.date("d"), "45292.99", excel=True)[0] == date(2024, 1, 1)
    assert read(con, kinds.instant("d"), "45292.75", excel=True)[0] == datetime.fromisoformat("2024-01-01 18:00")
    assert read(con, kinds.date("d"), "0", excel=True)[0] is None
    assert read(con, kinds.date("d"), "45292")[0] is None


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1.234,56", "1234.56"),
        ("1234,56", "1234.56"),
        ("1234.56", "1234.56"),
        ("R$ 1.234,56", "1234.56"),
        ("R$1.234,56", "1234.56"),
        ("R$\u00a01.234,56", "1234.56"),
        ("1.234.567", "1234567.00"),
        ("1.234.567,8", "1234567.80"),
        ("12", "12.00"),
        ("0", "0.00"),
        ("293.4700", "293.47"),
    ],
)
def test_amounts(con: duckdb.DuckDBPyConnection, text: str, amount: str) -> None:
    assert read(con, kinds.money("m"), text) == (Decimal(amount), None, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1,234.56", "1,234.56"),
        ("1,234,567", "1,234.56"),
        ("1.2E+05", "dígitos perdidos"),
        ("-5", "negativo"),
        ("(5,00)", "negativo"),
        ("12.345.67", "número inválido"),
        ("1 234,56", "número inválido"),
        ("999999999999999999", "número inválido"),
        ("abc", "número inválido"),
        ("1_000", "número inválido"),
    ],
)
def test_bad_amounts(con: duckdb.DuckDBPyConnection, text: str, why: str) -> None:
    value, error, _ = read(con, kinds.money("m"), text)
    assert value is None
    assert error and why in error


def test_a_lone_dot_is_settled_by_its_column_or_told(con: duckdb.DuckDBPyConnection) -> None:
    value, error, warning = read(con, kinds.money("m"), "1.234")
    assert (value, error) == (Decimal(1234), None)
    assert warning and "milhar" in warning
    assert read(con, kinds.money("m"), "1.234", dots={"m": "milhar"}) == (Decimal(1234), None, None)
    assert read(con, kinds.index("m"), "1.234", dots={"m": "decimal"}) == (Decimal("1.234"), None, None)


def test_fractions_of_a_cent_are_rounded_and_told(con: duckdb.DuckDBPyConnection) -> None:
    value, _, warning = read(con, kinds.money("m"), "1234,565")
    assert value == Decimal("1234.57")
    assert warning and "arredondado" in warning
    assert read(con, kinds.index("i"), "3,456789") == (Decimal("3.456789"), None, None)


@pytest.mark.parametrize(("text", "number"), [("12", 12), ("0012", 12), ("12.0", 12), ("12,00", 12), ("12,5", None)])
def test_counts(con: duckdb.DuckDBPyConnection, text: str, number: int | None) -> None:
    assert read(con, kinds.count("n"), text)[0] == number


@pytest.mark.parametrize("text", ["sim", "SIM", "s", "1", "true", "True"])
def test_yes(con: duckdb.DuckDBPyConnection, text: str) -> None:
    assert read(con, kinds.boolean("b"), text)[0] is True


@pytest.mark.parametrize("text", ["não", "Nao", "n", "0", "FALSE"])
def test_no(con: duckdb.DuckDBPyConnection, text: str) -> None:
    assert read(con, kinds.boolean("b"), text)[0] is False


@pytest.mark.parametrize("text", ["x", "2", "verdade"])
def test_neither(con: duckdb.DuckDBPyConnection, text: str) -> None:
    assert read(con, kinds.boolean("b"), text)[:2] == (None, "valor inválido: use sim ou não")


@pytest.mark.parametrize("text", ["1.12E+13", "1,12E+13", "1E+13", "1.5e13", "-1E-5"])
def test_scientific_notation_has_lost_its_digits(con: duckdb.DuckDBPyConnection, text: str) -> None:
    value, error, _ = read(con, kinds.identifier("i"), text)
    assert value is None
    assert error and "dígitos perdidos na origem" in error


@pytest.mark.parametrize("text", ["0012", "12E5", "26-XIV", "12345.0", "1.234", "A-1.E+2", "2026-B3"])
def test_an_identifier_is_text_from_the_first_byte(con: duckdb.DuckDBPyConnection, text: str) -> None:
    assert read(con, kinds.identifier("i"), text) == (text, None, None)


def test_enumerations_without_case_and_accents(con: duckdb.DuckDBPyConnection) -> None:
    column = kinds.choice("t", "onibus micro_onibus TVTM")
    assert read(con, column, "Ônibus")[0] == "onibus"
    assert read(con, column, "o\u0302nibus")[0] == "onibus"
    assert read(con, column, "tvtm")[0] == "TVTM"
    value, error, _ = read(con, column, "bonde")
    assert value is None
    assert error and "use onibus, micro_onibus, TVTM" in error


def test_an_unknown_norm_is_refused(con: duckdb.DuckDBPyConnection) -> None:
    assert read(con, kinds.norm(), "825/2021")[0] == "825/2021"
    assert "norma desconhecida" in (read(con, kinds.norm(), "826/2021")[1] or "")


@pytest.mark.parametrize(
    ("text", "person", "value", "doubt"),
    [
        ("529.982.247-25", "PF", "52998224725", None),
        ("11.222.333/0001-81", "PJ", "11222333000181", None),
        ("12.abc.345/01de-35", "PJ", "12ABC34501DE35", None),
        ("12ABC34501DE45", "PJ", "12ABC34501DE45", "verificadores"),
        ("191", "PF", "00000000191", "completado"),
        ("191", "PJ", "00000000000191", "completado"),
        ("191", None, "191", "verificadores"),
        ("11222333000181.0", "PJ", "11222333000181", "completado"),
        ("1222333000181", "PJ", "1222333000181", "verificadores"),
        ("111.111.111-11", "PF", "11111111111", "verificadores"),
        ("52998224725", "PJ", "52998224725", "CPF em pessoa jurídica"),
        ("11222333000181", "PF", "11222333000181", "CNPJ em pessoa física"),
    ],
)
def test_documents(
    con: duckdb.DuckDBPyConnection, text: str, person: str | None, value: str, doubt: str | None
) -> None:
    got, error, warning = read(con, kinds.document("d"), text, person)
    assert (got, error) == (value, None)
    assert (warning is None) if doubt is None else (doubt in (warning or ""))


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text("0123456789", min_size=11, max_size=14), st.text("0123456789ABZ", min_size=14, max_size=14)))
def test_check_digits_agree_with_another_implementation(con: duckdb.DuckDBPyConnection, text: str) -> None:
    found = con.execute("SELECT cpf_valido($1), cnpj_valido($1)", [text]).fetchall()[0]
    assert found == (len(text) == 11 and CPF().validate(text), len(text) == 14 and CNPJ().validate(text))


def test_valid_documents_agree_with_another_implementation(con: duckdb.DuckDBPyConnection) -> None:
    for made in (CPF().generate_list(50), CNPJ().generate_list(50)):
        for digits in made:
            assert con.execute("SELECT cpf_valido($1) OR cnpj_valido($1)", [digits]).fetchall() == [(True,)]
            wrong = digits[:-1] + str((int(digits[-1]) + 1) % 10)
            assert con.execute("SELECT cpf_valido($1) OR cnpj_valido($1)", [wrong]).fetchall() == [(False,)]


@pytest.mark.parametrize(
    ("text", "written", "canonical"),
    [
        ("ABC-1234", "ABC1234", "ABC1C34"),
        ("abc1234", "ABC1234", "ABC1C34"),
        ("ABC1C34", "ABC1C34", "ABC1C34"),
        ("OWW 7914", "OWW7914", "OWW7J14"),
        ("sin8j65", "SIN8J65", "SIN8J65"),
        ("ABC1K34", "ABC1K34", "ABC1K34"),
        ("ABC1D234", "ABC1D234", None),
        ("AB1234", "AB1234", None),
    ],
)
def test_plates(con: duckdb.DuckDBPyConnection, text: str, written: str, canonical: str | None) -> None:
    value, error, _ = read(con, kinds.plate(), text)
    assert value == written
    assert (error is None) == (canonical is not None)
    assert con.execute("SELECT placa_canonica(?)", [value]).fetchall() == [(canonical,)]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9 - 1), st.sampled_from([True, False]))
def test_both_notations_give_the_same_amount(con: duckdb.DuckDBPyConnection, cents: int, grouped: bool) -> None:
    amount = Decimal(cents) / 100
    english = f"{amount:.2f}"
    brazilian = f"{amount:,.2f}".translate(str.maketrans(",.", ".,")) if grouped else english.replace(".", ",")
    for text in (english, brazilian, f"R$ {brazilian}"):
        assert read(con, kinds.money("m"), text) == (amount.quantize(Decimal("0.01")), None, None)


@settings(max_examples=60, deadline=None)
@given(st.dates(date(1950, 1, 1), date(2076, 11, 30)))
def test_both_notations_give_the_same_day(con: duckdb.DuckDBPyConnection, day: date) -> None:
    for text in (f"{day:%d/%m/%Y}", day.isoformat(), f"{day:%d/%m/%Y} 23:59", f"{day.isoformat()} 00:00:00"):
        assert read(con, kinds.date("d"), text) == (day, None, None)
