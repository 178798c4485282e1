"""Everything known of one finding, gathered: the law, the subject, the counting, the nights, the sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import duckdb

from reports.explain.advice import what_is_missing, what_to_do
from reports.explain.autos import load_autos
from reports.explain.cautions import load_cautions
from reports.explain.find import Found, find
from reports.explain.fleet import load_fleet
from reports.explain.rows import rows_of
from reports.explain.rules import check_rules
from reports.explain.sources import SourceLine, named_records, source_lines
from reports.explain.terms import load_days_off
from reports.explain.vocabulary import read_evidence
from reports.formats import document_br
from reports.rotulos import who_acts, word
from sql.acts import who_draws_up


@dataclass(frozen=True)
class Night:
    """A finding on one night: its state, or the cause of its closing."""

    as_of: date
    situacao: str | None
    estado: str | None
    causa: str | None = None


@dataclass(frozen=True)
class Explanation:
    """One finding explained. `achado` has the columns of achados; tables of the norm are rows as dictionaries."""

    execucao_id: str
    as_of: date
    codigo_versao: str | None
    achado: Mapping[str, Any]
    evidencia: Mapping[str, Any]
    #: titulo and por_que of the check; fato: its day is that of the fact, and no deadline.
    verificacao: Mapping[str, Any]
    #: nome, leitura, alternativa, regularizar of the norm for this check.
    norma: Mapping[str, Any]
    #: rows of the norm that the stories of the checks use: processo, outorgas, pontuacao, infracoes by codigo,
    #: and what the norm's file says of this check: parametros and regras.
    regras: Mapping[str, Any]
    #: where the act it calls for stands: etapa, quem_age; empty where it calls for none.
    ato: Mapping[str, Any]
    #: what is missing where it can't be judged, in words, and what to do.
    faltas: list[str]
    fazer: str
    operador: Mapping[str, Any]
    sujeito: Mapping[str, Any]
    #: autos named here → their dates and where they stood; only for the last run.
    autos: Mapping[str, Mapping[str, Any]]
    #: vehicles and lines behind a count of the fleet; only for the last run.
    frota: Mapping[str, Any]
    noites: tuple[Night, ...]
    fontes: tuple[SourceLine, ...]
    #: days that are no business days around the dates of the finding, and why.
    dias_parados: Mapping[date, str]
    #: whether extracts, norms and calendar in the warehouse are those of this run.
    atual: bool
    #: rejected rows and dispensas that may change the finding, in words.
    ressalvas: tuple[str, ...] = ()


def explain(con: duckdb.DuckDBPyConnection, achado_id: str, execucao_id: str | date | None = None) -> Explanation:
    """Gather the story of one finding (an id, the start of one, or a subject's id); ExplainError when none is meant.

    `con` is a warehouse, open for reading at least. CPFs come masked.
    """
    found = find(con, achado_id, execucao_id)
    achado = dict(found.achado)
    evidence = read_evidence(achado.pop("evidencia"))
    last = con.execute("select execucao_id from ultima_execucao").fetchall()
    current = last == [(found.execucao_id,)]
    version = con.execute(
        "select codigo_versao from execucao where execucao_id = $id", {"id": found.execucao_id}
    ).fetchall()
    records = {r for r in named_records(evidence) if r[0] == "auto"} | {(achado["sujeito_tipo"], achado["sujeito_id"])}
    autos = load_autos(con, (i for kind, i in records if kind == "auto")) if current else {}
    fleet = load_fleet(con, achado, evidence, found.as_of) if current else {}
    norm = _norm(con, achado)
    vehicles = [("veiculo", v) for v in (fleet.get("reserva") or []) + (fleet.get("operacao") or [])]
    return Explanation(
        execucao_id=found.execucao_id,
        as_of=found.as_of,
        codigo_versao=version[0][0] if version else None,
        achado=achado,
        evidencia=evidence,
        verificacao=_check(achado["verificacao"]),
        norma=norm,
        regras={
            **_rules(con, achado["norma"], evidence),
            **check_rules(achado["norma"], achado["verificacao"], found.as_of),
        },
        ato=_act(con, found.execucao_id, achado),
        faltas=what_is_missing(con, achado, evidence.get("falta") or ()),
        fazer=what_to_do(achado, evidence, norm),
        operador=_holder(con, achado["permissionario_id"]),
        sujeito=_subject(con, achado),
        autos=autos,
        frota=fleet,
        noites=tuple(_nights(con, found)),
        fontes=tuple(source_lines(con, achado, evidence, vehicles)) if current else (),
        dias_parados=_days_off(con, found, evidence),
        atual=current,
        ressalvas=load_cautions(con, found.execucao_id, achado["achado_id"]),
    )


def _check(check: str) -> Mapping[str, Any]:
    from checks.law.catalogue import load_catalogue

    spec = load_catalogue().get(check)
    if spec is None:
        return {"titulo": check, "por_que": "", "fato": False}
    return {"titulo": spec.titulo, "por_que": spec.por_que, "fato": spec.devido_e_fato}


def _first(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return rows[0] if rows else {}


def _norm(con: duckdb.DuckDBPyConnection, achado: Mapping[str, Any]) -> Mapping[str, Any]:
    key = {"n": achado["norma"], "v": achado["verificacao"]}
    said = _first(rows_of(con, "norma.verificacoes", "norma = $n and verificacao = $v", key))
    fix = _first(rows_of(con, "norma.regularizar", "norma = $n and verificacao = $v", key))
    head = _first(rows_of(con, "norma.normas", "norma = $n", {"n": achado["norma"]}))
    return {
        "nome": head.get("nome") or f"norma {achado['norma']}",
        "leitura": said.get("leitura"),
        "alternativa": said.get("alternativa"),
        "regularizar": fix.get("texto"),
        "regularizar_a_vencer": fix.get("a_vencer"),
    }


def _rules(con: duckdb.DuckDBPyConnection, norma: str, evidence: Mapping[str, Any]) -> Mapping[str, Any]:
    key = {"n": norma}
    codes = sorted({value for name, value in _leaves(evidence) if name == "codigo" and value})
    infractions = rows_of(con, "norma.infracoes", "norma = $n and list_contains($c, codigo)", {**key, "c": codes})
    return {
        "processo": _first(rows_of(con, "norma.processo", "norma = $n", key)),
        "outorgas": {r["modalidade"]: r for r in rows_of(con, "norma.outorgas", "norma = $n", key)},
        "pontuacao": _first(rows_of(con, "norma.pontuacao", "norma = $n", key)),
        "infracoes": {r["codigo"]: r for r in infractions},
    }


def _act(con: duckdb.DuckDBPyConnection, run: str, achado: Mapping[str, Any]) -> Mapping[str, Any]:
    """In the words of the lists and of the dashboard."""
    key = {"e": run, "a": achado["achado_id"]}
    act = _first(rows_of(con, "atos_historico", "execucao_id = $e and achado_id = $a", key))
    if not act:
        return {}
    agent = who_draws_up(con).get(achado["norma"])
    return {
        "etapa": word("etapa", act["etapa"]),
        "quem_age": who_acts(act["etapa"], achado["competente"], act["prazo_ate"], agent),
    }


def _holder(con: duckdb.DuckDBPyConnection, permissionario_id: str | None) -> Mapping[str, Any]:
    row = _first(
        rows_of(con, "extrato.permissionarios", "permissionario_id = $p", {"p": permissionario_id})
        if permissionario_id
        else []
    )
    return {
        "permissionario_id": permissionario_id,
        "nome": row.get("nome"),
        "documento": document_br(row.get("documento")),
        "tipo_pessoa": row.get("tipo_pessoa"),
    }


#: What is told of each kind of subject.
SUBJECT_FIELDS = {
    "veiculo": ("extrato.veiculos", ("placa", "tipo", "ano_fabricacao", "servico")),
    "alvara": ("extrato.alvaras", ("modalidade", "veiculo_id", "linha_id", "emitido_em")),
    "condutor": ("extrato.condutores", ("nome", "funcao")),
    "auto": ("extrato.autos", ("codigo", "ocorrido_em", "veiculo_id", "condutor_id", "local")),
    "linha": ("extrato.linhas", ("nome",)),
}


def _subject(con: duckdb.DuckDBPyConnection, achado: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = achado["sujeito_tipo"]
    if kind not in SUBJECT_FIELDS:
        return {}
    table, fields = SUBJECT_FIELDS[kind]
    row = _first(rows_of(con, table, f"{kind}_id = $s", {"s": achado["sujeito_id"]}))
    return {name: row[name] for name in fields if row.get(name) is not None}


def _nights(con: duckdb.DuckDBPyConnection, found: Found) -> Iterator[Night]:
    """Every night in force on which the finding was seen or closed, and the night explained."""
    rows = con.execute(
        """
        with noites as (
            select execucao_id, as_of from execucao_vigente where as_of <> $d
            union all select $run, $d
        )
        select h.as_of, h.situacao, h.estado, null as causa from achados_historico h
        semi join noites v on v.execucao_id = h.execucao_id where h.achado_id = $id
        union all
        select h.as_of, null, null, h.causa from encerrados_historico h
        semi join noites v on v.execucao_id = h.execucao_id where h.achado_id = $id
        order by 1, 4 nulls last
        """,
        {"id": found.achado["achado_id"], "run": found.execucao_id, "d": found.as_of},
    ).fetchall()
    return (Night(*row) for row in rows)


def _days_off(con: duckdb.DuckDBPyConnection, found: Found, evidence: Mapping[str, Any]) -> Mapping[date, str]:
    days = [v.date() if isinstance(v, datetime) else v for _, v in _leaves(evidence) if isinstance(v, date)]
    days += [d for d in (found.achado["devido_em"], found.as_of) if d]
    try:
        return load_days_off(con, found.achado["norma"], min(days), max(days))
    except duckdb.CatalogException:
        return {}


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _leaves(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _leaves(item, name)
    else:
        yield name, value
