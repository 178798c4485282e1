"""Which rows are behind a failed expectation: a few file lines or keys, enough to find them."""

from __future__ import annotations

from datetime import date, timedelta

import duckdb

from checks.warehouse.profile import fetch, quote, table
from checks.warehouse.suites import Expectativa, Suite
from reports.formats import int_br, mask_cpfs


def _lines(con: duckdb.DuckDBPyConnection, extrato: str, where: str, n: int, params: dict[str, date]) -> str:
    rows = fetch(
        con,
        f"select arquivo, linha from {table(extrato)} where {where} order by arquivo, linha limit {n}",
        params,
    )
    by_file: dict[str, list[str]] = {}
    for arquivo, linha in rows:
        by_file.setdefault(arquivo or extrato, []).append(int_br(linha))
    return "; ".join(
        f"{arquivo}: {'linha' if len(linhas) == 1 else 'linhas'} {', '.join(linhas)}"
        for arquivo, linhas in by_file.items()
    )


def _condition(suite: Suite, x: Expectativa) -> str | None:
    """The SQL condition of the offending rows, where the measure has one."""
    if x.conta:
        return x.conta
    match x.medida:
        case "chave_vazia":
            return f"coalesce({quote(suite.chave or '')}, '') = ''"
        case "obrigatorias_vazias":
            return suite.falta_obrigatoria
        case "com_ilegiveis":
            return "len(desconhecidos) > 0"
        case "depois_do_dia":
            return " or ".join(f"coalesce({c}::date > $limite, false)" for c in suite.datas_de_fato)
    return None


def examples_of(
    con: duckdb.DuckDBPyConnection, suite: Suite, x: Expectativa, n: int, as_of: date, tolerance_days: int
) -> str:
    """Up to ``n`` cases in one line of text; empty where the measure has no rows to point at."""
    if n == 0:
        return ""
    params = {"as_of": as_of, "limite": as_of + timedelta(days=tolerance_days)}
    where = _condition(suite, x)
    if where:
        return _lines(con, suite.extrato, where, n, params)
    if x.ligacao:
        coluna, alvo = (part.strip() for part in x.ligacao.split("->"))
        alvo_extrato, alvo_coluna = alvo.split(".")
        sql = f"""
            select {quote(coluna)} from {table(suite.extrato)} t
            where coalesce({quote(coluna)}, '') <> '' and not exists (
                select 1 from {table(alvo_extrato)} a where a.{quote(alvo_coluna)} = t.{quote(coluna)})
            group by 1 order by 1 limit {n}"""
        return _keys(coluna, fetch(con, sql, params))
    if x.medida == "chaves_repetidas" and suite.chave:
        k = quote(suite.chave)
        sql = f"select {k} from {table(suite.extrato)} group by 1 having count(*) > 1 order by 1 limit {n}"
        return _keys(suite.chave, fetch(con, sql, params))
    if x.exemplos:
        return _keys("casos", fetch(con, f"select * from ({x.exemplos}) limit {n}", params))
    return ""


def _keys(label: str, rows: list[tuple[object, ...]]) -> str:
    return f"{label}: {mask_cpfs(', '.join(str(r[0]) for r in rows))}" if rows else ""
