"""National and state holidays from `data/feriados/*.toml`: fixed days and offsets from Easter."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, ValidationError, model_validator

from data.errors import NormError, Problema, explain_validation
from data.rows import Dado, Texto
from data.sources import read_toml, show, table_rows

ROOT = Path(__file__).parent / "feriados"


class Linha(NamedTuple):
    """One holiday on one day. `uf` only for a state holiday."""

    dia: date
    nome: str
    escopo: str
    uf: str | None


class Feriado(Dado):
    """A rule: the same day each year (`dia`, MM-DD) or so many days from Easter Sunday (`pascoa`)."""

    nome: Texto
    dia: Annotated[str, Field(pattern=r"^\d\d-\d\d$")] | None = None
    pascoa: int | None = None
    escopo: Literal["nacional", "estadual"]
    uf: Annotated[str, Field(pattern=r"^[A-Z]{2}$")] | None = None
    vigente_de: int
    vigente_ate: int | None = None
    fonte: Texto

    @model_validator(mode="after")
    def _whole(self) -> Feriado:
        if (self.dia is None) == (self.pascoa is None):
            raise ValueError("diga `dia` ou `pascoa`, um dos dois")
        if (self.uf is None) != (self.escopo == "nacional"):
            raise ValueError("feriado estadual pede `uf`; o nacional não tem")
        if self.vigente_ate is not None and self.vigente_ate < self.vigente_de:
            raise ValueError("`vigente_ate` vem antes de `vigente_de`")
        if self.dia is not None:
            try:
                self.on(2023)
            except ValueError as erro:
                raise ValueError(f"`dia` {self.dia!r} não existe em todos os anos") from erro
        return self

    def on(self, ano: int) -> date:
        """The day of that year."""
        if self.pascoa is not None:
            return easter(ano) + timedelta(days=self.pascoa)
        mes, dia = (self.dia or "").split("-")
        return date(ano, int(mes), int(dia))


def easter(ano: int) -> date:
    """Easter Sunday of the Gregorian calendar (the computus: paschal full moon, then the next Sunday)."""
    seculo = ano // 100
    lua = ano % 19
    solar = seculo - seculo // 4
    lunar = (8 * seculo + 13) // 25
    # Days from 21 March to the paschal full moon, with the two exceptions of the epact table.
    cheia = (19 * lua + solar - lunar + 15) % 30
    cheia -= (lua + 11 * cheia) // 319
    domingo = (2 * (seculo % 4) + 2 * (ano % 100 // 4) - ano % 100 % 4 + 32 - cheia) % 7
    return date(ano, 3, 22) + timedelta(days=cheia + domingo)


def load_holidays(root: Path | None = None) -> tuple[Feriado, ...]:
    """The rules of every `.toml` of the folder. Raises `NormError` with file and line."""
    pasta = ROOT if root is None else root
    problemas: list[Problema] = []
    regras: list[Feriado] = []
    for caminho in sorted(pasta.glob("*.toml")):
        conteudo, posicoes = read_toml(caminho, problemas)
        arquivo = show(caminho)
        for nome in conteudo.keys() - {"feriado"}:
            texto = f"tabela desconhecida `{nome}`; use [[feriado]]"
            problemas.append(Problema(arquivo, posicoes.linha((nome,)), texto))
        for bruto in table_rows(conteudo, "feriado", arquivo, posicoes, problemas):
            try:
                regras.append(Feriado.model_validate(bruto.valores, strict=True))
            except ValidationError as erro:
                problemas.extend(Problema(*bruto.where(c), texto) for c, texto in explain_validation(erro))
    if not regras and not problemas:
        problemas.append(Problema(show(pasta), 1, "nenhum feriado: falta nacionais.toml"))
    if problemas:
        raise NormError(problemas)
    return tuple(regras)


def holiday_rows(first_year: int, last_year: int, root: Path | None = None) -> list[Linha]:
    """Every national and state holiday of the years (both included), by day: (dia, nome, escopo, uf)."""
    return sorted(_rows(load_holidays(root), first_year, last_year), key=lambda x: (x.dia, x.escopo, x.uf or ""))


def _rows(regras: tuple[Feriado, ...], primeiro: int, ultimo: int) -> Iterator[Linha]:
    for ano in range(primeiro, ultimo + 1):
        for regra in regras:
            if regra.vigente_de <= ano and (regra.vigente_ate is None or ano <= regra.vigente_ate):
                yield Linha(regra.on(ano), regra.nome, regra.escopo, regra.uf)
