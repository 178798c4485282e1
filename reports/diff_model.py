"""What a comparison of two runs is made of: its sides, what changed around them, what may explain a finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from reports.diff_rows import File
from reports.diff_runs import RunInfo

#: What makes a finding another one to look at. Days, estado and dates of the ledger move by themselves.
COMPARED = (
    "situacao",
    "devido_em",
    "valor",
    "dispositivo",
    "consequencia",
    "competente",
    "permissionario_id",
    "evidencia",
)
SHOWN = COMPARED[:-1]
#: Extracts that touch every check: who holds a permit, business days.
EVERYWHERE = frozenset({"permissionarios", "feriados", "valores_referencia", "processos"})
#: What is in force for the subject, whether or not the check says it reads it.
REGISTRY = frozenset({"alvaras", "veiculos"})
#: The extract that holds each kind of subject.
OWN = {
    "permissionario": "permissionarios", "veiculo": "veiculos", "alvara": "alvaras", "condutor": "condutores",
    "auto": "autos", "linha": "linhas",
}  # fmt: skip
#: Situations in which a finding is pointed at somebody.
OPEN = ("violacao", "a_vencer", "para_decisao")
#: Rows of the worst first.
ORDER = ("violacao", "para_decisao", "a_vencer", "nao_avaliado", "dispensado")


@dataclass(frozen=True)
class Side:
    """A run and the relation that holds its findings (SQL text, columns of `achados`)."""

    info: RunInfo
    achados: str
    #: Relation with `achado_id, causa, visto_em` of what this run closed, where there is one.
    encerrados: str | None = None
    #: Files this run read, by extract: (name, sha256, encoding, delimiter).
    arquivos: Mapping[str, Sequence[File]] = field(default_factory=dict)
    #: Whether `extrato.*` of the connection is what this run read.
    extrato: bool = False


@dataclass(frozen=True)
class Changes:
    """What differs between the two runs before any finding is looked at."""

    as_of: tuple[date, date] | None
    codigo: tuple[str, str] | None
    #: (extract, `mudou` | `novo` | `ausente`).
    extratos: tuple[tuple[str, str], ...]
    #: (norma, verificacao, `mudou` | `novo` | `ausente`).
    parametros: tuple[tuple[str, str, str], ...]

    def may_explain(self, row: Touch, reads: frozenset[str] | None) -> list[str]:
        """Which of the changes can touch a finding (`reads`: extracts its check needs; None: all).

        `registro`: rows that name the subject (or its holder) changed; `entrada`: something read changed and nobody
        can say whose; neither: what was read of the subject is the same.
        """
        found = []
        changed = {extract for extract, _ in self.extratos}
        relevant = changed if reads is None else changed & (reads | EVERYWHERE)
        if row.dispensado and "dispensas" in changed:
            relevant = relevant | {"dispensas"}
        own = changed & (relevant | REGISTRY | {OWN.get(row.sujeito_tipo, "")})
        if own & set(row.extratos):
            found.append("registro")
        if any(not row.known(extract) for extract in relevant - set(row.extratos)):
            found.append("entrada")
        if any((n, v) == (row.norma, row.verificacao) for n, v, _ in self.parametros):
            found.append("norma")
        if self.codigo:
            found.append("codigo")
        if self.as_of:
            found.append("data")
        return found


@dataclass(frozen=True)
class Touch:
    """What of a finding decides which change may explain it."""

    verificacao: str
    norma: str
    sujeito_tipo: str
    #: waived on one of the two sides.
    dispensado: bool
    #: it has a holder: a norm or a line is everybody's.
    com_titular: bool
    #: extracts with changed rows that name the subject, or its holder.
    extratos: tuple[str, ...]
    conhecidos: frozenset[tuple[str, str]]

    def known(self, extract: str) -> bool:
        """Whether the changed rows of an extract say whose they are."""
        if (extract, self.sujeito_tipo) in self.conhecidos:
            return True
        return self.com_titular and (extract, "permissionario") in self.conhecidos


@dataclass(frozen=True)
class DiffRow:
    """One finding before and after.

    `tipo`: `apareceu` (it is open and was not), `sumiu` (it was open and is not: `causa`), `mudou` (open on both
    sides: `colunas`) or `fora` (open on neither).
    """

    tipo: str
    achado_id: str
    verificacao: str
    norma: str
    sujeito_tipo: str
    sujeito_id: str
    de: Mapping[str, Any] | None
    para: Mapping[str, Any] | None
    colunas: tuple[str, ...]
    causa: str | None
    pode_explicar: tuple[str, ...]
    #: extracts with changed rows that name the subject, or its holder.
    extratos: tuple[str, ...] = ()


@dataclass(frozen=True)
class DiffResult:
    """The comparison: the two runs, what changed around them, counts of all and the first rows of each kind."""

    de: RunInfo
    para: RunInfo
    mudancas: Changes
    #: (tipo, verificacao, norma, quantity), all kinds together.
    totais: tuple[tuple[str, str, str, int], ...]
    linhas: tuple[DiffRow, ...]
    limite: int | None
    #: (situacao before, after, quantity), None where there was no finding; only what is not the same.
    transicoes: tuple[tuple[str | None, str | None, int], ...] = ()
    #: (tipo, what may explain it, quantity).
    motivos: tuple[tuple[str, tuple[str, ...], int], ...] = ()
    #: how many the second run closed in the ledger, against the night in force before it; None where not known.
    encerrados: int | None = None

    def total(self, tipo: str) -> int:
        """How many findings `apareceu`, `sumiu`, `mudou` or are `fora`."""
        return sum(n for kind, _, _, n in self.totais if kind == tipo)
