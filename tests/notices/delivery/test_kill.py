"""kill -9 over and over: nothing lost, nothing twice. The long form is `python -m tests.notices.delivery.prova`."""

from __future__ import annotations

from pathlib import Path

from notices.delivery.ledger import Ledger
from notices.delivery.queue import enqueue
from tests.notices.delivery.base import AS_OF, DE, FAST, RELOGIO, message
from tests.notices.delivery.prova import prove


def test_killed_at_random(tmp_path: Path) -> None:
    resultado = prove(tmp_path, mensagens=150, mortes=8, vida=0.25)
    assert resultado.ok, resultado
    assert resultado.mortes > 0


def test_left_half_way_is_uncertain_and_stays(tmp_path: Path) -> None:
    caminho = tmp_path / "x.sqlite"
    with Ledger(caminho, RELOGIO) as ledger:
        chaves = enqueue(ledger, "semanal", AS_OF, [message("P1"), message("P2")], DE, FAST).prontas
        ledger.change(chaves[0], ("preparada",), "enviando")
    with Ledger(caminho, RELOGIO) as ledger:
        assert ledger.recover() == [chaves[0]]
        assert ledger.recover() == []
        assert [ledger.message(c)["estado"] for c in chaves] == ["incerta", "preparada"]
