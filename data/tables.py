"""Writes the norms in force on a day into schema `norma` of the warehouse, for the checks to read as tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

import duckdb

from data.hashes import check_hash
from data.model import Norm, Vigente

_COLUNAS: dict[str, str] = {
    "normas": "norma VARCHAR, nome VARCHAR, apelido VARCHAR, municipio VARCHAR, uf VARCHAR, orgao VARCHAR, "
    "mes_sem_dia VARCHAR, vigente_de DATE, hash VARCHAR",
    "outorgas": "norma VARCHAR, modalidade VARCHAR, quantidade INTEGER, unidade VARCHAR, dispositivo VARCHAR, "
    "leitura VARCHAR",
    "processo": "norma VARCHAR, dispositivo VARCHAR, defesa_dias INTEGER, defesa_dias_uteis INTEGER, "
    "decisao_dias INTEGER, decisao_dias_uteis INTEGER, recurso_dias INTEGER, recurso_dias_uteis INTEGER, "
    "recurso_suspensivo BOOLEAN, transito_dias INTEGER, exige_vence_em BOOLEAN, leitura VARCHAR",
    "idade_maxima": "norma VARCHAR, dispositivo VARCHAR, ordem INTEGER, servicos VARCHAR[], "
    "servicos_exceto VARCHAR[], lugares_min INTEGER, lugares_max INTEGER, tracao_exceto VARCHAR[], anos INTEGER, "
    "conta_de VARCHAR[], vencida VARCHAR, consequencia VARCHAR, competente VARCHAR, leitura VARCHAR",
    "pontuacao": "norma VARCHAR, dispositivo VARCHAR, reincidencia_meses INTEGER, reincidencia_fator INTEGER, "
    "ato_que_zera VARCHAR, leitura VARCHAR",
    "pontuacao_limites": "norma VARCHAR, meses INTEGER, pontos INTEGER",
    "infracoes": "norma VARCHAR, codigo VARCHAR, dispositivo VARCHAR, descricao VARCHAR, grupo VARCHAR, "
    "unidade VARCHAR, valor DECIMAL(18,4), pontos INTEGER, sujeito VARCHAR, legivel VARCHAR, vigente_de DATE, "
    "vigente_ate DATE, observacao VARCHAR",
    "conflitos": "norma VARCHAR, conduta VARCHAR, codigo_artigo VARCHAR, grupo_artigo VARCHAR, "
    "valor_artigo DECIMAL(18,4), codigo_anexo VARCHAR, grupo_anexo VARCHAR, valor_anexo DECIMAL(18,4), "
    "situacao VARCHAR, grupo_adotado VARCHAR, valor_adotado DECIMAL(18,4), leitura VARCHAR, alternativa VARCHAR",
    "taxas": "norma VARCHAR, dispositivo VARCHAR, codigo VARCHAR, natureza VARCHAR, descricao VARCHAR, "
    "categoria VARCHAR, momento VARCHAR, valor DECIMAL(18,4), unidade VARCHAR, observacao VARCHAR",
    "autoridades": "norma VARCHAR, ato VARCHAR, autoridade VARCHAR, dispositivo VARCHAR, observacao VARCHAR",
    "etapas": "norma VARCHAR, ordem INTEGER, etapa VARCHAR, regra VARCHAR, prazo VARCHAR, unidade VARCHAR, "
    "inicio VARCHAR, efeito_suspensivo VARCHAR, efeito_do_silencio VARCHAR, dispositivo VARCHAR, observacao VARCHAR",
    "prazos": "norma VARCHAR, dispositivo VARCHAR, objeto VARCHAR, duracao VARCHAR, unidade VARCHAR, "
    "inicio VARCHAR, prorrogacao VARCHAR, prazo_para_pedir VARCHAR, efeito_do_vencimento VARCHAR, observacao VARCHAR",
    "verificacoes": "norma VARCHAR, verificacao VARCHAR, familia VARCHAR, dispositivo VARCHAR, "
    "consequencia VARCHAR, competente VARCHAR, aviso_dias INTEGER, leitura VARCHAR, alternativa VARCHAR, hash VARCHAR",
    "regularizar": "norma VARCHAR, verificacao VARCHAR, texto VARCHAR",
    "leituras": "norma VARCHAR, tabela VARCHAR, chave VARCHAR, dispositivo VARCHAR, leitura VARCHAR, "
    "alternativa VARCHAR",
    "ajustes": "norma VARCHAR, tabela VARCHAR, verificacao VARCHAR, chave VARCHAR, parametro VARCHAR, "
    "valor VARCHAR, vigente_de DATE, vigente_ate DATE, ato VARCHAR, motivo VARCHAR",
}
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

    A norm without effects yet on that day is absent. `norma.infracoes` keeps every period of the norms in force:
    an infraction is judged by the day of its fact.
    """
    vigentes = [n for n in norms if n.header(as_of) is not None]
    con.execute("CREATE SCHEMA IF NOT EXISTS norma")
    for tabela, colunas in _COLUNAS.items():
        con.execute(f"CREATE OR REPLACE TABLE norma.{tabela} ({colunas})")
    for tabela, linhas in _contents(vigentes, as_of).items():
        _insert(con, tabela, linhas)


def _contents(norms: Sequence[Norm], as_of: date) -> dict[str, list[tuple[Any, ...]]]:
    saida: dict[str, list[tuple[Any, ...]]] = {t: [] for t in _COLUNAS}
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
            saida["verificacoes"].append(_row("verificacoes", norm.id, v, hash=check_hash(norm, check_id, as_of)))
            saida["regularizar"].append((norm.id, check_id, v.regularizar))
            _reading(saida, norm.id, "verificacoes", check_id, v)
        for a in norm.ajustes:
            if a.vigente_de <= as_of and (a.vigente_ate is None or as_of <= a.vigente_ate):
                chave = None if a.chave is None else str(a.chave)
                saida["ajustes"].append(_row("ajustes", norm.id, a, chave=chave, valor=_text(a.valor)))
    return saida


def _alive(linhas: Iterable[Any], as_of: date) -> list[Any]:
    return [x for x in linhas if x.in_force(as_of)]


def _reading(saida: dict[str, list[tuple[Any, ...]]], norma: str, tabela: str, chave: str | None, linha: Vigente) -> None:
    if linha.leitura:
        dispositivo = getattr(linha, "dispositivo", None)
        saida["leituras"].append((norma, tabela, chave, dispositivo, linha.leitura, linha.alternativa))


def _row(tabela: str, norma: str, linha: Any, **outros: Any) -> tuple[Any, ...]:
    """The values of a row in the table's column order."""
    nomes = [c.strip().split(" ")[0] for c in _COLUNAS[tabela].replace("(18,4)", "").split(",")]
    valores = (norma if n == "norma" else outros[n] if n in outros else getattr(linha, n) for n in nomes)
    return tuple(list(v) if isinstance(v, tuple) else v for v in valores)


def _text(valor: Any) -> str:
    if isinstance(valor, bool):
        return "sim" if valor else "nao"
    return "; ".join(map(str, valor)) if isinstance(valor, list | tuple) else str(valor)


def _insert(con: duckdb.DuckDBPyConnection, tabela: str, linhas: list[tuple[Any, ...]]) -> None:
    if not linhas:
        return
    marcas = "(" + ", ".join("?" * len(linhas[0])) + ")"
    valores = [v for linha in linhas for v in linha]
    con.execute(f"INSERT INTO norma.{tabela} VALUES " + ", ".join([marcas] * len(linhas)), valores)
