"""Delivery of notices, from the copy that the real ledger publishes."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime

import pytest

from notices.delivery.ledger import Ledger
from notices.delivery.publish import deliveries_path, publish_deliveries
from tests.dashboard.base import client


@pytest.fixture
def told(published, truth, tmp_path):
    """A copy, and beside it deliveries: one sent, one uncertain, one refused. Returns (copy, a finding told)."""
    copia = tmp_path / "w.publicado.duckdb"
    shutil.copy(published, copia)
    achado = truth.execute("select min(achado_id) from achados where consequencia = 'cassacao'").fetchall()[0][0]
    with Ledger(tmp_path / "w.entregas.sqlite", lambda: datetime(2026, 3, 9, 10, tzinfo=UTC)) as ledger:
        ledger.db.execute(
            "insert into rodada (rodada_id, tipo, as_of, criada_em, situacao)"
            " values ('semanal-20260309', 'semanal', '2026-03-09', '2026-03-09T10:00:00+00:00', 'liberada')"
        )
        for i, (state, why) in enumerate(
            (("enviada", None), ("incerta", None), ("recusada", "recusada: destinatario de 529.982.247-25"))
        ):
            ledger.db.execute(
                "insert into mensagem (chave, rodada_id, tipo, as_of, normas, destinatario_id, endereco, estado, motivo,"
                " mudou_em) values (?, 'semanal-20260309', 'semanal', '2026-03-09', '[]', ?, 'a@b.br', ?, ?,"
                " '2026-03-09T10:00:00+00:00')",
                (f"m{i}", f"P00{i}", state, why),
            )
            ledger.db.execute(
                "insert into entrega values (?, ?, 0, 'semanal', ?, 'x', '825/2021', 'violacao', '2026-01-01', '10.00')",
                (f"P00{i}", achado if i == 0 else f"outro-{i}", f"m{i}"),
            )
        publish_deliveries(ledger, deliveries_path(tmp_path / "w.duckdb"))
    return copia, achado


def test_before_the_first_notice_it_says_so(page, truth):
    assert "Ainda não há registro de entregas" in page.get("/avisos").text


def test_states_reasons_and_the_notices_of_a_case(told):
    copia, achado = told
    text = client(copia).get("/avisos").text
    for words in ("enviadas", "incertas: uma pessoa decide", "recusadas pelo servidor"):
        assert f"<strong>1</strong> <span>{words}</span>" in text
    assert "recusada: destinatario de ***.982.247-**" in text and "a@b.br" not in text
    case = client(copia).get(f"/caso/{achado}").text
    assert "<td>semanal</td><td>semanal</td><td>09/03/2026</td><td>enviada</td><td>09/03/2026 07:00</td>" in case
    public = client(copia, papel_local="publico").get("/avisos").text
    assert "P002" not in public and "recusadas pelo servidor" in public


def test_a_broken_register_of_deliveries_is_told_in_words(told):
    copia, _ = told
    deliveries_path(copia.with_name("w.duckdb")).write_bytes(b"x" * 9000)
    answer = client(copia).get("/avisos")
    assert answer.status_code == 503 and "registro de entregas não pôde ser lido" in answer.text
    assert client(copia).get("/").status_code == 200
