"""The words of the evidence: checks/evidencia.toml says what each field is called and how it is written."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Any

from reports.documents import mask_evidence
from reports.formats import date_br, datetime_br, money_br, number_br

ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
#: A code of several words, as the extracts write them.
SLUG = re.compile(r"[a-z]+(_[a-z]+)+")
ISO_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})")


@cache
def load_vocabulary() -> Mapping[str, Mapping[str, Any]]:
    """Field → rotulo, tipo, descricao; some also `campos` (labels inside that table) and `valores` (codes in words)."""
    return tomllib.loads(files("checks").joinpath("evidencia.toml").read_text(encoding="utf-8"))


@cache
def common_words() -> Mapping[str, str]:
    """Code → words, for fields to which the vocabulary of the evidence gives none (see the file)."""
    return tomllib.loads(files("reports").joinpath("palavras.toml").read_text(encoding="utf-8"))


def read_evidence(text: str | None) -> dict[str, Any]:
    """The evidence with dates as dates, amounts exact, and documents masked."""
    return {k: _typed(k, v) for k, v in json.loads(mask_evidence(text) or "{}", parse_float=Decimal).items()}


def _typed(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_typed(name, v) for v in value]
    if isinstance(value, dict):
        return {k: _typed(k, v) for k, v in value.items()}
    if isinstance(value, str):
        if ISO_DAY.fullmatch(value) and not name.endswith("_id"):
            return date.fromisoformat(value)
        if load_vocabulary().get(name, {}).get("tipo") == "instante" and ISO_MOMENT.match(value):
            return datetime.fromisoformat(value)
    return value


def label(name: str, table: str = "") -> str:
    """What a field is called, in a table of the evidence where it has a name of its own there."""
    inside = load_vocabulary().get(table, {}).get("campos", {}).get(name) if table else None
    return inside or load_vocabulary().get(name, {}).get("rotulo") or name.removesuffix("_id").replace("_", " ")


def description(name: str) -> str:
    """What a field means, in a sentence; empty where nobody said."""
    return load_vocabulary().get(name, {}).get("descricao") or ""


def write(name: str, value: Any) -> str:
    """A value the Brazilian way, by the declared kind of its field; codes in words."""
    said = load_vocabulary().get(name, {})
    kind = said.get("tipo")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, datetime):
        return datetime_br(value)
    if isinstance(value, date):
        return date_br(value)
    if kind == "dinheiro" and isinstance(value, int | Decimal):
        return money_br(value)
    if isinstance(value, Decimal):
        exact = value.normalize()
        return number_br(exact, max(0, -int(exact.as_tuple().exponent)))
    if isinstance(value, list):
        return ", ".join(write(name, v) for v in value)
    if isinstance(value, dict):
        return "; ".join(f"{label(k, name)}: {write(k, v)}" for k, v in value.items() if v is not None)
    words = said.get("valores", {})
    if str(value) in words:
        return str(words[str(value)])
    if str(value) in common_words() and not name.endswith("_id"):
        return common_words()[str(value)]
    if name == "falta":
        return label(str(value).rsplit(".", 1)[-1])
    return str(value).replace("_", " ") if SLUG.fullmatch(str(value)) and not name.endswith("_id") else str(value)
