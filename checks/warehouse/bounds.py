"""Bounds as the gate asks them, and the plain comparison that answers them where no library is worth its start-up.

The night's judge is Great Expectations (`checks.warehouse.expectations`). `emdia source check` asks a handful of the
same bounds while somebody waits: `Comparacao` gives the same verdicts without seconds of import.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from checks.warehouse.limits import Severity

SEM_VALOR = "medida sem valor"


@dataclass(frozen=True)
class Pergunta:
    """One bound on one measure."""

    id: str
    descricao: str
    severidade: Severity
    minimo: float | None
    maximo: float | None


@dataclass(frozen=True)
class Resposta:
    """What was answered: `quebrou` is set when the check itself failed to run."""

    id: str
    sucesso: bool | None
    observado: float | None
    quebrou: str | None = None


class Juiz(Protocol):
    """Who answers the bounds of one extract, in their order."""

    def ask(self, nome: str, medidas: dict[str, float], perguntas: list[Pergunta]) -> list[Resposta]:
        """Judge the `medidas` of the suite `nome`."""
        ...


class Comparacao:
    """The bounds, inclusive, compared here and now."""

    def ask(self, nome: str, medidas: Mapping[str, float], perguntas: Sequence[Pergunta]) -> list[Resposta]:
        """Judge the measures; answers in order."""
        return [_compare(p, medidas[p.id]) for p in perguntas]


def _compare(pergunta: Pergunta, valor: float) -> Resposta:
    if math.isnan(valor):
        return Resposta(pergunta.id, None, None, SEM_VALOR)
    low, high = pergunta.minimo, pergunta.maximo
    within = (low is None or valor >= low) and (high is None or valor <= high)
    return Resposta(pergunta.id, within, float(valor))
