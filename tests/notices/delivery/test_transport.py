"""The line, against a real server on loopback: what yagmail would do wrong, and what a falling line means."""

from __future__ import annotations

import logging
import socket
import time
from pathlib import Path

import pytest

from notices.delivery.eml import build_eml
from notices.delivery.server import Server
from notices.delivery.transport import Answer, CannotConnect, Transport
from tests.notices.delivery.base import DE, Relogio, message
from tests.notices.delivery.smtp import SENHA, USUARIO, Caixa, Servidor, certificate, tls_context


def send(t: Transport, quem: str, partiu: list[str] | None = None) -> Answer:
    eml = build_eml(message(quem), f"{quem}@cidade.test", DE, Relogio()())
    return t.send(f"{quem}@cidade.test", eml, lambda: (partiu if partiu is not None else []).append(quem))


def transport(servidor: Servidor, por_conexao: int = 100, **campos: object) -> Transport:
    return Transport(servidor.server_config(**campos), DE.endereco, por_conexao)


def test_many_messages_one_connection_and_a_farewell(servidor: Servidor, caixa: Caixa) -> None:
    with transport(servidor) as t:
        respostas = [send(t, f"p{n}") for n in range(5)]
    assert all(r.accepted for r in respostas)
    assert respostas[2].texto == "2.0.0 guardada como 3"  # the server's own words are kept
    assert (caixa.conexoes, caixa.despedidas) == (1, 1)


def test_a_connection_carries_only_so_many(servidor: Servidor, caixa: Caixa) -> None:
    with transport(servidor, por_conexao=2) as t:
        for n in range(5):
            send(t, f"p{n}")
    assert (caixa.conexoes, caixa.despedidas, len(caixa.recebidas)) == (3, 3, 5)


def test_what_goes_through_the_line_is_what_was_built(servidor: Servidor, caixa: Caixa) -> None:
    eml = build_eml(message("p1", texto=".\n..\n.fim\n"), "p1@cidade.test", DE, Relogio()())
    with transport(servidor) as t:
        t.send("p1@cidade.test", eml, lambda: None)
    assert caixa.recebidas == [("p1", eml)]


def test_contents_that_name_a_file_are_text(servidor: Servidor, caixa: Caixa, tmp_path: Path) -> None:
    segredo = tmp_path / "segredo.txt"
    segredo.write_text("conteudo-do-arquivo")
    m = message("p1", texto=str(segredo), html=str(segredo), assunto=str(segredo))
    with transport(servidor) as t:
        t.send("p1@cidade.test", build_eml(m, "p1@cidade.test", DE, Relogio()()), lambda: None)
    assert b"conteudo-do-arquivo" not in caixa.recebidas[0][1]


def test_starttls_and_login_without_at_sign(
    servidor_tls: Servidor, caixa: Caixa, certificado: tuple[Path, Path]
) -> None:
    with transport(servidor_tls, seguranca="starttls", usuario=USUARIO, senha=SENHA, cafile=certificado[0]) as t:
        assert send(t, "p1").accepted
    assert caixa.logins == [USUARIO]  # not avisos@gmail.com


def test_wrong_password_stops_at_once_and_stays_unsaid(
    servidor_tls: Servidor, caixa: Caixa, certificado: tuple[Path, Path], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    t = transport(servidor_tls, seguranca="starttls", usuario=USUARIO, senha="outra-senha", cafile=certificado[0])
    with pytest.raises(CannotConnect, match="recusou o usuário ou a senha") as erro:
        send(t, "p1")
    assert "outra-senha" not in str(erro.value) + caplog.text + repr(t.server)
    assert len(set(caixa.logins)) == 1
    assert caixa.recebidas == []


def test_unknown_certificate_is_refused(servidor_tls: Servidor, caixa: Caixa) -> None:
    with pytest.raises(CannotConnect, match=r"certificado .* não é confiável"):
        send(transport(servidor_tls, seguranca="starttls", usuario=USUARIO, senha=SENHA), "p1")
    assert caixa.logins == caixa.recebidas == []


def test_certificate_of_another_name_is_refused(caixa: Caixa, tmp_path: Path) -> None:
    cert, chave = certificate(tmp_path, "DNS:outro.test")
    servidor = Servidor(caixa, tls_context(cert, chave))
    servidor.start()
    try:
        with pytest.raises(CannotConnect, match="certificado"):
            send(transport(servidor, seguranca="starttls", usuario=USUARIO, senha=SENHA, cafile=cert), "p1")
    finally:
        servidor.stop()
    assert caixa.logins == []


def test_no_starttls_no_sending(servidor: Servidor, caixa: Caixa) -> None:
    with pytest.raises(CannotConnect, match="não oferece STARTTLS"):
        send(transport(servidor, seguranca="starttls"), "p1")
    assert caixa.recebidas == []


def test_implicit_tls(caixa: Caixa, certificado: tuple[Path, Path]) -> None:
    servidor = Servidor(caixa)
    servidor.ssl_context = tls_context(*certificado)
    servidor.start()
    try:
        with transport(servidor, seguranca="ssl", cafile=certificado[0]) as t:
            assert send(t, "p1").accepted
        with pytest.raises(CannotConnect, match="certificado"):
            send(transport(servidor, seguranca="ssl"), "p2")
    finally:
        servidor.stop()


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("notices.delivery.transport.RECONNECTIONS", (0.0, 0.0))
    with socket.socket() as ocupada:  # bound and not listening: nobody answers
        ocupada.bind(("127.0.0.1", 0))
        server = Server("127.0.0.1", ocupada.getsockname()[1], "nenhuma", espera=2)
        with pytest.raises(CannotConnect, match="não foi possível conectar"):
            send(Transport(server, DE.endereco), "p1")


def test_line_dropped_before_the_body(servidor: Servidor, caixa: Caixa) -> None:
    caixa.antes["p1"] = 1
    partiu: list[str] = []
    with transport(servidor) as t:
        resposta = send(t, "p1", partiu)
        assert resposta.dropped
        assert not resposta.uncertain
        assert partiu == []  # nothing had left
        assert send(t, "p1").accepted  # a new line, when asked to
    assert (caixa.conexoes, len(caixa.recebidas)) == (2, 1)


@pytest.mark.parametrize("quando", ["durante", "depois"])
def test_line_dropped_after_the_body_is_uncertain_and_not_tried_again(
    servidor: Servidor, caixa: Caixa, quando: str
) -> None:
    getattr(caixa, quando)["p1"] = 1
    partiu: list[str] = []
    inicio = time.monotonic()
    with transport(servidor) as t:
        resposta = send(t, "p1", partiu)
    assert resposta.uncertain
    assert not resposta.dropped
    assert partiu == ["p1"]
    assert caixa.tentativas["p1"] == 1
    assert len(caixa.recebidas) == (1 if quando == "depois" else 0)
    assert time.monotonic() - inicio < 2.5  # yagmail's own way: three tries and 18 s


def test_a_slow_answer_is_waited_for_and_too_slow_a_one_is_uncertain(servidor: Servidor, caixa: Caixa) -> None:
    caixa.lento = {"p1": 0.6, "p2": 1.5}
    with transport(servidor, espera=0.3, espera_final=1) as t:
        assert send(t, "p1").accepted
        assert send(t, "p2").uncertain
        assert send(t, "p3").accepted


@pytest.mark.parametrize(
    ("onde", "resposta", "fase", "permanente"),
    [
        ("rcpt", "450 4.2.0 cheia agora", "destinatario", False),
        ("rcpt", "550 5.1.1 no such user", "destinatario", True),
        ("data", "451 4.7.1 mais tarde", "corpo", False),
        ("data", "554 5.6.0 not like this", "corpo", True),
        ("mail", "452 4.3.1 no space", "remetente", False),
        ("mail", "553 5.1.8 remetente", "remetente", True),
    ],
)
def test_refusals(servidor: Servidor, caixa: Caixa, onde: str, resposta: str, fase: str, permanente: bool) -> None:
    if onde == "mail":
        caixa.mail = [resposta]
    else:
        setattr(caixa, onde, {"p1": resposta})
    with transport(servidor) as t:
        dito = send(t, "p1")
        assert (dito.fase, dito.permanent, dito.codigo) == (fase, permanente, int(resposta[:3]))
        assert dito.texto == resposta[4:]
        assert not (dito.accepted or dito.uncertain or dito.dropped)
        assert send(t, "p2").accepted
    assert caixa.conexoes == 1  # the line goes on


def test_a_server_that_is_closing_has_not_taken_the_message(servidor: Servidor, caixa: Caixa) -> None:
    caixa.rcpt = {"p1": "421 4.3.2 fechando"}
    with transport(servidor) as t:
        assert send(t, "p1").dropped
        assert send(t, "p2").accepted
    assert caixa.conexoes == 2


def test_if_it_cannot_be_written_down_it_does_not_leave(servidor: Servidor, caixa: Caixa) -> None:
    def disco_cheio() -> None:
        raise RuntimeError("disco")

    eml = build_eml(message("p1"), "p1@cidade.test", DE, Relogio()())
    with transport(servidor) as t:
        with pytest.raises(RuntimeError, match="disco"):
            t.send("p1@cidade.test", eml, disco_cheio)
        assert send(t, "p2").accepted
    assert [quem for quem, _ in caixa.recebidas] == ["p2"]
