"""Numbers about tonight's load, computed in DuckDB: one pass per table, one row per extract.

Everything is a set-based aggregate, so that ten rows and twenty million are judged by the same path;
Great Expectations then looks at the small frames made of these numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import duckdb

from checks.warehouse.limits import CargaAnterior, GateLimits
from checks.warehouse.suites import CROSS, Expectativa, Suite

Params = dict[str, Any]


@dataclass
class Perfil:
    """What was measured of one extract. A measure that does not apply is absent, never zero."""

    extrato: str
    linhas: int = 0
    medidas: dict[str, float] = field(default_factory=dict)
    contagens: dict[str, int] = field(default_factory=dict)
    mais_novo: date | None = None
    quebras: dict[str, str] = field(default_factory=dict)
    """Expectations whose measure could not be computed: a fault of ours, not of the data."""


def quote(name: str) -> str:
    """An SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def table(extrato: str) -> str:
    """The typed table of an extract."""
    return f"extrato.{quote(extrato)}"


def params_for(sql: str, params: Params) -> Params:
    """Only the parameters the text names: DuckDB refuses an unused one."""
    return {k: v for k, v in params.items() if f"${k}" in sql}


def fetch(con: duckdb.DuckDBPyConnection, sql: str, params: Params) -> list[tuple[Any, ...]]:
    """Run a SELECT and fetch it whole."""
    return con.execute(sql, params_for(sql, params)).fetchall()


def present_columns(con: duckdb.DuckDBPyConnection) -> set[str]:
    """``extrato.coluna`` of every column in the load in force."""
    return {f"{e}.{c}" for e, c in con.execute("select extrato, coluna from extrato.colunas").fetchall()}


def applies(expectativa: Expectativa, extrato: str, colunas: set[str]) -> bool:
    """Whether every column the expectation reads is in the load."""
    needed = expectativa.exige if extrato == CROSS else [f"{extrato}.{c}" for c in expectativa.exige]
    return all(c in colunas for c in needed)


def key_repeats(con: duckdb.DuckDBPyConnection, extrato: str, chave: str) -> int:
    """Rows in excess of the distinct keys. Counts hashes first (small), exact text only if they disagree."""
    sql = "select count(k) - count(distinct {}) from (select {} as k from {})"
    for form in ("hash(k)", "k"):
        repeats = int(con.execute(sql.format(form, quote(chave), table(extrato))).fetchall()[0][0])
        if repeats == 0:
            return 0
    return repeats


def _aggregates(suite: Suite, colunas: set[str]) -> dict[str, str]:
    """The aggregates of the single pass over an extract's table, by measure."""
    e = suite.extrato
    parts = {"linhas": "count(*)", "com_ilegiveis": "count(*) filter (where len(desconhecidos) > 0)"}
    if suite.chave:
        parts["chave_vazia"] = f"count(*) filter (where coalesce({quote(suite.chave)}, '') = '')"
    parts["obrigatorias_vazias"] = f"count(*) filter (where {suite.falta_obrigatoria})"
    if suite.fato and f"{e}.{suite.fato}" in colunas:
        parts["mais_novo"] = f"max({suite.fato}::date) filter ({suite.fato}::date <= $as_of)"
    late = [f"coalesce({c}::date > $limite, false)" for c in suite.datas_de_fato if f"{e}.{c}" in colunas]
    if late:
        parts["depois_do_dia"] = f"count(*) filter (where {' or '.join(late)})"
    for x in suite.expectativa:
        if x.conta and applies(x, e, colunas):
            parts[x.id] = f"count(*) filter (where {x.conta})"
    return parts


def _one_pass(con: duckdb.DuckDBPyConnection, perfil: Perfil, parts: dict[str, str], params: Params) -> Params:
    """All aggregates in one scan; if that fails, one by one, so that one bad measure breaks alone."""
    names = list(parts)
    source = f" from {table(perfil.extrato)}"
    try:
        row = fetch(con, "select " + ", ".join(parts.values()) + source, params)[0]
        return dict(zip(names, row, strict=True))
    except duckdb.Error:
        found: Params = {}
        for name, aggregate in parts.items():
            try:
                found[name] = fetch(con, f"select {aggregate}{source}", params)[0][0]
            except duckdb.Error as exc:
                perfil.quebras[name] = str(exc)
        return found


def _dangling(con: duckdb.DuckDBPyConnection, extrato: str, link: str) -> tuple[int, int]:
    """Rows with the key filled and pointing nowhere, and rows with the key filled."""
    coluna, alvo = (part.strip() for part in link.split("->"))
    alvo_extrato, alvo_coluna = alvo.split(".")
    # Group first: an auto table has twenty rows for every operator, and the join then sees one.
    sql = f"""
        with chaves as (
            select {quote(coluna)} as k, count(*) as n from {table(extrato)}
            where coalesce({quote(coluna)}, '') <> '' group by all
        )
        select coalesce(sum(n) filter (k not in (
                   select {quote(alvo_coluna)} from {table(alvo_extrato)}
                   where {quote(alvo_coluna)} is not null
               )), 0), coalesce(sum(n), 0) from chaves"""
    soltas, total = con.execute(sql).fetchall()[0]
    return int(soltas), int(total)


_FILES = """
select count(*), coalesce(sum(lidas), 0), coalesce(sum(carregadas), 0), coalesce(sum(rejeitadas), 0),
       coalesce(sum(duplicadas), 0), coalesce(sum(ignoradas), 0),
       coalesce(sum(abs(coalesce(lidas, 0) - coalesce(carregadas, 0) - coalesce(rejeitadas, 0)
                        - coalesce(duplicadas, 0) - coalesce(ignoradas, 0))), 0)
from extrato.cargas where extrato = $extrato and situacao = 'aceito'
"""


def _files(
    con: duckdb.DuckDBPyConnection,
    perfil: Perfil,
    suite: Suite,
    anterior: CargaAnterior | None,
    limits: GateLimits,
) -> None:
    """Measures of the files as read tonight: balance, emptiness, loss against the last accepted load."""
    files, lidas, carregadas, rejeitadas, duplicadas, ignoradas, diferenca = fetch(
        con, _FILES, {"extrato": perfil.extrato}
    )[0]
    if not files:
        return
    m = perfil.medidas
    quadro = int(lidas - ignoradas - duplicadas)
    m["desbalanco"] = float(diferenca)
    m["tabela_difere"] = float(abs(perfil.linhas - carregadas))
    m["linhas_no_arquivo"] = float(lidas - ignoradas)
    perfil.contagens |= {
        "linhas_no_arquivo": int(lidas - ignoradas),
        "quadro": quadro,
        "carregadas": int(carregadas),
    }
    if lidas - ignoradas > 0 and not suite.so_acrescenta:
        m["linhas_aproveitadas"] = float(carregadas)
    if quadro > 0:
        m["parte_rejeitada"] = rejeitadas / quadro
        perfil.contagens["parte_rejeitada"] = int(rejeitadas)
    if anterior is None or anterior.linhas == 0:
        return
    perda = anterior.linhas - quadro
    m["crescimento"] = quadro / anterior.linhas
    m["perda_de_linhas"] = float(max(perda, 0))
    perfil.contagens["anterior"] = anterior.linhas
    if perfil.extrato not in limits.aceitar_encolhimento:
        m["encolhimento"] = perda / anterior.linhas if perda >= limits.encolhimento_minimo_linhas else 0.0
        perfil.contagens["encolhimento"] = max(perda, 0)
    if anterior.carregadas:
        m["perda_de_aproveitadas"] = max(anterior.carregadas - int(carregadas), 0) / anterior.carregadas
        perfil.contagens["perda_de_aproveitadas"] = max(anterior.carregadas - int(carregadas), 0)


def _fact_dates(
    perfil: Perfil, newest: date | None, as_of: date, anterior: CargaAnterior | None, limits: GateLimits
) -> None:
    """Freshness, and whether the newest facts of the last load are gone."""
    if newest is None:
        return
    perfil.mais_novo = newest
    perfil.medidas["frescor"] = float((as_of - newest).days)
    if anterior and anterior.mais_novo:
        back = max((anterior.mais_novo - newest).days, 0)
        perfil.medidas["recuo"] = float(back)
        # The newest facts and a share of the rows gone together: the end of the file was cut off.
        # A correction takes back a few rows, never that many.
        lost = perfil.medidas.get("perda_de_linhas", 0.0)
        cut = back > 0 and lost >= limits.cauda_minimo_linhas and perfil.extrato not in limits.aceitar_encolhimento
        perfil.medidas["cauda_cortada"] = lost / anterior.linhas if cut else 0.0
        perfil.contagens["cauda_cortada"] = int(lost) if cut else 0


def profile_extract(
    con: duckdb.DuckDBPyConnection,
    suite: Suite,
    as_of: date,
    colunas: set[str],
    anterior: CargaAnterior | None,
    limits: GateLimits,
) -> Perfil:
    """Measure one extract present in the load."""
    perfil = Perfil(suite.extrato)
    params = {"as_of": as_of, "limite": as_of + timedelta(days=limits.tolerancia_futuro_dias)}
    found = _one_pass(con, perfil, _aggregates(suite, colunas), params)
    perfil.linhas = int(found.pop("linhas"))
    _files(con, perfil, suite, anterior, limits)
    _fact_dates(perfil, found.pop("mais_novo", None), as_of, anterior, limits)
    unidades = {x.id: x.unidade for x in suite.expectativa}
    for name, count in found.items():
        _put_count(perfil, name, int(count), perfil.linhas, unidades.get(name, "linhas"))
    if perfil.linhas:
        _put_count(perfil, "com_ilegiveis", perfil.contagens["com_ilegiveis"], perfil.linhas, "parte")
    if suite.chave:
        perfil.medidas["chaves_repetidas"] = float(key_repeats(con, suite.extrato, suite.chave))
    for x in suite.expectativa:
        if x.ligacao and applies(x, suite.extrato, colunas) and _target_present(x.ligacao, colunas):
            try:
                soltas, total = _dangling(con, suite.extrato, x.ligacao)
                _put_count(perfil, x.id, soltas, total, x.unidade)
            except duckdb.Error as exc:
                perfil.quebras[x.id] = str(exc)
    return perfil


def _target_present(link: str, colunas: set[str]) -> bool:
    return link.split("->")[1].strip() in colunas


def _put_count(perfil: Perfil, name: str, count: int, total: int, unidade: str) -> None:
    perfil.contagens[name] = count
    if unidade != "parte":
        perfil.medidas[name] = float(count)
    elif total:
        perfil.medidas[name] = count / total
    else:
        perfil.medidas.pop(name, None)


def profile_cross(con: duckdb.DuckDBPyConnection, suite: Suite, as_of: date, colunas: set[str]) -> Perfil:
    """Measure the facts that span extracts."""
    perfil = Perfil(CROSS)
    for x in suite.expectativa:
        if not applies(x, CROSS, colunas):
            continue
        try:
            value = fetch(con, x.consulta or "", {"as_of": as_of})[0][0]
        except (duckdb.Error, IndexError) as exc:
            perfil.quebras[x.id] = str(exc)
            continue
        if value is not None:
            perfil.medidas[x.id] = float(value)
    return perfil
