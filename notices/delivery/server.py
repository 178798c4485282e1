"""The mail server: where it is and how to log in. From the environment alone, never from a file, never in a log."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

SEGURANCAS = ("starttls", "ssl", "nenhuma")
PORTS = {"starttls": 587, "ssl": 465, "nenhuma": 25}


class ServerError(Exception):
    """The server isn't configured, or not safely; the message (Portuguese) says what to set."""


@dataclass(frozen=True)
class Server:
    """How to reach and enter the server. Times in seconds; `senha` never shows.

    `espera` is for each command; `espera_final` for the answer after the body, where giving up early would leave the
    message uncertain (RFC 5321 asks for ten minutes).
    """

    host: str
    porta: int
    seguranca: str = "starttls"
    usuario: str | None = None
    senha: str | None = field(default=None, repr=False)
    cafile: Path | None = None
    espera: float = 30
    espera_final: float = 600

    def tls(self) -> ssl.SSLContext:
        """A context that checks the certificate and the name in it."""
        return ssl.create_default_context(cafile=str(self.cafile) if self.cafile else None)


def read_server(ambiente: Mapping[str, str], secreto: Callable[[str], str]) -> Server:
    """The server of EMDIA_SMTP_HOST, _PORT, _SECURITY (starttls, ssl, nenhuma), _USER, _PASSWORD, _CAFILE, _TIMEOUT.

    With EMDIA_SMTP_PASSWORD_BLOCK the password is what `secreto` gives for that name (a Prefect Secret block).
    """
    valor = {k.removeprefix("EMDIA_SMTP_"): v for k, v in ambiente.items() if k.startswith("EMDIA_SMTP_") and v}
    host = valor.get("HOST")
    if not host:
        raise ServerError(
            "falta o servidor de correio: defina EMDIA_SMTP_HOST (e EMDIA_SMTP_USER, EMDIA_SMTP_PASSWORD)."
        )
    seguranca = valor.get("SECURITY", "starttls").lower()
    if seguranca not in SEGURANCAS:
        raise ServerError(f"EMDIA_SMTP_SECURITY: use {', '.join(SEGURANCAS)}.")
    usuario, bloco = valor.get("USER"), valor.get("PASSWORD_BLOCK")
    senha = secreto(bloco) if bloco and usuario else valor.get("PASSWORD")
    if usuario and not senha:
        raise ServerError(
            "EMDIA_SMTP_USER está definido e a senha não: EMDIA_SMTP_PASSWORD ou EMDIA_SMTP_PASSWORD_BLOCK."
        )
    if seguranca == "nenhuma" and (usuario or not _here(host)):
        raise ServerError(
            "EMDIA_SMTP_SECURITY=nenhuma só serve para um servidor desta máquina e sem senha; use starttls ou ssl."
        )
    return Server(
        host,
        int(_number("PORT", valor, PORTS[seguranca])),
        seguranca,
        usuario,
        senha,
        _file(valor.get("CAFILE")),
        _number("TIMEOUT", valor, 30),
        _number("FINAL_TIMEOUT", valor, 600),
    )


def missing_settings(ambiente: Mapping[str, str]) -> list[str]:
    """Names of the EMDIA_SMTP_* that sending would miss. Looks at whether they are there, not at what they say."""
    faltam = [] if ambiente.get("EMDIA_SMTP_HOST") else ["EMDIA_SMTP_HOST"]
    senha = any(ambiente.get(f"EMDIA_SMTP_{nome}") for nome in ("PASSWORD", "PASSWORD_BLOCK"))
    if ambiente.get("EMDIA_SMTP_USER") and not senha:
        faltam.append("EMDIA_SMTP_PASSWORD ou EMDIA_SMTP_PASSWORD_BLOCK")
    return faltam


def _here(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _number(nome: str, valor: Mapping[str, str], padrao: float) -> float:
    try:
        numero = float(valor.get(nome, padrao))
    except ValueError:
        numero = 0
    if numero <= 0:
        raise ServerError(f"EMDIA_SMTP_{nome}: «{valor.get(nome)}» não é um número maior que zero.")
    return numero


def _file(caminho: str | None) -> Path | None:
    if caminho and not Path(caminho).is_file():
        raise ServerError(f"EMDIA_SMTP_CAFILE: {caminho} não existe.")
    return Path(caminho) if caminho else None
