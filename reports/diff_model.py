"""What a comparison of two runs is made of: its sides, what changed around them, what may explain a finding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from reports.diff_rows import File, Touched
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
#: The extract that holds each kind of subject.
OWN = {
    "permissionario": "permissionarios", "veiculo": "veiculos", "alvara": "alvaras", "condutor": "condutores",
    "auto": "autos", "linha": "linhas",
}  # fmt: skip
#: Of a check: the extracts it asks for itself, and those that what it reads is made of.
Reads = tuple[frozenset[str], frozenset[str]]
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
    #: The municipality's own values in force in the second run, (norma, where and what), where they are known.
    ajustes: tuple[tuple[str, str], ...] = ()

    def may_explain(self, row: Touch, reads: Reads | None, seen: Touched) -> Why:
        """Which of the changes can touch a finding (`reads`: extracts of its check; None: all are its own)."""
        changed = {extract for extract, _ in self.extratos}
        own, all_read = (changed, changed) if reads is None else (reads[0] & changed, (reads[0] | reads[1]) & changed)
        unread, of_all = changed - seen.lidos, seen.diferentes - {x for x in changed if row.named_in(x, seen)}
        settled = bool(row.dispensa or row.extratos)
        norm = any((n, v) == (row.norma, row.verificacao) for n, v, _ in self.parametros)
        uncertain = set() if row.dispensa else unread & (own if settled else own | all_read)
        general = set() if settled or row.saiu else of_all & (own | all_read)
        known = settled or norm or bool(general)
        return Why(
            dispensa=row.dispensa,
            registro=() if row.dispensa else row.extratos,
            geral=tuple(sorted(general)),
            incerto=tuple(sorted(uncertain)),
            norma=norm,
            codigo=bool(self.codigo),
            data=bool(self.as_of) and (row.cruzou or not known),
        )


@dataclass(frozen=True)
class Touch:
    """What of a finding decides which change may explain it."""

    verificacao: str
    norma: str
    sujeito_tipo: str
    #: the dispensa that began or ceased to cover it.
    dispensa: bool
    #: it has a holder: a norm or a line is everybody's.
    com_titular: bool
    #: the subject or its holder left the extract.
    saiu: bool
    #: its term ended between the two dates.
    cruzou: bool
    #: extracts with changed rows of the subject, or else of what it hangs from.
    extratos: tuple[str, ...]

    def named_in(self, extract: str, seen: Touched) -> bool:
        """Whether the rows of an extract say whether they are this subject's or its holder's."""
        if (extract, self.sujeito_tipo) in seen.conhecidos:
            return True
        return self.com_titular and (extract, "permissionario") in seen.conhecidos


@dataclass(frozen=True)
class Why:
    """What may explain a finding: its own rows (`registro`, the extracts), rows that are everybody's (`geral`), an
    extract of which nobody can say whose rows changed (`incerto`), a dispensa, the norm, the program, the date.
    """

    dispensa: bool = False
    registro: tuple[str, ...] = ()
    geral: tuple[str, ...] = ()
    incerto: tuple[str, ...] = ()
    norma: bool = False
    codigo: bool = False
    data: bool = False

    def names(self) -> tuple[str, ...]:
        """The kinds that apply, in order."""
        return tuple(name for name, value in vars(self).items() if value)


@dataclass(frozen=True)
class RowChange:
    """One row of an extract that came, went or changed. `linha`: in the second run's file, where it is known."""

    extrato: str
    arquivo: str
    linha: int | None
    #: `entrou`, `saiu` or `mudou`.
    tipo: str
    chave: str
    #: (column, before, after) as received.
    colunas: tuple[tuple[str, str | None, str | None], ...] = ()


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
    porque: Why
    #: the first of the rows behind it, and how many there are.
    mudancas: tuple[RowChange, ...] = ()
    mudancas_total: int = 0
    #: (id, process) of the dispensa that began or ceased to cover it.
    dispensa: tuple[str, str] | None = None

    @property
    def pode_explicar(self) -> tuple[str, ...]:
        """The kinds of change that may explain it."""
        return self.porque.names()

    @property
    def extratos(self) -> tuple[str, ...]:
        """Extracts with changed rows of the subject, or of what it hangs from."""
        return self.porque.registro


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
    motivos: tuple[tuple[str, Why, int], ...] = ()
    #: how many the second run closed in the ledger, against the night in force before it; None where not known.
    encerrados: int | None = None

    def total(self, tipo: str) -> int:
        """How many findings `apareceu`, `sumiu`, `mudou` or are `fora`."""
        return sum(n for kind, _, _, n in self.totais if kind == tipo)
