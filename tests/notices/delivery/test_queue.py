"""What was composed enters the ledger once, whatever was there before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from notices.delivery import states as s
from notices.delivery.decisions import resolve, unblock
from notices.delivery.ledger import Ledger, LedgerError, UnexpectedState, ledger_path
from notices.delivery.queue import Queued, enqueue
from notices.delivery.sending import expire
from notices.delivery.settings import SendingSettings
from notices.delivery.told import already
from notices.model import IMEDIATO, Mensagem
from tests.notices.delivery.base import AS_OF, DE, FAST, Relogio, item, message


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "x.sqlite", Relogio()) as aberto:
        aberto.db.execute("pragma synchronous = off")  # what is looked at here is not the disk
        yield aberto


def put(ledger: Ledger, *mensagens: Mensagem, settings: SendingSettings = FAST, **campos: object) -> Queued:
    tipo = mensagens[0].tipo if mensagens else "semanal"
    as_of = mensagens[0].as_of if mensagens else AS_OF
    return enqueue(ledger, tipo, as_of, mensagens, DE, settings)


def finish(ledger: Ledger, chave: str, estado: str) -> None:
    """Bring a message from `preparada` to a state the way sending does."""
    if estado in (s.ENVIADA, s.INCERTA, s.ENVIANDO):
        ledger.change(chave, (s.PREPARADA,), s.ENVIANDO)
    if estado not in (s.ENVIANDO, s.PREPARADA):
        ledger.change(chave, (s.PREPARADA, s.ENVIANDO), estado)


def state(ledger: Ledger, m: Mensagem) -> tuple[str, str | None]:
    linha = ledger.message(m.chave)
    return linha["estado"], linha["motivo"]


def dump(ledger: Ledger) -> list[str]:
    return list(ledger.db.iterdump())


def test_the_same_composition_twice_changes_nothing(ledger: Ledger) -> None:
    todas = [message("P1"), message("P2"), message("P3", email=None)]
    primeira = put(ledger, *todas)
    assert len(primeira.prontas) == 2
    assert primeira.retidas == {s.SEM_ENDERECO: 1}
    antes = [linha for linha in dump(ledger) if "'P3'" not in linha]
    assert put(ledger, *todas).prontas == primeira.prontas
    assert [linha for linha in dump(ledger) if "'P3'" not in linha] == antes


def test_one_row_per_recipient_finding_and_step(ledger: Ledger) -> None:
    put(ledger, message("P1", [item("a1"), item("a2", "antes_7")]), message("CGF", [item("a1")]))
    chaves = {tuple(r) for r in ledger.rows("select destinatario_id, achado_id, degrau, reaberta from entrega")}
    assert chaves == {("P1", "a1", "semanal", 0), ("P1", "a2", "antes_7", 0), ("CGF", "a1", "semanal", 0)}


@pytest.mark.parametrize("estado", [s.ENVIADA, s.INCERTA, s.ENVIANDO])
def test_what_was_or_may_have_been_told_is_not_told_again(ledger: Ledger, estado: str) -> None:
    m = message("P1")
    put(ledger, m)
    finish(ledger, m.chave, estado)
    assert ledger.path is not None
    assert already(ledger.path) == [("P1", "a-P1", "semanal", 0)]
    fila = put(ledger, m)
    assert (fila.prontas, fila.ja_contadas) == ([], 1)
    # Not even in another message, of another day or kind.
    for outra in (message("P1", as_of=AS_OF + timedelta(7)), message("P1", tipo=IMEDIATO)):
        fila = put(ledger, outra)
        assert (fila.prontas, fila.ja_contadas) == ([], 1)
    assert state(ledger, m)[0] == estado


def test_another_step_and_another_opening_are_told(ledger: Ledger) -> None:
    m = message("P1")
    put(ledger, m)
    finish(ledger, m.chave, s.ENVIADA)
    assert put(ledger, message("P1", [item("a-P1", "depois_1")])).prontas
    assert put(ledger, message("P1", [item("a-P1", reaberta=1)])).prontas


@pytest.mark.parametrize("estado", [s.PREPARADA, s.SUPRIMIDA, s.RECUSADA])
def test_what_never_arrived_does_not_count_as_told(ledger: Ledger, estado: str) -> None:
    m = message("P1")
    put(ledger, m)
    finish(ledger, m.chave, estado)
    assert ledger.path is not None
    assert already(ledger.path) == []


def test_a_newer_composition_takes_the_place_of_what_waits(ledger: Ledger) -> None:
    velha, outra = message("P1", [item("a1"), item("a2")]), message("P2")
    put(ledger, velha, outra)
    nova = message("P1", [item("a1"), item("a3")])
    fila = put(ledger, nova)
    assert fila.prontas == [nova.chave]
    assert fila.substituidas == 2
    assert state(ledger, velha) == (s.SUPRIMIDA, s.RECOMPOSTA)
    assert state(ledger, outra) == (s.SUPRIMIDA, s.SEM_OBJETO)  # nothing to say to P2 any more


def test_composing_one_kind_leaves_the_others_waiting(ledger: Ledger) -> None:
    semanal = message("P1")
    put(ledger, semanal)
    put(ledger, message("P2", [item("b", "imediato")], tipo=IMEDIATO))
    assert state(ledger, semanal)[0] == s.PREPARADA


def test_addresses_that_cannot_be_written_to(ledger: Ledger) -> None:
    ledger.db.execute("insert into endereco_ruim values ('p3@cidade.test', 'P3', '', 550, 'no')")
    settings = FAST.model_copy(update={"producao": False, "permitidos": ("@cidade.test",)})
    fila = put(
        ledger,
        message("P1", email=None),
        message("P2", email="a@x.br; b@x.br"),
        message("P3"),
        message("P4", email="p4@fora.test"),
        message("P5"),
        settings=settings,
    )
    assert fila.retidas == {
        s.SEM_ENDERECO: 1,
        s.ENDERECO_INVALIDO: 1,
        s.ENDERECO_RECUSADO: 1,
        s.FORA_DA_LISTA: 1,
    }
    assert fila.prontas == [message("P5").chave]


def test_an_address_put_right_gets_its_notice(ledger: Ledger) -> None:
    put(ledger, message("P1", email=None))
    assert put(ledger, message("P1")).prontas == [message("P1").chave]
    assert state(ledger, message("P1")) == (s.PREPARADA, None)


def test_a_refused_message_waits_for_another_address(ledger: Ledger) -> None:
    m = message("P1")
    put(ledger, m)
    finish(ledger, m.chave, s.RECUSADA)
    assert put(ledger, m).prontas == []
    assert put(ledger, message("P1", email="outro@cidade.test")).prontas == [m.chave]


def test_unblocking_an_address(ledger: Ledger) -> None:
    m = message("P1")
    put(ledger, m)
    finish(ledger, m.chave, s.RECUSADA)
    ledger.db.execute("insert into endereco_ruim values ('p1@cidade.test', 'P1', '', 550, 'no')")
    assert unblock(ledger, "outro@cidade.test", "eu") == 0
    assert unblock(ledger, "p1@cidade.test", "eu") == 1
    assert put(ledger, m).prontas == [m.chave]


def test_a_person_decides_about_the_uncertain(ledger: Ledger) -> None:
    for quem, chegou, fim in (("P1", True, s.ENVIADA), ("P2", False, s.PREPARADA)):
        m = message(quem)
        put(ledger, m)
        with pytest.raises(LedgerError, match="só se decide sobre mensagem incerta"):
            resolve(ledger, m.chave, chegou=chegou, por="eu")
        finish(ledger, m.chave, s.INCERTA)
        resolve(ledger, m.chave, chegou=chegou, por="eu")
        assert state(ledger, m)[0] == fim
    assert "eu: enviar de novo" in {r["detalhe"] for r in ledger.rows("select detalhe from evento")}


@pytest.mark.parametrize(("dias", "sai"), [(6, False), (7, True)])
def test_what_waits_too_long_is_withdrawn(ledger: Ledger, dias: int, sai: bool) -> None:
    m = message("P1")
    put(ledger, m)
    assert expire(ledger, AS_OF + timedelta(dias), FAST) == int(sai)
    assert state(ledger, m)[0] == (s.SUPRIMIDA if sai else s.PREPARADA)


def test_no_state_follows_but_the_right_ones(ledger: Ledger) -> None:
    m = message("P1")
    put(ledger, m)
    with pytest.raises(UnexpectedState):
        ledger.change(m.chave, (s.PREPARADA,), s.ENVIADA)
    finish(ledger, m.chave, s.ENVIADA)
    for estado in (s.PREPARADA, s.ENVIANDO, s.SUPRIMIDA, s.INCERTA):
        with pytest.raises(UnexpectedState):
            ledger.change(m.chave, (s.ENVIADA,), estado)


def test_every_change_is_written_down(ledger: Ledger) -> None:
    m = message("P1")
    put(ledger, m)
    finish(ledger, m.chave, s.ENVIADA)
    eventos = ledger.rows("select de, para from evento where chave = ? order by evento_id", m.chave)
    assert [tuple(e) for e in eventos] == [
        (None, s.PREPARADA),
        (s.PREPARADA, s.ENVIANDO),
        (s.ENVIANDO, s.ENVIADA),
    ]


def test_the_kept_copy_is_checked(ledger: Ledger) -> None:
    m = message("P1")
    put(ledger, m)
    assert b"Message-ID: <" + m.chave.encode() in ledger.eml(m.chave)
    ledger.db.execute("update eml set conteudo = (select conteudo from eml limit 1)")
    ledger.db.execute("update eml set conteudo = x'789c030000000001'")
    with pytest.raises(LedgerError, match="foi alterada"):
        ledger.eml(m.chave)


def test_a_key_that_could_break_a_header_is_refused(ledger: Ledger) -> None:
    with pytest.raises(ValueError, match="message key"):
        put(ledger, message("P1", chave="x>\r\nBcc: y"))


def test_files_that_are_no_ledger(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_bytes(b"nada disso" * 100)
    with pytest.raises(LedgerError, match="não é um registro de entregas"):
        Ledger(tmp_path / "a.sqlite", Relogio())
    with Ledger(tmp_path / "b.sqlite", Relogio()) as novo:
        novo.db.execute("pragma user_version = 99")
    with pytest.raises(LedgerError, match="versão mais nova"):
        Ledger(tmp_path / "b.sqlite", Relogio())
    assert ledger_path(Path("x/emdia.duckdb")) == Path("x/emdia.entregas.sqlite")
