"""Values of the evidence in words: codes as a person says them, what is empty left out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reports.explain.vocabulary import common_words, label, load_vocabulary, write
from reports.formats import date_br, datetime_br

MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}")
MIDNIGHT = "00:00:00"
#: What says nothing. A number zero says something.
EMPTY: tuple[Any, ...] = (None, [], {}, "")


def say(nome: str, valor: Any) -> str:
    """A value of the field `nome` in words; empty for what says nothing."""
    if valor in EMPTY:
        return ""
    if isinstance(valor, Mapping):
        return say_row(nome, valor)
    if isinstance(valor, list):
        return ", ".join(dito for v in valor if (dito := say(nome, v)))
    if not isinstance(valor, str):
        return write(nome, valor)
    if valor in common_words() and valor not in load_vocabulary().get(nome, {}).get("valores", {}):
        return common_words()[valor]
    return _moment(valor) if MOMENT.fullmatch(valor) else write(nome, valor)


def _moment(valor: str) -> str:
    """A moment inside a table, where no field says that it is one; the day alone where there is no hour."""
    return date_br(valor) if valor.endswith(MIDNIGHT) else datetime_br(valor)


def say_row(tabela: str, linha: Mapping[str, Any]) -> str:
    """A row of a table of the evidence: `alvará: A005492, emitido em: 10/01/2026`."""
    rotulos = load_vocabulary().get(tabela, {}).get("campos")
    nomes: Mapping[str, str] = rotulos if isinstance(rotulos, Mapping) else {}
    partes = ((nomes.get(k) or label(k), say(k, v)) for k, v in linha.items() if k != "falta")
    return ", ".join(f"{nome[:1].lower()}{nome[1:]}: {dito}" for nome, dito in partes if dito)
