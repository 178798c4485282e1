"""The line to the mail server: yagmail connects, encrypts and logs in; the transaction is ours to watch.

yagmail's own `send` is not used: it logs in anew for each message, sends again by itself after a dropped line, and
answers {} or False where an answer matters. What matters here is one instant: when the server asks for the body. A line
that falls before it lost nothing; one that falls after it leaves the message uncertain, and nobody may send it again
unasked.
"""

from __future__ import annotations

import contextlib
import smtplib
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import yagmail

from notices.delivery.server import Server

RECONNECTIONS = (0.0, 1.0, 5.0)  # seconds before each try to connect


class CannotConnect(Exception):
    """The server can't be reached or won't let us in; the message (Portuguese) says why, without the password."""


@dataclass(frozen=True)
class Answer:
    """What became of one message. `fase`: where the server spoke or the line fell.

    `fase` is `remetente`, `destinatario`, `dados` (DATA asked for) or `corpo`. `codigo` None: the line fell, or what
    came back was no answer.
    """

    fase: str
    codigo: int | None
    texto: str

    @property
    def accepted(self) -> bool:
        """The server has taken charge of the message."""
        return self.fase == "corpo" and self.codigo is not None and 200 <= self.codigo < 300

    @property
    def uncertain(self) -> bool:
        """The body was on its way and no answer came: it may have arrived."""
        return self.fase == "corpo" and self.codigo is None

    @property
    def dropped(self) -> bool:
        """The line fell, or the server is closing it (421), before the body: the message certainly stayed here."""
        return (self.fase != "corpo" and self.codigo is None) or self.codigo == 421

    @property
    def permanent(self) -> bool:
        """A no for good (5xx)."""
        return self.codigo is not None and self.codigo >= 500

    @property
    def too_big(self) -> bool:
        """The server won't take a message of that size (said to MAIL): nothing about the sender."""
        return self.fase == "remetente" and self.codigo == 552

    @property
    def policy(self) -> bool:
        """A no about who sends or what, not about the address (RFC 3463: class 7; also authentication, 530 and 535)."""
        return self.codigo in (530, 535, 538) or self.texto.startswith("5.7.")


class _Watched:
    """What an SMTP connection does besides: remember the phase and the last answer, and say when the body leaves."""

    espera_final: float
    antes_do_corpo: Callable[[], None] | None = None
    fase = "remetente"
    ultima: tuple[int, bytes] | None = None

    def rcpt(self, recip: str, options: Any = ()) -> tuple[int, bytes]:
        self.fase = "destinatario"
        return super().rcpt(recip, options)  # type: ignore[misc]

    def data(self, msg: Any) -> tuple[int, bytes]:
        """As smtplib's, with the caller told between the server's 354 and the first byte of the body."""
        self.fase = "dados"
        linha: Any = self
        linha.putcmd("data")
        codigo, texto = linha.getreply()
        if codigo != 354:
            raise smtplib.SMTPDataError(codigo, texto)
        if self.antes_do_corpo is not None:
            self.antes_do_corpo()
        self.fase = "corpo"
        linha.sock.settimeout(self.espera_final)
        corpo = smtplib._quote_periods(msg)  # type: ignore[attr-defined]
        linha.send(corpo + (b"" if corpo.endswith(b"\r\n") else b"\r\n") + b".\r\n")
        codigo, texto = linha.getreply()
        if not 200 <= codigo < 600:
            raise smtplib.SMTPServerDisconnected("no answer to the body")
        self.ultima = codigo, texto
        linha.sock.settimeout(linha.timeout)
        return self.ultima


class _Plain(_Watched, smtplib.SMTP):
    pass


class _Encrypted(_Watched, smtplib.SMTP_SSL):
    pass


class _Client(yagmail.SMTP):
    """yagmail, with connections that are watched."""

    @property
    def connection(self) -> type[smtplib.SMTP]:
        return _Encrypted if self.ssl else _Plain


class Transport:
    """One connection, opened when first needed and again when it falls; `por_conexao` messages each."""

    def __init__(self, server: Server, remetente: str, por_conexao: int = 100) -> None:
        self.server = server
        self.remetente = remetente
        self.por_conexao = por_conexao
        self.conexoes = 0
        self._client: Any = None
        self._nesta = 0

    def __enter__(self) -> Transport:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, para: str, conteudo: bytes, antes_do_corpo: Callable[[], None]) -> Answer:
        """Send these bytes to one address. `antes_do_corpo` is called when the server is ready for the body.

        If it raises, the line is cut with the body unsent, and the exception goes on. Raises `CannotConnect`.
        """
        if self._client is not None and self._nesta >= self.por_conexao:
            self.close()
        if self._client is None:
            self._connect()
        self._nesta += 1
        linha = self._client.smtp
        linha.antes_do_corpo, linha.fase, linha.ultima = antes_do_corpo, "remetente", None
        resposta: Answer | None = None
        try:
            linha.sendmail(self.remetente, [para], conteudo)
            codigo, texto = linha.ultima
            resposta = Answer("corpo", codigo, _text(texto))
        except smtplib.SMTPRecipientsRefused as erro:
            codigo, texto = erro.recipients[para]
            resposta = Answer("destinatario", codigo, _text(texto))
        except smtplib.SMTPSenderRefused as erro:
            resposta = Answer("remetente", erro.smtp_code, _text(erro.smtp_error))
        except smtplib.SMTPDataError as erro:
            # Said in answer to DATA itself it is a no to this message; nothing of it has left.
            resposta = Answer(linha.fase, erro.smtp_code, _text(erro.smtp_error))
        except (smtplib.SMTPException, OSError) as erro:
            if linha.ultima is not None:  # answered, and fell on the way out
                resposta = Answer("corpo", linha.ultima[0], _text(linha.ultima[1]))
            else:
                resposta = Answer(linha.fase, None, type(erro).__name__)
            self._drop()
        finally:
            if resposta is None:
                self._drop()
        if resposta.codigo == 421:
            self._drop()
        return resposta

    def _connect(self) -> None:
        for numero, espera in enumerate(RECONNECTIONS, 1):
            time.sleep(espera)
            try:
                self._client = self._open()
                return
            except (smtplib.SMTPAuthenticationError, smtplib.SMTPNotSupportedError, ssl.SSLError) as erro:
                raise CannotConnect(self._why(erro)) from None
            except (smtplib.SMTPException, OSError) as erro:
                if numero == len(RECONNECTIONS):
                    raise CannotConnect(self._why(erro)) from None

    def _open(self) -> Any:
        s = self.server
        tls = None if s.seguranca == "nenhuma" else s.tls()
        opcoes: dict[str, Any] = {"timeout": s.espera}
        if s.seguranca == "ssl":
            opcoes["context"] = tls
        cliente = _Client(
            user=self.remetente,
            password=s.senha or "",
            host=s.host,
            port=s.porta,
            smtp_ssl=s.seguranca == "ssl",
            smtp_starttls={"context": tls} if s.seguranca == "starttls" else False,
            smtp_skip_login=s.usuario is None,
            soft_email_validation=False,  # the address was checked by our own rule
            **opcoes,
        )
        cliente.set_logging(None)
        if s.usuario is not None:
            cliente.user = s.usuario  # as it is: yagmail would make a Gmail address of a login without @
        try:
            cliente.login()
        except BaseException:
            if cliente.smtp is not None:
                cliente.smtp.close()
            raise
        cliente.smtp.espera_final = s.espera_final
        self._nesta = 0
        self.conexoes += 1
        return cliente

    def _why(self, erro: Exception) -> str:
        onde = f"{self.server.host}:{self.server.porta}"
        if isinstance(erro, smtplib.SMTPAuthenticationError):
            return f"{onde} recusou o usuário ou a senha ({erro.smtp_code}). Confira EMDIA_SMTP_USER e a senha."
        if isinstance(erro, ssl.SSLCertVerificationError):
            return (
                f"o certificado de {onde} não é confiável ({erro.verify_message}). Nada foi enviado. "
                "Se a autoridade é própria, indique-a em EMDIA_SMTP_CAFILE."
            )
        if isinstance(erro, smtplib.SMTPNotSupportedError):
            return f"{onde} não oferece STARTTLS ou autenticação. Confira EMDIA_SMTP_SECURITY e a porta."
        return f"não foi possível conectar a {onde}: {type(erro).__name__}."

    def _drop(self) -> None:
        """Cut the line without a word: after a doubt there is nothing to say to it."""
        if self._client is not None:
            self._client.smtp.close()
            self._client.is_closed = True
        self._client = None

    def close(self) -> None:
        """Take leave of the server."""
        if self._client is not None:
            with contextlib.suppress(smtplib.SMTPException, OSError):
                self._client.close()
            self._drop()


def _text(resposta: bytes | str) -> str:
    """A server's answer on one line, at most 300 characters."""
    texto = resposta.decode("utf-8", "replace") if isinstance(resposta, bytes) else resposta
    return " ".join("".join(c if c.isprintable() else " " for c in texto).split())[:300]
