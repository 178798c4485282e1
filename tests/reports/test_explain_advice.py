"""What is missing is told apart, and what can't be judged, or is the body's own, orders nothing of the operator."""

from __future__ import annotations

from decimal import Decimal

import duckdb
import pytest

from reports.explain.advice import COMPLETE, OWN_MATTER, what_is_missing, what_to_do

NORM = {"regularizar": "Retire o veículo do serviço.", "regularizar_a_vencer": "Renove até o dia indicado."}
ROW = {"sujeito_tipo": "veiculo"}


@pytest.mark.parametrize(
    ("situacao", "texto"),
    [
        ("violacao", NORM["regularizar"]),
        ("para_decisao", NORM["regularizar"]),
        ("a_vencer", NORM["regularizar_a_vencer"]),
        ("nao_avaliado", COMPLETE),
    ],
)
def test_what_to_do_follows_the_situation(situacao: str, texto: str) -> None:
    assert what_to_do({"verificacao": "cnh_irregular", "situacao": situacao}, {}, NORM) == texto


@pytest.mark.parametrize(
    ("diferenca", "texto"),
    [(Decimal("0.01"), NORM["regularizar"]), (Decimal("-0.01"), OWN_MATTER), (None, OWN_MATTER)],
)
def test_nobody_is_told_to_have_his_own_fine_raised(diferenca: Decimal | None, texto: str) -> None:
    row = {"verificacao": "valor_divergente", "situacao": "violacao"}
    assert what_to_do(row, {"diferenca": diferenca}, NORM) == texto


def test_without_words_for_the_time_left_the_norms_own_are_told() -> None:
    norm = {"regularizar": "Renove."}
    assert what_to_do({"verificacao": "cnh_irregular", "situacao": "a_vencer"}, {}, norm) == "Renove."


@pytest.fixture
def con() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect()
    con.execute("create schema extrato")
    con.execute("create table extrato.cargas as select 'vistorias' as extrato, 'aceito' as situacao")
    con.execute("insert into extrato.cargas values ('operacao', 'ausente')")
    con.execute("create table extrato.colunas as select 'vistorias' as extrato, 'resultado' as coluna")
    return con


def test_an_extract_a_column_and_a_value_are_told_apart(con: duckdb.DuckDBPyConnection) -> None:
    names = ["operacao", "operacao.viagens_realizadas", "vistorias.itens", "vistorias.resultado"]
    assert what_is_missing(con, ROW, names) == [
        "o extrato operacao, que não veio",
        "o extrato operacao, que não veio (coluna viagens_realizadas)",
        "a coluna itens do extrato vistorias, que veio sem ela",
        "resultado: vazio ou ilegível nas linhas deste caso (coluna resultado do extrato vistorias)",
    ]


def test_where_columns_are_not_known_the_subject_tells() -> None:
    with duckdb.connect() as vazio:
        assert "veio sem ela" in what_is_missing(vazio, {"sujeito_tipo": "norma"}, ["autos.local"])[0]
        assert "nas linhas deste caso" in what_is_missing(vazio, ROW, ["autos.local"])[0]


def test_what_is_no_column_has_words(con: duckdb.DuckDBPyConnection) -> None:
    assert what_is_missing(con, ROW, ["verificacao", "vence_em", "valores_referencia.VRE"]) == [
        "a verificação falhou ao rodar (veja o relatório da noite)",
        "a data do vencimento (vence_em)",
        "o valor de VRE no dia que se avalia (extrato valores_referencia)",
    ]
