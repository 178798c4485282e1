"""Numbers, dates and documents as Brazilians write them."""

from datetime import date, datetime
from decimal import Decimal

import pytest

from reports.formats import (
    date_br,
    datetime_br,
    int_br,
    mask_cpf,
    mask_cpfs,
    money_br,
    number_br,
    percent_br,
    seconds_br,
    truncate,
)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (int_br(0), "0"),
        (int_br(1234567), "1.234.567"),
        (int_br(-1234), "-1.234"),
        (int_br(None), ""),
        (number_br(1234.5), "1.234,50"),
        (number_br(Decimal("0.005")), "0,01"),
        (number_br(12.34, 1), "12,3"),
        (money_br(Decimal("1234567.8")), "R$ 1.234.567,80"),
        (money_br(Decimal("-0.5")), "-R$ 0,50"),
        (money_br("957.50"), "R$ 957,50"),
        (money_br(None), ""),
        (money_br(0), "R$ 0,00"),
        (percent_br(0.0525), "5,3 %"),
        (percent_br(0.2), "20 %"),
        (percent_br(0), "0 %"),
        (percent_br(0.0004), "< 0,1 %"),
        (percent_br(1), "100 %"),
        (date_br(date(2026, 3, 1)), "01/03/2026"),
        (date_br("2026-03-01"), "01/03/2026"),
        (date_br("sem data"), "sem data"),
        (date_br(None), ""),
        (datetime_br(datetime(2026, 3, 1, 7, 5)), "01/03/2026 07:05"),  # noqa: DTZ001
        (datetime_br("2026-03-01T07:05:09-03:00"), "01/03/2026 07:05"),
        (datetime_br("2026-03-01"), "01/03/2026"),
        (seconds_br(0.044), "0,04 s"),
        (seconds_br(12.34), "12,3 s"),
        (seconds_br(125), "2 min 5 s"),
        (truncate("a\n b", 10), "a b"),
        (truncate("abcdef", 5), "abcd…"),
        (truncate("abcde", 5), "abcde"),
    ],
)
def test_forms(made, said):
    assert made == said


@pytest.mark.parametrize("cpf", ["529.982.247-25", "52998224725", "529982247-25"])
def test_a_cpf_is_masked_alone_and_inside_a_text(cpf):
    assert mask_cpf(cpf) == "***.982.247-**"
    assert mask_cpfs(f"documento {cpf}, linha 3") == "documento ***.982.247-**, linha 3"


@pytest.mark.parametrize(
    "other", ["11.222.333/0001-81", "11222333000181", "2026-11-30", "R$ 1.234.567,89", "AAA1B23", ""]
)
def test_what_is_no_cpf_stays(other):
    assert mask_cpf(other) == other
    assert mask_cpfs(other) == other
