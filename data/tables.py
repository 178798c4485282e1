"""Writes the norms in force on a day into schema `norma` of the warehouse, for the checks to read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

import duckdb

from data.model import Norm
from data.rows import Vigente
from data.schema import COLUNAS

Linhas = dict[str, list[tuple[Any, ...]]]

#: Table → (field of `Norm`, what identifies a row among the readings).
_FONTES: dict[str, tuple[str, str | None]] = {
    "outorgas": ("outorgas", "modalidade"),
    "processo": ("processos", None),
    "idade_maxima": ("idades_maximas", "ordem"),
    "pontuacao": ("pontuacoes", None),
    "conflitos": ("conflitos", "conduta"),
    "taxas": ("taxas", "descricao"),
    "autoridades": ("autoridades", "ato"),
    "etapas": ("etapas", "etapa"),
    "prazos": ("prazos", "objeto"),
}


def register_norms(con: duckdb.DuckDBPyConnection, norms: Iterable[Norm], as_of: date) -> None:
    """(Re)creates schema `norma` with the rows in force on `as_of`.

    A norm without effects yet on that day is absent. `norma.infracoes` keeps every period of the norms in
    force: an infraction is judged by the day of its fact.
    """
    vigentes = [n for n in norms if n.header(as_of) is not None]
    con.execute("CREATE SCHEMA IF NOT EXISTS norma")
    for tabela, colunas in COLUNAS.items():
        lista = ", ".join(f"{nome} {tipo}" for nome, tipo in colunas.items())
        con.execute(f"CREATE OR REPLACE TABLE norma.{tabela} ({lista})")
    for tabela, linhas in table_rows(vigentes, as_of).items():
        _insert(con, tabela, linhas)


def table_rows(norms: Sequence[Norm], as_of: date) -> Linhas:
    """The rows of each table, in the order of its columns, of norms in force on `as_of`."""
    saida: Linhas = {t: [] for t in COLUNAS}
    for norm in norms:
        cabecalho = norm.header(as_of)
        saida["normas"].append(_row("normas", norm.id, cabecalho, hash=norm.hash, vigente_de=norm.vigente_de))
        for tabela, (campo, chave) in _FONTES.items():
            for linha in _alive(getattr(norm, campo), as_of):
                saida[tabela].append(_row(tabela, norm.id, linha))
                _reading(saida, norm.id, tabela, str(getattr(linha, chave)) if chave else None, linha)
        for pontuacao in _alive(norm.pontuacoes, as_of):
            saida["pontuacao_limites"].extend((norm.id, x.meses, x.pontos) for x in pontuacao.limite)
        saida["infracoes"].extend(_row("infracoes", norm.id, i) for i in norm.infracoes)
        for check_id, v in norm.checks(as_of).items():
            saida["verificacoes"].append(_row("verificacoes", norm.id, v))
            saida["regularizar"].append((norm.id, check_id, v.regularizar, v.regularizar_a_vencer))
            _reading(saida, norm.id, "verificacoes", check_id, v)
        for a in norm.ajustes:
            if a.vigente_de <= as_of and (a.vigente_ate is None or as_of <= a.vigente_ate):
                chave = None if a.chave is None else str(a.chave)
                saida["ajustes"].append(_row("ajustes", norm.id, a, chave=chave, valor=_text(a.valor)))
    return saida


def _alive(linhas: Iterable[Any], as_of: date) -> list[Any]:
    return [x for x in linhas if x.in_force(as_of)]


def _reading(saida: Linhas, norma: str, tabela: str, chave: str | None, linha: Vigente) -> None:
    if linha.leitura:
        dispositivo = getattr(linha, "dispositivo", None)
        saida["leituras"].append((norma, tabela, chave, dispositivo, linha.leitura, linha.alternativa))


def _row(tabela: str, norma: str, linha: Any, **outros: Any) -> tuple[Any, ...]:
    """The values of a row in the table's column order."""
    outros["norma"] = norma
    valores = (outros[n] if n in outros else getattr(linha, n) for n in COLUNAS[tabela])
    return tuple(list(v) if isinstance(v, tuple) else v for v in valores)


def _text(valor: Any) -> str:
    if isinstance(valor, bool):
        return "sim" if valor else "nao"
    return "; ".join(map(str, valor)) if isinstance(valor, list | tuple) else str(valor)


def _insert(con: duckdb.DuckDBPyConnection, tabela: str, linhas: list[tuple[Any, ...]]) -> None:
    if not linhas:
        return
    # A list for each column, in one statement: a mark for each value takes the planner longer than the rows deserve.
    colunas = ", ".join(f"unnest(${nome}::{tipo}[])" for nome, tipo in COLUNAS[tabela].items())
    valores = {nome: list(coluna) for nome, coluna in zip(COLUNAS[tabela], zip(*linhas, strict=True), strict=True)}
    con.execute(f"INSERT INTO norma.{tabela} SELECT {colunas}", valores)
