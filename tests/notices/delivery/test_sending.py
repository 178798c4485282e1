"""The whole way of a message: kept, sent, answered, tried again or not. A real server, a real ledger on disk."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from notices.delivery.brakes import pause, resume
from notices.delivery.decisions import resolve
from notices.delivery.ledger import Ledger, ledger_path
from notices.delivery.run import Delivery, Report, deliver
from notices.model import PRAZO_ABERTO, Mensagem
from sql.warehouse import published_path
from tests.notices.delivery.base import AS_OF, FAST, Relogio, compose, delivery, item, message, publish_findings, states
from tests.notices.delivery.smtp import Caixa, Servidor


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("notices.delivery.transport.RECONNECTIONS", (0.0, 0.05, 0.05))


def run(pedido: Delivery, servidor: Servidor, *mensagens: Mensagem, **campos: object) -> Report:
    return deliver(pedido, compose(*mensagens), servidor.server_config(**campos))


def people(n: int) -> list[Mensagem]:
    return [message(f"P{k}") for k in range(n)]


def test_each_gets_one_and_a_second_run_sends_nothing(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    todos = people(5)
    report = run(delivery(banco), servidor, *todos)
    assert report.codigo_saida == 0
    assert report.enviado is not None
    assert report.enviado.enviadas == 5
    report = run(delivery(banco), servidor, *todos)
    assert (report.codigo_saida, len(caixa.recebidas), caixa.conexoes) == (0, 5, 1)
    assert set(caixa.ids().values()) == {1}


def test_what_was_sent_can_be_proved(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    run(delivery(banco), servidor, message("P1"))
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        chave = message("P1").chave
        m = ledger.message(chave)
        assert (m["codigo"], m["resposta"]) == (250, "2.0.0 guardada como 1")
        assert ledger.eml(chave) == caixa.recebidas[0][1]  # byte for byte what the server took


def test_a_refusal_for_now_touches_that_recipient_only(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.rcpt["p1"] = "450 4.2.2 cheia"
    todos = people(4)
    report = run(delivery(banco), servidor, *todos)
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.adiadas, report.codigo_saida) == (3, 1, 0)
    assert caixa.tentativas == {"p0": 1, "p1": FAST.tentativas, "p2": 1, "p3": 1}
    caixa.rcpt.clear()
    run(delivery(banco), servidor, *todos)  # the next run gets it through
    assert [quem for quem, _ in caixa.recebidas] == ["p0", "p2", "p3", "p1"]
    assert set(states(banco).values()) == {"enviada"}


def test_a_refusal_for_good_lists_the_address(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.rcpt["p1"] = "550 5.1.1 no such user"
    todos = people(3)
    report = run(delivery(banco), servidor, *todos)
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.recusadas) == (2, 1)
    run(delivery(banco), servidor, *todos)
    novo = message("P1", [item("outro")])
    report = run(delivery(banco), servidor, novo)
    assert caixa.tentativas["p1"] == 1  # never knocked at again
    assert report.fila.retidas == {"endereço recusado antes": 1}
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        ruins = [tuple(r) for r in ledger.rows("select endereco, destinatario_id, codigo from endereco_ruim")]
    assert ruins == [("p1@cidade.test", "P1", 550)]
    corrigido = message("P1", [item("outro")], email="novo@cidade.test")
    run(delivery(banco), servidor, corrigido)
    assert caixa.recebidas[-1][0] == "novo"


def test_a_refusal_of_policy_is_not_about_the_address(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.rcpt["p0"] = "554 5.7.1 blocked"
    run(delivery(banco), servidor, *people(1))
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        assert ledger.rows("select * from endereco_ruim") == []
    assert states(banco) == {"P0": "recusada"}


@pytest.mark.parametrize(("recusas", "para"), [(9, False), (10, True)])
def test_too_many_refusals_in_a_row_stop_the_run(
    banco: Path, servidor: Servidor, caixa: Caixa, recusas: int, para: bool
) -> None:
    caixa.rcpt = {f"p{n}": "550 no" for n in range(recusas)}
    report = run(delivery(banco), servidor, *people(recusas + 2))
    assert (report.parada is not None) == para
    assert len(caixa.recebidas) == (0 if para else 2)
    if para:
        assert "mensagens seguidas" in str(report.parada)
        assert report.codigo_saida == 1


def test_a_refused_sender_stops_the_run(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.mail = ["553 5.1.8 who are you"]
    report = run(delivery(banco), servidor, *people(3))
    assert "recusou o remetente" in str(report.parada)
    assert set(states(banco).values()) == {"preparada"}
    run(delivery(banco), servidor, *people(3))
    assert len(caixa.recebidas) == 3


def test_a_message_too_big_is_refused_alone(banco: Path, caixa: Caixa) -> None:
    servidor = Servidor(caixa, data_size_limit=20_000)
    servidor.start()
    try:
        report = run(delivery(banco), servidor, message("P0", texto="x\n" * 20_000), *people(3)[1:])
    finally:
        servidor.stop()
    assert report.parada is None
    assert states(banco) == {"P0": "recusada", "P1": "enviada", "P2": "enviada"}


def test_a_published_copy_that_cannot_be_read_stops_the_sending(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    published_path(banco).write_bytes(b"nada" * 1000)
    report = run(delivery(banco), servidor, *people(2))
    assert "não pôde ser lida" in str(report.parada)
    assert caixa.recebidas == []


def test_dropped_before_the_body_it_goes_by_another_line(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.antes["p1"] = 1
    report = run(delivery(banco), servidor, *people(3))
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.conexoes, report.codigo_saida) == (3, 2, 0)
    assert set(caixa.ids().values()) == {1}


def test_one_that_always_drops_the_line_holds_nobody_up(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.antes["p1"] = 1000
    report = run(delivery(banco), servidor, *people(3))
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.adiadas) == (2, 1)
    assert caixa.tentativas["p1"] == 2 * FAST.tentativas


@pytest.mark.parametrize("quando", ["durante", "depois"])
def test_dropped_after_the_body_a_person_decides(banco: Path, servidor: Servidor, caixa: Caixa, quando: str) -> None:
    getattr(caixa, quando)["p1"] = 1
    todos = people(3)
    report = run(delivery(banco), servidor, *todos)
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.incertas, report.codigo_saida) == (2, 1, 1)
    antes = len(caixa.recebidas)
    for _ in range(2):
        run(delivery(banco), servidor, *todos)
    run(delivery(banco, as_of=None), servidor, message("P1", as_of=AS_OF))
    assert len(caixa.recebidas) == antes  # not sent again by itself
    assert states(banco)["P1"] == "incerta"
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        resolve(ledger, todos[1].chave, chegou=False, por="eu")
    run(delivery(banco), servidor, *todos)
    assert states(banco)["P1"] == "enviada"
    # The second copy carries the same Message-ID: whoever got both can tell.
    assert caixa.ids()[f"<{todos[1].chave}@prefeitura.test>"] == (2 if quando == "depois" else 1)


def test_no_answer_in_time_is_uncertain(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.lento["p1"] = 0.8
    report = run(delivery(banco), servidor, *people(3), espera_final=0.2)
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.incertas) == (2, 1)


def test_a_body_refused_for_now_was_not_taken(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    caixa.data["p1"] = "451 4.3.0 later"
    run(delivery(banco), servidor, *people(2))
    assert states(banco) == {"P0": "enviada", "P1": "preparada"}
    caixa.data.clear()
    run(delivery(banco), servidor, *people(2))
    assert set(caixa.ids().values()) == {1}
    assert len(caixa.recebidas) == 2


def test_nobody_at_the_server(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    config = servidor.server_config()
    porta_errada = type(config)("127.0.0.1", 1, "nenhuma", espera=1)
    report = deliver(delivery(banco), compose(*people(2)), porta_errada)
    assert "não foi possível conectar" in str(report.parada)
    assert report.codigo_saida == 1
    assert set(states(banco).values()) == {"preparada"}  # kept, and sent when it is back
    run(delivery(banco), servidor, *people(2))
    assert len(caixa.recebidas) == 2


@pytest.mark.parametrize(
    "agora",
    [
        None,  # cured, paid or waived: gone
        item("a-P1", situacao="a_vencer"),  # under judgment again
        item("a-P1", valor=Decimal("50.00")),
        item("a-P1", devido_em=AS_OF + timedelta(5)),
        item("a-P1", reaberta=1),
    ],
)
def test_a_finding_that_changed_since_is_withdrawn(
    banco: Path, servidor: Servidor, caixa: Caixa, agora: object
) -> None:
    itens = [item("a-P0")] + ([agora] if agora is not None else [])
    publish_findings(banco, itens)  # type: ignore[arg-type]
    report = run(delivery(banco), servidor, *people(2))
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.retiradas) == (1, 1)
    assert [quem for quem, _ in caixa.recebidas] == ["p0"]
    assert states(banco) == {"P0": "enviada", "P1": "suprimida"}


def test_a_finding_cured_while_sending_is_withdrawn(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    todos = people(4)
    publish_findings(banco, [m.itens[0] for m in todos])
    original = caixa.handle_DATA

    async def publica(*args: object) -> str:
        publish_findings(banco, [todos[0].itens[0], todos[1].itens[0]])
        return await original(*args)  # type: ignore[arg-type]

    caixa.handle_DATA = publica  # type: ignore[method-assign,assignment]
    run(delivery(banco), servidor, *todos)
    assert [quem for quem, _ in caixa.recebidas] == ["p0", "p1"]


@pytest.mark.parametrize(("depois", "sai"), [(0, True), (1, False)])
def test_another_finding_that_closed_since_makes_the_message_old(
    banco: Path, servidor: Servidor, caixa: Caixa, depois: int, sai: bool
) -> None:
    dia = AS_OF + timedelta(depois)
    publish_findings(banco, [item("a-P0"), item("a-P1")], dia, {"P1": dia, "P9": dia})
    run(delivery(banco), servidor, *people(2))
    assert [quem for quem, _ in caixa.recebidas] == (["p0", "p1"] if sai else ["p0"])


def test_an_older_copy_withdraws_nothing(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    publish_findings(banco, [], AS_OF - timedelta(1))
    run(delivery(banco), servidor, *people(2))
    assert len(caixa.recebidas) == 2


def test_the_kill_switch_of_a_norm(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    todos = [message("P1"), message("P2", normas=("408/2009",)), message("P3", normas=("408/2009", "825/2021"))]
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        pause(ledger, "825/2021", "eu", "liminar")
    report = run(delivery(banco), servidor, *todos)
    assert report.enviado is not None
    assert (report.enviado.enviadas, report.enviado.pausadas) == (1, 2)
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        assert resume(ledger, "825/2021")
        assert not resume(ledger, "825/2021")
    run(delivery(banco), servidor, *todos)
    assert [quem for quem, _ in caixa.recebidas] == ["p2", "p1", "p3"]


def test_the_kill_switch_works_from_another_process_during_a_sending(
    banco: Path, servidor: Servidor, caixa: Caixa
) -> None:
    original = caixa.handle_DATA

    async def pausa(*args: object) -> str:
        if len(caixa.recebidas) == 1:
            codigo = (
                "import sys; from flows.cli import main; main(['notify', 'pause', '*', '--warehouse', sys.argv[1]])"
            )
            subprocess.run([sys.executable, "-c", codigo, str(banco)], check=True, capture_output=True)
        return await original(*args)  # type: ignore[arg-type]

    caixa.handle_DATA = pausa  # type: ignore[method-assign,assignment]
    report = run(delivery(banco), servidor, *people(5), espera_final=60)
    assert report.enviado is not None
    assert (len(caixa.recebidas), report.enviado.pausadas) == (2, 3)


def test_logs_hold_no_name_and_no_address(
    banco: Path, servidor: Servidor, caixa: Caixa, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "emdia")
    caplog.set_level(logging.DEBUG, "yagmail.log")
    caixa.rcpt = {"p1": "550 no"}
    caixa.depois["p2"] = 1
    caixa.antes["p3"] = 1
    nome = "Maria\nBcc: x@y.z <script>"
    run(delivery(banco), servidor, *(message(f"P{n}", destinatario_nome=nome) for n in range(4)))
    nossas = [r.getMessage() for r in caplog.records if r.name != "mail.log" and r.name != "asyncio"]
    assert nossas
    for linha in nossas:
        assert "cidade.test" not in linha
        assert "Maria" not in linha
        assert "\n" not in linha


LIMITADO = """
import resource, signal, sys
from pathlib import Path
from notices.delivery.run import deliver
from notices.delivery.server import Server
from tests.notices.delivery.base import compose, delivery, message
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
banco, porta, limite = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limite, limite))
report = deliver(delivery(banco), compose(*(message(f"P{n}") for n in range(60))), Server("127.0.0.1", porta, "nenhuma"))
print(report.parada)
"""


def test_a_full_disk_stops_sending_and_loses_nothing(banco: Path, servidor: Servidor, caixa: Caixa) -> None:
    """The ledger's file may grow no further half-way: nothing leaves that could not be written down first."""
    todos = [message(f"P{n}") for n in range(60)]
    # Kept, not sent: nobody at the server. Then the ledger's log has room for some of the sendings alone.
    deliver(delivery(banco), compose(*todos), type(servidor.server_config())("127.0.0.1", 1, "nenhuma", espera=1))
    with Ledger(ledger_path(banco), Relogio()) as ledger:
        ledger.db.execute("pragma wal_checkpoint(truncate)")
    limite = 200_000
    ambiente = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    feito = subprocess.run(
        [sys.executable, "-c", LIMITADO, str(banco), str(servidor.porta), str(limite)],
        env=ambiente,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "encheu" in feito.stdout, feito.stdout + feito.stderr
    chegaram = len(caixa.recebidas)
    assert 0 < chegaram < 60
    report = run(delivery(banco), servidor, *todos)
    incertas = [q for q, e in states(banco).items() if e == "incerta"]
    assert report.interrompidas == len(incertas) <= 1
    assert set(caixa.ids().values()) == {1}
    assert len(caixa.recebidas) >= 60 - len(incertas)
    assert {"enviada", "incerta"} >= set(states(banco).values())


@pytest.mark.parametrize(("resta", "sai"), [(0, True), (-1, False)])
def test_an_open_term_stands_until_its_last_day(
    banco: Path, servidor: Servidor, caixa: Caixa, resta: int, sai: bool
) -> None:
    prazo = item("prazo-N1", "imediato", situacao=PRAZO_ABERTO, devido_em=AS_OF + timedelta(resta))
    publish_findings(banco, [])
    run(delivery(banco), servidor, message("P1", [prazo]))
    assert states(banco) == {"P1": "enviada" if sai else "suprimida"}
