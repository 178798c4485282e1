"""The words of each check: of checks that exist, with fields that they give, and something to say for any other."""

from __future__ import annotations

import re
from pathlib import Path

import checks.law
from checks.law.catalogue import load_catalogue
from data.loader import load_norms
from data.model import Norm
from notices.compose.sections import section_of
from notices.compose.wording import for_the_body, owed_by_the_body, title, title_of, wordings
from tests.notices.compose.base import AS_OF

LAW = Path(checks.law.__file__).parent
KEYS = {
    "nome", "violacao", "a_vencer", "para_decisao", "direito", "secao", "para", "do_operador", "deve_orgao", "mostra", "taxa", "dia", "valor",
    "a_mais", "a_menos",
}  # fmt: skip
#: Faults and debts of the body's own: nobody may demand them of an operator.
DO_ORGAO = {
    "advertencia_devida", "alvara_sem_pagamento", "auto_incompleto", "convocacao_tardia", "convocar_lista_de_espera", "decisao_em_atraso",
    "devolucao_devida", "frota_reserva_excedida", "garantia_nao_devolvida", "infracao_em_conflito", "infracao_em_um_so_texto",
    "infracao_sem_enquadramento", "limite_de_permissoes", "modalidade_incompativel", "ordem_sem_vistoria", "recurso_incabivel",
    "sancao_sem_contraditorio", "suspensao_excedida", "taxa_divergente", "valor_divergente",
}  # fmt: skip


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


def test_every_check_has_words_and_somebody_it_concerns() -> None:
    faltam = sorted(set(load_catalogue()) - set(wordings()))
    assert not faltam, f"notices/templates/verificacoes.toml does not say how to tell, and whom: {faltam}"
    for verificacao, dito in wordings().items():
        assert dito.get("para") in (None, "orgao") and dito.get("secao") in (None, "direito"), verificacao
        assert not (dito.get("para") and dito.get("secao")), (
            f"{verificacao}: of the body alone, or for the operator to use"
        )


def test_the_bodys_own_faults_are_never_demanded_of_the_operator() -> None:
    assert set(load_catalogue()) >= DO_ORGAO
    for verificacao in DO_ORGAO - set(for_the_body()):
        for situacao in ("violacao", "a_vencer", "para_decisao"):
            linha = {"verificacao": verificacao, "situacao": situacao, "consequencia": "multa"}
            assert section_of(linha) == "direito", verificacao


def test_the_authority_is_told_what_it_owes() -> None:
    assert {"decisao_em_atraso", "devolucao_devida", "suspensao_excedida"} <= set(owed_by_the_body()) <= DO_ORGAO


def test_what_is_only_information_is_demanded_of_nobody_but_where_the_duty_is_said_to_be_the_operators() -> None:
    informa = {(c, n.id) for n in load_norms() for c, regras in _checks(n) if "informacao" in regras}
    assert ("renovacao_nao_requerida", "1343/1994") in informa
    for verificacao, _ in informa:
        linha = {"verificacao": verificacao, "situacao": "violacao", "consequencia": "informacao"}
        do_operador = bool(wordings()[verificacao].get("do_operador"))
        assert (section_of(linha) == "violacao") is do_operador, verificacao
    assert {c for c, dito in wordings().items() if dito.get("do_operador")} <= {c for c, _ in informa}


def _checks(norm: Norm) -> list[tuple[str, set[str]]]:
    return [
        (c, {v.consequencia for v in (vs if isinstance(vs, tuple | list) else [vs])})
        for c, vs in norm.verificacoes.items()
    ]


def test_the_title_says_more_or_less_as_it_is() -> None:
    row = {"verificacao": "valor_divergente", "situacao": "violacao"}
    assert title_of({**row, "evidencia": '{"diferenca": 0.01}'}) == "Auto lançado com valor maior que o da norma"
    assert title_of({**row, "evidencia": '{"diferenca": -125.00}'}) == "Auto lançado com valor menor que o da norma"
    for nada in (None, "{}", '{"diferenca": null}', '{"diferenca": 0}'):
        assert title_of({**row, "evidencia": nada}) == "Auto lançado com valor diferente do da norma"
    assert (
        title_of({"verificacao": "alvara_vencido", "situacao": "violacao", "evidencia": '{"diferenca": 1}'})
        == "Título vencido"
    )


def test_what_is_still_in_time_is_not_ordered_to_stop() -> None:
    # Whoever is suspended is out of service whatever becomes of the auto in defence.
    fora = {"atuando_suspenso"}
    stops = re.compile(r"^(Retire|Recolha|Não circule)\b|\baté lá (não|o motorista)\b|em atraso|justifique")
    for norm in load_norms():
        for check, row in norm.checks(AS_OF).items():
            sql = (LAW / check / "check.sql").read_text(encoding="utf-8")
            if "a_vencer" in sql and check not in fora:
                texto = row.regularizar_a_vencer or row.regularizar
                assert not stops.search(texto), (norm.id, check, texto)
