"""What a municipality may set about the gate. Every number here is an operating choice, none is the law's."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Severity = Literal["critica", "aviso"]


class GateLimits(BaseModel):
    """Settings of the gate; defaults are those of the extracts' contract.

    ``ajustes`` replaces the limit of one expectation by its address, ``"autos.codigo_desconhecido": 0.10``,
    ``desligadas`` leaves expectations out by address (a critical one cannot be left out),
    ``aceitar_encolhimento`` names the extracts whose loss of rows somebody has confirmed to be real.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    encolhimento_maximo: float = Field(default=0.20, ge=0, le=1)
    """Share of rows an extract may lose since its last accepted load; beyond it the extract is refused."""
    encolhimento_minimo_linhas: int = Field(default=1, ge=1)
    """Loss of fewer rows than this never refuses: for very small registries."""
    aceitar_encolhimento: frozenset[str] = frozenset()
    cauda_minimo_linhas: int = Field(default=10, ge=1)
    """Rows that must be gone, with the newest facts, before the end of a file is taken for cut off."""
    crescimento_maximo: float = Field(default=3.0, gt=1)
    """An extract this many times larger than the last load is warned about."""
    tolerancia_futuro_dias: int = Field(default=1, ge=0)
    """Days after the as-of date up to which the date of a fact is not remarked on."""
    exemplos: int = Field(default=5, ge=0, le=100)
    """Lines named as examples under a failed expectation."""
    ajustes: dict[str, float] = {}
    desligadas: frozenset[str] = frozenset()


class CargaAnterior(BaseModel):
    """The last accepted load of one extract, on an as-of strictly before tonight's."""

    model_config = ConfigDict(frozen=True)

    as_of: date
    linhas: int
    """Rows of the file's picture: read, minus footers and collapsed repeats."""
    carregadas: int
    sha256: frozenset[str] = frozenset()
    mais_novo: date | None = None
    """The newest fact seen that night, where the extract's suite measures freshness."""
