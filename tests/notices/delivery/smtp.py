"""A real SMTP server on loopback that can refuse, drop the line and dawdle, and a certificate of its own."""

from __future__ import annotations

import asyncio
import email
import ssl
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session, syntax

from notices.delivery.server import Server

USUARIO, SENHA = "avisos", "segredo-de-teste"


@dataclass
class Caixa:
    """What arrived, and what is to go wrong, by recipient's local part.

    `rcpt`, `data`: answers to give instead. `antes`, `durante`, `depois`: how many times to drop the line before DATA,
    after asking for the body, after taking it. `lento`: seconds before answering the body.
    """

    rcpt: dict[str, str] = field(default_factory=dict)
    mail: list[str] = field(default_factory=list)
    data: dict[str, str] = field(default_factory=dict)
    antes: Counter[str] = field(default_factory=Counter)
    durante: Counter[str] = field(default_factory=Counter)
    depois: Counter[str] = field(default_factory=Counter)
    lento: dict[str, float] = field(default_factory=dict)
    recebidas: list[tuple[str, bytes]] = field(default_factory=list)
    tentativas: Counter[str] = field(default_factory=Counter)
    conexoes: int = 0
    despedidas: int = 0
    logins: list[str] = field(default_factory=list)

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.mail:
            return self.mail.pop(0)
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        quem = address.split("@")[0]
        self.tentativas[quem] += 1
        if self.antes[quem] > 0:
            self.antes[quem] -= 1
            server.transport.abort()
        resposta = self.rcpt.get(quem, "250 OK")
        if resposta.startswith("2"):
            envelope.rcpt_tos.append(address)
        return resposta

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        quem = envelope.rcpt_tos[0].split("@")[0]
        if quem in self.lento:
            await asyncio.sleep(self.lento[quem])
        if quem in self.data:
            return self.data[quem]
        assert isinstance(envelope.original_content, bytes)
        self.recebidas.append((quem, envelope.original_content))
        if self.depois[quem] > 0:
            self.depois[quem] -= 1
            server.transport.abort()
        return f"250 2.0.0 guardada como {len(self.recebidas)}"

    async def handle_QUIT(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.despedidas += 1
        return "221 bye"

    def ids(self) -> Counter[str]:
        """How many times each Message-ID arrived."""
        return Counter(str(email.message_from_bytes(m)["Message-ID"]) for _, m in self.recebidas)


class _Smtp(SMTP):
    def connection_made(self, transport: Any) -> None:
        if not isinstance(transport, asyncio.sslproto._SSLProtocolTransport) or self.transport is None:
            self.event_handler.conexoes += 1
        super().connection_made(transport)

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:
        quem = self.envelope.rcpt_tos[0].split("@")[0] if self.envelope.rcpt_tos else ""
        if self.event_handler.durante[quem] > 0:
            self.event_handler.durante[quem] -= 1
            await self.push("354 manda")
            self.transport.abort()
            return
        await super().smtp_DATA(arg)


class Servidor(Controller):
    """The server. With `tls` it offers STARTTLS and wants the login of this module."""

    def __init__(self, caixa: Caixa, tls: ssl.SSLContext | None = None, **opcoes: Any) -> None:
        self.caixa = caixa
        self.tls = tls
        self.opcoes = opcoes
        super().__init__(caixa, hostname="127.0.0.1", port=0, ready_timeout=10)

    def factory(self) -> SMTP:
        exige: dict[str, Any] = {}
        if self.tls is not None:
            exige = {
                "tls_context": self.tls,
                "require_starttls": True,
                "authenticator": self._login,
                "auth_required": True,
            }
        return _Smtp(self.caixa, hostname="correio.test", **{**exige, **self.opcoes})

    def _login(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, dados: Any) -> AuthResult:
        certo = dados.login == USUARIO.encode() and dados.password == SENHA.encode()
        self.caixa.logins.append(dados.login.decode())
        return AuthResult(success=certo, handled=False)

    @property
    def porta(self) -> int:
        assert self.server is not None
        return int(self.server.sockets[0].getsockname()[1])

    def server_config(self, **campos: Any) -> Server:
        """How to reach it."""
        padrao: dict[str, Any] = {"seguranca": "nenhuma", "espera": 5, "espera_final": 5}
        return Server("127.0.0.1", self.porta, **{**padrao, **campos})

    def _trigger_server(self) -> None:
        """aiosmtpd knocks on its own port to see whether it is up: port 0 is not one, and the knock doesn't count."""
        self.port = self.porta
        super()._trigger_server()

    def start(self) -> None:
        super().start()
        self.caixa.conexoes = 0


def certificate(pasta: Path, nome: str = "IP:127.0.0.1") -> tuple[Path, Path]:
    """A self-signed certificate for the name, and its key."""
    cert, chave = pasta / "cert.pem", pasta / "chave.pem"
    opcoes = (
        f"-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=correio.test"
        f" -addext subjectAltName={nome} -keyout {chave} -out {cert}"
    )
    subprocess.run(
        ["openssl", "req", "-x509", *opcoes.split()],
        check=True,
        capture_output=True,
    )
    return cert, chave


def tls_context(cert: Path, chave: Path) -> ssl.SSLContext:
    """The server's side."""
    contexto = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    contexto.load_cert_chain(cert, chave)
    return contexto
