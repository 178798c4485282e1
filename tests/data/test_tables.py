"""Schema `norma` of the warehouse and the hashes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest

from data.loader import ROOT, load_norms
from data.schema import COLUNAS
from data.tables import register_norms
from tests.data.base import INFRACOES, load_one

HOJE = date(2026, 3, 2)


@pytest.fixture(scope="module")
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as conexao:
        register_norms(conexao, load_norms(), HOJE)
        yield conexao


def one(con: duckdb.DuckDBPyConnection, sql: str) -> object:
    ((valor,),) = con.execute(sql).fetchall()
    return valor


def test_counts(con: duckdb.DuckDBPyConnection) -> None:
    esperado = {
        "normas": 5, "outorgas": 10, "processo": 5, "idade_maxima": 6, "pontuacao": 1, "pontuacao_limites": 3,
        "infracoes": 286, "conflitos": 56, "taxas": 66, "autoridades": 58, "etapas": 42, "prazos": 46, "ajustes": 0,
    }  # fmt: skip
    assert {t: one(con, f"select count(*) from norma.{t}") for t in esperado} == esperado


def test_columns_are_the_declared_ones(con: duckdb.DuckDBPyConnection) -> None:
    linhas = con.execute(
        "select table_name, column_name, data_type from information_schema.columns where table_schema = 'norma'"
        " order by table_name, ordinal_position"
    ).fetchall()
    reais: dict[str, dict[str, str]] = {}
    for tabela, coluna, tipo in linhas:
        reais.setdefault(tabela, {})[coluna] = tipo
    assert reais == COLUNAS


def test_typed_values(con: duckdb.DuckDBPyConnection) -> None:
    valor = one(con, "select valor from norma.infracoes where norma = '30258/1983' and codigo = '57-I-a'")
    assert valor == Decimal("0.4000")
    idade = con.execute(
        "select servicos, servicos_exceto, lugares_min, tracao_exceto, conta_de from norma.idade_maxima"
        " where norma = '30258/1983' order by ordem desc"
    ).fetchall()
    assert idade[0] == (None, None, 13, ["eletrica", "via_fixa"], ["nota_fiscal_em"])
    assert one(con, "select mes_sem_dia from norma.normas where norma = '825/2021'") == "dia_seguinte"
    assert one(con, "select count(*) from norma.regularizar where texto is null or texto = ''") == 0


def test_every_check_of_every_norm_is_there(con: duckdb.DuckDBPyConnection) -> None:
    pares = con.execute("select norma, verificacao from norma.verificacoes order by all").fetchall()
    assert pares == sorted((n.id, c) for n in load_norms() for c in n.checks(HOJE))
    assert pares == con.execute("select norma, verificacao from norma.regularizar order by all").fetchall()


def test_only_what_is_in_force() -> None:
    normas = load_norms()
    with duckdb.connect() as con:
        for dia, ids in (
            (date(1990, 1, 1), ["30258/1983"]),
            (date(2010, 1, 14), ["1343/1994", "1854/1999", "30258/1983"]),
            (date(2010, 1, 15), ["1343/1994", "1854/1999", "30258/1983", "408/2009"]),
            (date(2021, 5, 20), ["1343/1994", "1854/1999", "30258/1983", "408/2009", "825/2021"]),
        ):
            register_norms(con, normas, dia)
            assert [n for (n,) in con.execute("select norma from norma.normas order by norma").fetchall()] == ids
        taxas = "select count(*) from norma.taxas where codigo = 'TVTI'"
        for dia, quantas in ((date(2023, 5, 19), 0), (date(2023, 5, 20), 2)):
            register_norms(con, normas, dia)
            assert one(con, taxas) == quantas


def test_infractions_keep_every_period(tmp_path: Path) -> None:
    texto = INFRACOES.replace(";10;1;operador;sim;2020-02-01;;", ";10;1;operador;sim;2020-02-01;2023-12-31;")
    texto += "A-1;art. 7º, I;Atrasar a partida;A;UFE;12;1;operador;sim;2024-01-01;;\n"
    norma = load_one(tmp_path, infracoes=texto)
    with duckdb.connect() as con:
        register_norms(con, [norma], HOJE)
        linhas = con.execute("select valor, vigente_ate from norma.infracoes where codigo = 'A-1' order by vigente_de")
        assert linhas.fetchall() == [(Decimal(10), date(2023, 12, 31)), (Decimal(12), None)]


def test_hash_ignores_where_and_how_it_is_written(tmp_path: Path) -> None:
    copia = tmp_path / "normas"
    shutil.copytree(ROOT, copia)
    for arquivo in copia.rglob("*.toml"):
        arquivo.write_text("# comentário\n\n" + arquivo.read_text(encoding="utf-8"), encoding="utf-8")
    assert [n.hash for n in load_norms(copia)] == [n.hash for n in load_norms()]
