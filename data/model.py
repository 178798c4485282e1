"""A norm as data: its rows, what it says to each check, and the overrides laid over it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Protocol

from pydantic import Field, field_validator

from data.rows import (
    Autoridade,
    Cabecalho,
    Conflito,
    Consequencia,
    Dado,
    Etapa,
    IdadeMaxima,
    Infracao,
    Inteiro,
    Lista,
    Outorga,
    Pontuacao,
    Prazo,
    Processo,
    Taxa,
    Texto,
    Vigente,
)


class CheckSpec(Protocol):
    """What `validate_parameters` needs of a check.toml: the declared types of its parameters and rules."""

    @property
    def parametros(self) -> Mapping[str, Any]:
        """Name → type (see `data.parameters`), or a list of texts (an enumeration)."""

    @property
    def regra(self) -> Mapping[str, Any]:
        """The same for each `[[verificacao.<id>.regra]]` row."""


class Origem(Dado):
    """Where a row was written, for messages. Never part of a hash."""

    arquivo: str
    linha: int
    campos: dict[str, tuple[str, int]] = Field(default_factory=dict)

    def where(self, campo: str) -> tuple[str, int]:
        """File and line of that field, else of its table."""
        return self.campos.get(campo, (self.arquivo, self.linha))


class Regra(Dado):
    """A rule row of a check (`[[verificacao.<id>.regra]]`)."""

    ordem: Inteiro
    dispositivo: Texto
    leitura: Texto | None = None
    alternativa: Texto | None = None
    parametros: dict[str, Any]
    origem: Origem = Field(repr=False)


class Verificacao(Vigente):
    """What one norm says to one check: provision, consequence, authority and the check's own parameters."""

    verificacao: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    familia: str
    dispositivo: Texto
    consequencia: Consequencia
    competente: Texto
    regularizar: Texto
    #: what to do while there is still time, where `regularizar` asks what only the fault needs.
    regularizar_a_vencer: Texto | None = None
    aviso_dias: Inteiro | None = None
    exige: Lista = ()
    parametros: dict[str, Any]
    regras: tuple[Regra, ...] = ()
    origem: Origem = Field(repr=False)

    @field_validator("exige")
    @classmethod
    def _columns(cls, valor: tuple[str, ...]) -> tuple[str, ...]:
        ruins = [v for v in valor if v.count(".") > 1 or not v.replace(".", "").replace("_", "").isalnum()]
        if ruins:
            raise ValueError(f"`exige` pede `extrato` ou `extrato.coluna`, e não {', '.join(map(repr, ruins))}")
        return valor


class Ajuste(Dado):
    """A municipality's own value in place of ours, grounded on an act."""

    norma: Texto
    verificacao: Texto | None = None
    tabela: Texto | None = None
    chave: str | int | None = None
    parametro: Texto
    valor: Any
    vigente_de: date
    vigente_ate: date | None = None
    ato: Texto
    motivo: Texto
    origem: Origem = Field(repr=False)


class Norm(Dado):
    """One norm, whole. Rows keep their periods: ask `in_force` views for a day."""

    slug: str
    cabecalhos: tuple[Cabecalho, ...]
    outorgas: tuple[Outorga, ...] = ()
    processos: tuple[Processo, ...] = ()
    idades_maximas: tuple[IdadeMaxima, ...] = ()
    pontuacoes: tuple[Pontuacao, ...] = ()
    infracoes: tuple[Infracao, ...] = ()
    conflitos: tuple[Conflito, ...] = ()
    taxas: tuple[Taxa, ...] = ()
    autoridades: tuple[Autoridade, ...] = ()
    etapas: tuple[Etapa, ...] = ()
    prazos: tuple[Prazo, ...] = ()
    verificacoes: dict[str, tuple[Verificacao, ...]] = Field(default_factory=dict)
    ajustes: tuple[Ajuste, ...] = ()
    hash: str = ""

    @property
    def id(self) -> str:
        """Norm id, e.g. `825/2021`."""
        return self.cabecalhos[0].id

    @property
    def nome(self) -> str:
        """Full name."""
        return self.cabecalhos[0].nome

    @property
    def vigente_de(self) -> date:
        """First day on which the law has effects."""
        return min(c.vigente_de for c in self.cabecalhos)

    def header(self, dia: date) -> Cabecalho | None:
        """The `[norma]` values in force on that day; None before the law has effects."""
        return next((c for c in self.cabecalhos if c.in_force(dia)), None)

    def check(self, check_id: str, dia: date) -> Verificacao | None:
        """The parameter row of a check in force on that day, if this norm has the rule then."""
        if self.header(dia) is None:
            return None
        return next((v for v in self.verificacoes.get(check_id, ()) if v.in_force(dia)), None)

    def checks(self, dia: date) -> dict[str, Verificacao]:
        """Every check this norm has on that day."""
        return {c: v for c in self.verificacoes if (v := self.check(c, dia)) is not None}
