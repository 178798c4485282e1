"""What each value of a finding is called on a page: the words of the dashboard and of the prontuario."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from reports.formats import date_br

#: Shown where a finding has no value of the kind.
NENHUM = "(não dito)"


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """Kind of value → value → words."""
    return tomllib.loads(files("reports").joinpath("rotulos.toml").read_text(encoding="utf-8"))


@cache
def _titles() -> Mapping[str, str]:
    """Check → the title of its check.toml."""
    from checks.law.catalogue import load_catalogue

    return {check.id: check.titulo for check in load_catalogue().values()}


def word(kind: str, value: Any) -> str:
    """What `value` is called; a value nobody named comes back readable."""
    if value is None or value == "":
        return NENHUM
    named = words().get(kind, {}).get(str(value))
    if named:
        return named
    if kind == "verificacao":
        return _titles().get(str(value)) or str(value).replace("_", " ")
    return str(value).replace("_", " ") if kind in words() else str(value)


def order(kind: str, value: Any) -> int:
    """Place of a value in the order its kind is told (stages, ages); unknown ones last."""
    known = list(words().get(kind, {}))
    return known.index(value) if value in known else len(known)


def who_acts(etapa: str | None, competente: str | None, prazo: date | None, agente: str | None = None) -> str:
    """Who has to move a case on, and to what. `agente`: who draws up autos under the norm, where it says."""
    text = words()["quem_age"].get(etapa or "")
    if text is None:
        return competente or ""
    return text.format(
        competente=competente or "Autoridade",
        prazo=date_br(prazo) or "o fim do prazo",
        agente=agente or competente or "Fiscalização",
    )
