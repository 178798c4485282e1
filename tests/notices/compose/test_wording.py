"""The words of each check: of checks that exist, with fields that they give, and something to say for any other."""

from __future__ import annotations

from checks.law.catalogue import load_catalogue
from notices.compose.wording import for_the_body, title, wordings

KEYS = {"nome", "violacao", "a_vencer", "para_decisao", "secao", "para", "mostra", "taxa", "dia", "valor", "so_a_favor"}


def test_words_are_of_checks_that_exist_and_fields_they_give() -> None:
    catalogo = load_catalogue()
    for verificacao, dito in wordings().items():
        assert set(dito) <= KEYS and dito["nome"], verificacao
        if verificacao != "prazo_aberto":
            assert set(dito.get("mostra", ())) <= set(catalogo[verificacao].evidencia), verificacao


def test_a_check_without_words_is_turned_into_a_finding() -> None:
    assert title("verificacao_de_amanha", "violacao") == "Não cumprido: verificacao de amanha"
    assert title("alvara_vencido", "violacao") == "Título vencido"
    assert title("alvara_vencido", "a_vencer") == "Título a vencer"


def test_matters_of_the_body_are_not_the_operators() -> None:
    assert {"limite_de_permissoes", "convocar_lista_de_espera"} <= set(for_the_body())
    assert "alvara_vencido" not in for_the_body()
