"""The declared suites: a TOML file per extract, `_geral.toml` for all, `_cruzada.toml` across them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from checks.extracts.contracts import contracts
from checks.warehouse.limits import Severity

FOLDER = Path(__file__).parent / "suites"
CROSS = "cruzada"


class SuiteError(Exception):
    """A suite file that cannot be used; the message names the file and the expectation."""


class Expectativa(BaseModel):
    """One thing expected of a load: exactly one way of measuring, and the bounds of the measured number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    descricao: str
    severidade: Severity
    medida: str | None = None
    """A measure every load has (see `profile.py`)."""
    conta: str | None = None
    """An SQL condition; the number of rows where it holds, or their share with `unidade = "parte"`."""
    ligacao: str | None = None
    """`coluna -> extrato.coluna`: rows whose key is filled and points nowhere."""
    consulta: str | None = None
    """A whole SELECT returning one number (cross-table facts); may use `$as_of`."""
    exemplos: str | None = None
    """For `consulta`: a SELECT of one text column, the cases to name when it fails."""
    unidade: Literal["linhas", "parte", "dias", "vezes", "casos", "sim_nao"] = "linhas"
    minimo: float | None = None
    maximo: float | None = None
    exige: tuple[str, ...] = ()
    """Columns (`extrato.coluna` in the cross suite) without which there is nothing to ask."""
    desde_linhas: int | None = None
    """Asked only of extracts with at least this many rows."""
    dica: str = ""

    @model_validator(mode="after")
    def _one_measure(self) -> Self:
        ways = [w for w in (self.medida, self.conta, self.ligacao, self.consulta) if w is not None]
        if len(ways) != 1:
            raise ValueError("dê exatamente um de: medida, conta, ligacao, consulta")
        if self.minimo is None and self.maximo is None:
            raise ValueError("dê minimo ou maximo")
        return self


class Suite(BaseModel):
    """The suite of one extract."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    extrato: str
    so_acrescenta: bool = False
    """Absence of rows proves nothing against anybody (holidays, reference values, waivers)."""
    fato: str | None = None
    """The date column of the extract's facts: freshness and truncation are read from it."""
    datas_de_fato: tuple[str, ...] = ()
    """Dates of things that have happened: none should lie after the as-of date."""
    expectativa: tuple[Expectativa, ...] = ()

    @property
    def chave(self) -> str | None:
        """The key column, from the extract's row contract."""
        return contracts()[self.extrato].key

    @property
    def falta_obrigatoria(self) -> str:
        """The SQL condition of a row without something its contract requires."""
        contract = contracts()[self.extrato]
        missing = [_empty(c.name) for c in contract.columns if c.required]
        missing += [f"({_empty(w.column)} and {w.other} = '{w.value}')" for w in contract.required_when]
        if contract.any_of:
            missing.append("(" + " and ".join(map(_empty, contract.any_of)) + ")")
        return " or ".join(missing)


def _empty(column: str) -> str:
    return f"coalesce({column}::varchar, '') = ''"


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise SuiteError(f"{path.name}: {exc}") from exc


def _build(path: Path, content: dict[str, Any]) -> Suite:
    try:
        suite = Suite.model_validate(content)
    except ValidationError as exc:
        raise SuiteError(f"{path.name}: {exc}") from exc
    ids = [e.id for e in suite.expectativa]
    repeated = sorted({i for i in ids if ids.count(i) > 1})
    if repeated:
        raise SuiteError(f"{path.name}: expectativa repetida: {', '.join(repeated)}")
    return suite


@cache
def load_suites(folder: Path = FOLDER) -> dict[str, Suite]:
    """Every suite by extract, general expectations first, plus ``cruzada``. Raises `SuiteError`."""
    general = _parse(folder / "_geral.toml")["expectativa"]
    suites: dict[str, Suite] = {}
    for path in sorted(folder.glob("*.toml")):
        if path.name == "_geral.toml":
            continue
        content = _parse(path)
        if path.name != "_cruzada.toml":
            if content.get("extrato") != path.stem:
                raise SuiteError(f"{path.name}: `extrato` deve ser {path.stem!r}")
            content["expectativa"] = [*general, *content.get("expectativa", [])]
        suites[content["extrato"]] = _build(path, content)
    return suites
