"""What goes into an ingest and what comes out of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Literal

from checks.extracts.raw_store import RawStore

Situacao = Literal["aceito", "recusado", "defasado", "ausente"]


class IngestError(Exception):
    """The night cannot go on; the message (Portuguese) says what is wrong and what to do."""


class UnreadableFile(Exception):
    """A file that cannot be read as text rows; the message (Portuguese) says why and what to do."""


@dataclass(frozen=True)
class Limits:
    """When an extract is refused as a whole. Shares are fractions (0.05 is five per cent)."""

    max_rejeitos: Decimal = Decimal("0.05")
    min_rejeitos: int = 10
    max_encolhimento: Decimal = Decimal("0.20")


@dataclass
class FileLoad:
    """One file read: the row of `extrato.cargas`. Always lidas = carregadas + rejeitadas + duplicadas + ignoradas."""

    extrato: str
    arquivo: str | None
    sha256: str | None = None
    bytes: int | None = None
    codificacao: str | None = None
    delimitador: str | None = None
    lidas: int = 0
    carregadas: int = 0
    rejeitadas: int = 0
    duplicadas: int = 0
    ignoradas: int = 0
    avisos: int = 0
    situacao: Situacao = "aceito"
    origem_as_of: date | None = None
    motivo: str | None = None
    colunas_desconhecidas: list[str] = field(default_factory=list)

    @property
    def balances(self) -> bool:
        """Whether every row read is accounted for."""
        return self.lidas == self.carregadas + self.rejeitadas + self.duplicadas + self.ignoradas


@dataclass(frozen=True)
class IngestRequest:
    """What to ingest.

    folder: the folder of extracts. as_of: the run's date. store: where raw files are kept by content hash (None:
    nothing is kept and a refused extract has nothing to fall back on). normas: the known norm ids (None: any is taken).
    on_file: called after each extract with its file loads, for progress.
    """

    folder: Path
    as_of: date
    store: RawStore | None = None
    limits: Limits = Limits()
    normas: frozenset[str] | None = None
    on_file: Callable[[FileLoad], None] | None = None


@dataclass(frozen=True)
class IngestResult:
    """The loads of the night (as in `extrato.cargas`) and the files that are no extract."""

    cargas: tuple[FileLoad, ...]
    arquivos_sem_extrato: tuple[str, ...]

    def situacao(self, extrato: str) -> Situacao:
        """State of the rows in force: aceito, defasado (an earlier night's), recusado or ausente (none)."""
        states = {carga.situacao for carga in self.cargas if carga.extrato == extrato}
        order: tuple[Situacao, ...] = ("defasado", "recusado", "aceito")
        for state in order:
            if state in states:
                return state
        return "ausente"

    @property
    def recusados(self) -> tuple[str, ...]:
        """Extracts whose files of tonight were refused, in order of name."""
        return tuple(sorted({c.extrato for c in self.cargas if c.situacao == "recusado"}))

    @property
    def defasados(self) -> dict[str, date]:
        """Extracts in force from an earlier night, with that night's as-of."""
        return {
            c.extrato: c.origem_as_of for c in self.cargas if c.situacao == "defasado" and c.origem_as_of is not None
        }

    @property
    def entrada_hash(self) -> str:
        """Fingerprint of what tonight's tables were made of, the same whatever the order of the files."""
        parts = sorted(
            f"{c.extrato}\t{c.situacao}\t{c.sha256}" for c in self.cargas if c.sha256 and c.situacao != "recusado"
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()
