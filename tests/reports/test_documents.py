"""A column that holds a document is masked whatever it holds; two that differ can be told apart, still masked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pytest

from checks.law.catalogue import load_catalogue
from dashboard.caso import _fields, _tables
from notices.compose.subjects import evidence_words
from reports.documents import mask_evidence
from reports.explain.vocabulary import load_vocabulary, read_evidence
from reports.formats import document_br
from reports.snapshot import publish_snapshot
from tests.reports.real_night import run_night

#: The check digits of the first are right, of the second wrong; the third lost a digit.
HELD = ("52998224725", "01045671712", "5299822472")


def keys() -> list[str]:
    """Every field that some check's evidence may carry and that holds a document."""
    given = {field for spec in load_catalogue().values() for field in spec.evidencia}
    return sorted(n for n in given | set(load_vocabulary()) if re.search("documento|cpf|cnpj", n))


def test_every_field_that_holds_a_document_is_said_to() -> None:
    assert set(keys()) >= {"documento", "proprietario_documento"}
    assert {n for n, said in load_vocabulary().items() if said.get("tipo") == "documento"} == set(keys())


@pytest.mark.parametrize("key", keys())
@pytest.mark.parametrize("held", HELD)
def test_no_field_shows_a_whole_document_anywhere(key: str, held: str) -> None:
    dotted = f"{held[:3]}.{held[3:6]}.{held[6:9]}-{held[9:]}"
    for value in (held, dotted):
        text = json.dumps({key: value, "faltas": [{key: value, "dia": "2026-01-02"}], "x": {key: value}})
        evidence = read_evidence(text)
        shown = " ".join(
            [
                mask_evidence(text),
                str(evidence),
                evidence_words(text),
                str(_fields(evidence)),
                str(_tables(evidence)),
            ]
        )
        assert held not in re.sub(r"[^0-9*() ]", "", shown) and held[-3:] not in re.sub(r"[.\-]", "", shown)
        assert document_br(value) in shown


def test_a_document_of_a_company_is_public_and_readable() -> None:
    assert document_br("11222333000181") == "11.222.333/0001-81"
    assert document_br("11.222.333/0001-81") == "11.222.333/0001-81"
    assert document_br(None) == "" and document_br("?") == "*** (0 caracteres)"
    assert document_br("529.982.247-25*") == "***.982.247-**" and document_br("***") == "***"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("01045671700", "01045671712", "***.456.717-** (difere nos dígitos 10 e 11, ocultos)"),
        ("01045671700", "91045671700", "***.456.717-** (difere no dígito 1, oculto)"),
        ("01045671700", "01145671700", "***.456.717-** (difere no dígito 3, oculto)"),
        ("01045671700", "01046671700", "***.466.717-**"),
        ("01045671700", "01045671700", "***.456.717-**"),
        ("0104567170", "0104567171", "*** (10 caracteres) (difere no dígito 10, oculto)"),
    ],
)
def test_two_that_differ_are_told_apart(one: str, other: str, told: str) -> None:
    text = json.dumps({"proprietario_documento": one, "documento": other})
    masked = json.loads(mask_evidence(text))
    assert masked == {"proprietario_documento": document_br(one), "documento": told}
    assert mask_evidence(mask_evidence(text)) == mask_evidence(text)


def test_what_is_no_document_stays_to_the_letter() -> None:
    text = '{"valor": 10.00, "processo":"01045671712", "motivo": "documento \\"ilegível\\"", "documento":null}'
    assert mask_evidence(text) == text and mask_evidence(None) == ""


def test_the_published_copy_holds_no_whole_document(tmp_path: Path) -> None:
    con = run_night(tmp_path)
    text = '{"proprietario_documento":"01045671700","documento":"01045671712","falta":null}'
    con.execute("update achados_historico set evidencia = $t", {"t": text})
    for _ in range(2):  # a second night on the same connection
        copy = publish_snapshot(con, tmp_path / "w.duckdb")
    con.close()
    assert b"01045671712" not in copy.read_bytes()
    with duckdb.connect(str(copy), read_only=True) as lido:
        (evidencia,) = lido.execute("select distinct evidencia from achados").fetchall()[0]
    assert json.loads(evidencia)["documento"] == "***.456.717-** (difere nos dígitos 10 e 11, ocultos)"
