"""What the ledger is told of a run, and what it answers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any


@dataclass(frozen=True)
class RunRecord:
    """One run, as it will be remembered. Instants are aware, or naive in the municipality's time zone."""

    execucao_id: str
    as_of: date
    iniciada_em: datetime
    concluida_em: datetime | None
    entrada_hash: str
    normas_hash: str
    codigo_versao: str
    codigo_saida: int
    #: hash of the parameters by (norma, verificacao), for every pair that was asked tonight.
    parametros: Mapping[tuple[str, str], str]
    resumo: Mapping[str, Any] = field(default_factory=dict)
    etapas: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class DispensaSummary:
    """Findings covered by a dispensa, and the dispensas in force that cover none (often a wrong key)."""

    achados: int
    sem_achado: tuple[str, ...]


@dataclass(frozen=True)
class LedgerSummary:
    """What was recorded: totals by estado and situacao, closed ones by cause, the run compared with."""

    execucao_id: str
    achados: int
    estados: Mapping[str, int]
    situacoes: Mapping[str, int]
    encerrados: Mapping[str, int]
    anterior_id: str | None
    anterior_as_of: date | None


def run_id(as_of: date, entrada_hash: str, normas_hash: str, codigo_versao: str) -> str:
    """The id of a run: the same date, inputs, norms and code always give the same one."""
    text = "\x1f".join((as_of.isoformat(), entrada_hash, normas_hash, codigo_versao))
    return f"{as_of:%Y%m%d}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
