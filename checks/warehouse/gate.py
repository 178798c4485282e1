"""The gate: what Great Expectations says of tonight's load, which extracts it refuses, and why.

A failed critical expectation refuses its extract; a failed warning is told. An expectation that could not run
is neither: it is an error of ours (`GateResult.erros`), never a verdict on the data.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import duckdb

from checks.warehouse.bounds import Juiz, Pergunta, Resposta
from checks.warehouse.examples import examples_of
from checks.warehouse.expectations import Validador, warm_up
from checks.warehouse.limits import CargaAnterior, GateLimits, Severity
from checks.warehouse.previous import load_previous
from checks.warehouse.profile import Perfil, present_columns, profile_cross, profile_extract
from checks.warehouse.suites import CROSS, Expectativa, Suite, load_suites
from checks.warehouse.wording import describe_detail, expected_text, observed_text

__all__ = ["CargaAnterior", "GateLimits", "GateResult", "GateRow", "load_previous", "run_gate", "warm_up"]

log = logging.getLogger("emdia.portao")
QUEBROU = "verificação do portão quebrou"


@dataclass(frozen=True)
class GateRow:
    """One expectation asked of one extract. ``sucesso`` is None when the expectation itself broke."""

    extrato: str
    expectativa: str
    descricao: str
    severidade: Severity
    sucesso: bool | None
    valor: float | None
    observado: str
    esperado: str
    detalhe: str


@dataclass
class GateResult:
    """Every answer of the gate, the extracts refused with their reason, and what broke (exit code 1)."""

    rows: list[GateRow] = field(default_factory=list)
    recusados: dict[str, str] = field(default_factory=dict)
    erros: list[str] = field(default_factory=list)

    def to_json(self) -> list[dict[str, Any]]:
        """The rows as plain dictionaries."""
        return [dict(vars(r)) for r in self.rows]


class GateConfigError(ValueError):
    """The municipality's settings of the gate name something that does not exist, or may not be set."""


def _check_settings(settings: GateLimits, suites: Mapping[str, Suite]) -> None:
    known = {f"{e}.{x.id}": x for e, s in suites.items() for x in s.expectativa}
    for address in (*settings.ajustes, *settings.desligadas):
        if address not in known:
            raise GateConfigError(f"portão: não existe a expectativa {address!r} (ajustes, desligadas)")
    for address in settings.desligadas:
        if known[address].severidade == "critica":
            raise GateConfigError(f"portão: {address!r} é crítica e não pode ser desligada")
    for extrato in settings.aceitar_encolhimento:
        if extrato not in suites:
            names = ", ".join(sorted(suites.keys() - {CROSS}))
            raise GateConfigError(f"portão: aceitar_encolhimento: não existe o extrato {extrato!r}; existem: {names}")


def _bounds(extrato: str, x: Expectativa, settings: GateLimits) -> tuple[float | None, float | None]:
    """The bounds in force: the suite's, unless the municipality set its own."""
    fixed = {"encolhimento": settings.encolhimento_maximo, "crescimento": settings.crescimento_maximo}
    set_here = settings.ajustes.get(f"{extrato}.{x.id}", fixed.get(x.id))
    if set_here is None:
        return x.minimo, x.maximo
    return (set_here, x.maximo) if x.maximo is None else (x.minimo, set_here)


_STATUS = """
select extrato, list(distinct situacao), min(origem_as_of) from extrato.cargas group by extrato
"""


@dataclass(frozen=True)
class _Situacao:
    aceito: bool
    em_vigor: bool
    origem: date | None


def _status(con: duckdb.DuckDBPyConnection) -> dict[str, _Situacao]:
    found = {}
    for extrato, situacoes, origem in con.execute(_STATUS).fetchall():
        aceito = "aceito" in situacoes
        found[extrato] = _Situacao(aceito=aceito, em_vigor=aceito or "defasado" in situacoes, origem=origem)
    return found


@dataclass
class _Noite:
    """What every step of the gate needs: the load, the day, the settings, and the result being filled."""

    con: duckdb.DuckDBPyConnection
    as_of: date
    settings: GateLimits
    colunas: set[str]
    result: GateResult


def run_gate(
    con: duckdb.DuckDBPyConnection,
    as_of: date,
    settings: GateLimits | None = None,
    anterior: Mapping[str, CargaAnterior] | None = None,
    juiz: Juiz | None = None,
) -> GateResult:
    """Judge tonight's load in ``extrato.*`` and write ``resultado.gate``.

    ``anterior`` is the last accepted load of each extract (`load_previous`, the default). ``juiz`` answers the
    bounds: Great Expectations, the default. Raises
    `GateConfigError` for settings that name nothing; a broken expectation is told in ``erros`` instead.
    """
    settings = settings or GateLimits()
    suites = load_suites()
    _check_settings(settings, suites)
    anterior = load_previous(con, as_of) if anterior is None else anterior
    noite = _Noite(con, as_of, settings, present_columns(con), GateResult())
    status = _status(con)
    juiz = juiz or Validador()
    for extrato, suite in suites.items():
        before = anterior.get(extrato)
        situacao = status.get(extrato, _Situacao(aceito=False, em_vigor=False, origem=None))
        if extrato == CROSS:
            perfil = profile_cross(con, suite, as_of, noite.colunas)
        elif situacao.em_vigor or before is not None:
            perfil = _measured(noite, suite, situacao, before)
        else:
            continue
        asked = _asked(perfil, suite, settings, only_warnings=not situacao.aceito)
        answers = _judge(juiz, perfil, asked, settings)
        for x, answer in zip(asked, answers, strict=True):
            _record(noite, suite, perfil, x, answer, before)
    _store(con, noite.result)
    log.info("portão: %d expectativas, %d extratos recusados", len(noite.result.rows), len(noite.result.recusados))
    return noite.result


def _measured(noite: _Noite, suite: Suite, situacao: _Situacao, before: CargaAnterior | None) -> Perfil:
    """The measures of one extract, present or missed."""
    if situacao.em_vigor:
        perfil = profile_extract(noite.con, suite, noite.as_of, noite.colunas, before, noite.settings)
        stale = None if situacao.aceito else situacao.origem
        perfil.medidas["defasagem"] = float((noite.as_of - stale).days) if stale else 0.0
    else:
        perfil = Perfil(suite.extrato)
    if before is not None:
        perfil.medidas["presente"] = float(situacao.em_vigor)
    return perfil


def _measure(x: Expectativa) -> str:
    return x.medida or x.id


def _asked(perfil: Perfil, suite: Suite, settings: GateLimits, only_warnings: bool) -> list[Expectativa]:
    """The expectations that apply: measured (or broken), switched on, and not too few rows to judge."""
    return [
        x
        for x in suite.expectativa
        if (_measure(x) in perfil.medidas or _measure(x) in perfil.quebras)
        and f"{suite.extrato}.{x.id}" not in settings.desligadas
        and not (only_warnings and x.severidade == "critica")
        and (x.desde_linhas is None or perfil.linhas >= x.desde_linhas)
    ]


def _judge(juiz: Juiz, perfil: Perfil, asked: list[Expectativa], settings: GateLimits) -> list[Resposta]:
    """Put the measured ones to the judge; the broken ones come back broken."""
    whole = [x for x in asked if _measure(x) not in perfil.quebras]
    questions = []
    for x in whole:
        low, high = _bounds(perfil.extrato, x, settings)
        questions.append(Pergunta(x.id, x.descricao, x.severidade, low, high))
    try:
        answers = juiz.ask(perfil.extrato, {x.id: perfil.medidas[_measure(x)] for x in whole}, questions)
    except Exception as exc:  # a fault of the library must never read as a fault of the data
        log.exception("portão: a suíte de %s não rodou", perfil.extrato)
        answers = [Resposta(x.id, None, None, f"{type(exc).__name__}: {exc}") for x in whole]
    by_id = {a.id: a for a in answers}
    return [by_id.get(x.id) or Resposta(x.id, None, None, perfil.quebras[_measure(x)]) for x in asked]


def _record(
    noite: _Noite,
    suite: Suite,
    perfil: Perfil,
    x: Expectativa,
    answer: Resposta,
    before: CargaAnterior | None,
) -> None:
    """Add one answer to the result, and its extract to the refused ones where it must be."""
    extrato, result, settings = suite.extrato, noite.result, noite.settings
    seen = observed_text(x, perfil, answer.observado)
    detalhe = ""
    if answer.quebrou is not None:
        detalhe = f"{QUEBROU}: {answer.quebrou.splitlines()[0]}"
        result.erros.append(f"{extrato}.{x.id}: {detalhe}")
    elif not answer.sucesso:
        cases = examples_of(noite.con, suite, x, settings.exemplos, noite.as_of, settings.tolerancia_futuro_dias)
        detalhe = describe_detail(x, perfil, before, cases)
    expected = expected_text(x, *_bounds(extrato, x, settings))
    result.rows.append(
        GateRow(
            extrato=extrato,
            expectativa=x.id,
            descricao=x.descricao,
            severidade=x.severidade,
            sucesso=answer.sucesso,
            valor=answer.observado,
            observado=seen,
            esperado=expected,
            detalhe=detalhe,
        )
    )
    if x.severidade == "critica" and answer.sucesso is False:
        reason = f"não se confirmou que {x.descricao[0].lower()}{x.descricao[1:]}: {seen}, esperado {expected}."
        reason = f"{reason} {detalhe}".strip()
        earlier = result.recusados.get(extrato)
        result.recusados[extrato] = f"{earlier} {reason[0].upper()}{reason[1:]}" if earlier else reason


def _store(con: duckdb.DuckDBPyConnection, result: GateResult) -> None:
    con.execute("create schema if not exists resultado")
    con.execute(
        """create or replace table resultado.gate (
            extrato varchar, expectativa varchar, descricao varchar, severidade varchar, sucesso boolean,
            valor double, observado varchar, esperado varchar, detalhe varchar)"""
    )
    if result.rows:
        names = list(vars(result.rows[0]))
        con.execute(  # one statement: row by row costs more than the whole validation
            f"insert into resultado.gate by name select {', '.join(f'unnest(${n}) as {n}' for n in names)}",
            {n: [getattr(r, n) for r in result.rows] for n in names},
        )
