"""How numbers, dates and documents are written for Brazilian readers. Pure functions, no locale."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal

_CENT = Decimal("0.01")


def int_br(value: int | None) -> str:
    """``1234567`` → ``1.234.567``; None → empty."""
    return "" if value is None else f"{int(value):,}".replace(",", ".")


def count_br(value: int, one: str, many: str) -> str:
    """A count with its noun: ``1 achado``, ``1.234 achados``; none is ``0 achados``."""
    return f"{int_br(value)} {one if value == 1 else many}"


def number_br(value: Decimal | float | int | None, places: int = 2) -> str:
    """A number with decimal comma and ``places`` decimals (half up): ``1234.5`` → ``1.234,50``."""
    if value is None:
        return ""
    exact = Decimal(str(value)).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    return f"{exact:,}".translate(str.maketrans(",.", ".,"))


def money_br(value: Decimal | int | float | str | None) -> str:
    """An amount in reais, ``R$ 1.234,56`` (half up to the cent); None → empty."""
    if value is None or value == "":
        return ""
    exact = Decimal(str(value)).quantize(_CENT, rounding=ROUND_HALF_UP)
    sign = "-" if exact < 0 else ""
    return f"{sign}R$ {number_br(abs(exact))}"


def percent_br(share: float | Decimal | None, places: int = 1) -> str:
    """A share of one as a percentage: ``0.0525`` → ``5,3 %``; a share too small to show is ``< 0,1 %``."""
    if share is None:
        return ""
    value = Decimal(str(share)) * 100
    least = Decimal(1).scaleb(-places)
    if 0 < value < least:
        return f"< {number_br(least, places)} %"
    text = number_br(value, places)
    if places and text.endswith("," + "0" * places):
        text = text[: -places - 1]
    return f"{text} %"


def date_br(value: date | datetime | str | None) -> str:
    """A date as dd/mm/aaaa; accepts ISO text; anything else that is not a date comes back as it is."""
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        match = re.match(r"(\d{4})-(\d{2})-(\d{2})", value)
        return f"{match[3]}/{match[2]}/{match[1]}" if match else value
    return f"{value.day:02d}/{value.month:02d}/{value.year:04d}"


def datetime_br(value: datetime | str | None) -> str:
    """A moment as dd/mm/aaaa hh:mm, or dd/mm/aaaa where there is no hour; accepts ISO text."""
    if value is None or value == "":
        return ""
    if isinstance(value, str):
        match = re.match(r"\d{4}-\d{2}-\d{2}[T ](\d{2}):(\d{2})", value)
        return f"{date_br(value)} {match[1]}:{match[2]}" if match else date_br(value)
    return f"{date_br(value)} {value.hour:02d}:{value.minute:02d}"


def seconds_br(value: float | None) -> str:
    """A duration in seconds: ``0,04 s``, ``12,3 s``, ``2 min 5 s``."""
    if value is None:
        return ""
    if value < 10:
        return f"{number_br(value, 2)} s"
    if value < 60:
        return f"{number_br(value, 1)} s"
    minutes, seconds = divmod(round(value), 60)
    return f"{minutes} min {seconds} s"


def mask_cpf(text: str | None) -> str:
    """Hide the first and the last digits of a CPF, ``***.456.789-**``; other text comes back as it is."""
    if not text:
        return ""
    digits = re.sub(r"\D", "", text)
    if len(digits) == 11 and re.fullmatch(r"[\d.\-/ ]+", text.strip()):
        return f"***.{digits[3:6]}.{digits[6:9]}-**"
    return text


# What `document_br` (with what tells two apart) and the published copy write.
_MASKED = re.compile(r"\*{3}(?:\.\d{3}\.\d{3}-\*\*| \(\d+ caracteres?\))?(?: \(difere [^)]*\))?")


def document_br(text: str | None) -> str:
    """A document safe to show: the middle of a CPF, a CNPJ with its punctuation, else only how long it is.

    Of a column that holds documents everything is one, valid or not. What is masked already comes back as it is.
    """
    if not text or _MASKED.fullmatch(text):
        return text or ""
    bare = re.sub(r"[^0-9A-Za-z]", "", text)
    if len(bare) == 11 and bare.isdigit():
        return mask_cpf(bare)
    if len(bare) == 14:
        return f"{bare[:2]}.{bare[2:5]}.{bare[5:8]}/{bare[8:12]}-{bare[12:]}"
    return f"*** ({len(bare)} {'caractere' if len(bare) == 1 else 'caracteres'})"


# Eleven digits in CPF shape, or bare and not part of a longer number (a CNPJ has fourteen).
_CPF_IN_TEXT = re.compile(r"(?<![\d.])\d{3}\.?\d{3}\.?\d{3}[-/ ]?\d{2}(?![\d/])")


def mask_cpfs(text: str | None) -> str:
    """Mask every CPF-looking number inside a longer text (a rejected value, a reason)."""
    return "" if not text else _CPF_IN_TEXT.sub(lambda m: mask_cpf(m.group()), text)


def truncate(text: str | None, limit: int = 60) -> str:
    """One line of at most ``limit`` characters, the cut shown by an ellipsis."""
    if not text:
        return ""
    line = re.sub(r"\s+", " ", text).strip()
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
