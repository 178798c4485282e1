"""Codes of the registry are never shown as codes: every value that an extract or a norm may hold has words."""

from __future__ import annotations

from datetime import date

import pytest

from checks.extracts.contracts import contracts
from notices.compose.subjects import evidence_words
from notices.compose.values import common_words, say, say_row
from reports.explain.vocabulary import load_vocabulary

#: Unaccented on purpose: as they are written in Portuguese.
CERTAS = {
    "vigente", "suspenso", "interrompido", "cassado", "cancelado", "encerrado", "ativo", "ativa", "suspensa", "cassada", "procedente",
    "improcedente", "parcial", "provido", "negado", "motorista", "cobrador", "despachante", "fiscal", "preposto", "norma", "linha", "auto",
    "condutor", "nacional", "estadual", "municipal", "dinheiro", "comum", "experimental", "especial", "cancelamento", "aplicada", "arquivada",
    "van", "kombi", "motocicleta", "outro", "urbano", "industrial", "escolar", "individual", "reserva", "idade", "roubo", "aprovada", "reprovada",
    "ausente", "acidente", "prefeito", "judicial", "isencao", "dispensa", "lei", "PF", "PJ", "TVTM", "TVTI", "ISSQN",
}  # fmt: skip


def test_every_code_of_the_extracts_has_words() -> None:
    faltam = {
        f"{contrato.name}.{c.name}={v}"
        for contrato in contracts().values()
        for c in contrato.columns
        for v in c.values
        if c.name not in ("uf", "final_placa") and v not in CERTAS and say(c.name, v) == v
    }
    assert not faltam


@pytest.mark.parametrize("campo", ["fim_de", "conta_de", "conflito", "unidade", "modalidade"])
def test_fields_of_codes_have_words_in_the_vocabulary(campo: str) -> None:
    assert load_vocabulary()[campo]["valores"]


def test_a_row_leaves_out_what_is_empty_and_says_codes_in_words() -> None:
    linha = {
        "alvara_id": "A1",
        "modalidade": "permissao",
        "emitido_em": date(2026, 1, 10),
        "fim": None,
        "linha_id": "",
        "titulos": [],
    }
    assert say_row("titulos", linha) == "alvará: A1, modalidade: permissão, emitido em: 10/01/2026"


def test_a_permit_is_told_as_a_person_would() -> None:
    dito = evidence_words(
        '{"titulos": [{"alvara_id": "A1", "modalidade": "permissao", "linha_id": null, "fim": "2026-12-31"}]}'
    )
    assert dito == "Títulos: Permissão A1, fim: 31/12/2026"


def test_a_moment_inside_a_table_is_written_as_one() -> None:
    linha = {"comunicado_em": "2026-11-23 00:00:00", "prazo_ate": "2026-11-21 23:59:59"}
    dito = say_row("comunicacoes", linha)
    assert dito.endswith("21/11/2026 23:59") and ": 23/11/2026," in dito


def test_free_text_is_left_as_it_was_written() -> None:
    assert say("itens", "freios e pneus") == "freios e pneus"
    assert say("linha_id", "L01") == "L01"


def test_evidence_has_no_label_without_a_value() -> None:
    dito = evidence_words(
        '{"modalidade": "concessao", "fim": null, "linha_id": "", "veiculos": [], "soma": 0, "titulos": [{"fim": null}]}'
    )
    assert dito == "Modalidade: concessão; Pontos somados: 0"


def test_no_word_is_its_own_code() -> None:
    assert not {k for k, v in common_words().items() if k == v}
