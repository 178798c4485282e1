"""A composed message as the bytes that go through the line, and that are kept as proof.

Put together here from the standard library's encoders: its own message classes take twenty times as long, and pick
their boundaries at random, so that no two copies would be alike. Tests read the result back with those classes.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import encode_rfc2231, format_datetime

from notices.delivery.addresses import SUBJECT_LIMIT, header_name, header_text, valid_address
from notices.model import Anexo, Mensagem

SEM_REMETENTE = "avisos@exemplo.invalid"
"""Sender of what is only looked at, where none is configured."""


@dataclass(frozen=True)
class Sender:
    """Who the message comes from: address, visible name, and where answers go."""

    endereco: str
    nome: str = ""
    responder_a: str | None = None


def valid_sender(endereco: str | None, nome: str, responder_a: str | None) -> Sender | None:
    """The sender of the settings, or None when the address is missing or can't be one."""
    remetente = valid_address(endereco)
    return Sender(remetente, nome, valid_address(responder_a)) if remetente else None


def message_id(chave: str, remetente: str) -> str:
    """The Message-ID: the same for the same notice, so that a second copy can be known for what it is."""
    return f"<{chave}@{remetente.rpartition('@')[2]}>"


def build_eml(mensagem: Mensagem, endereco: str | None, de: Sender, em: datetime) -> bytes:
    """The whole message, CRLF lines, 7 bits. `em`: the instant of the Date header, with time zone."""
    marca = hashlib.sha256(mensagem.chave.encode()).hexdigest()[:24]
    tipo, corpo = _multipart(
        "alternative", f"=_a_{marca}", [_text("plain", mensagem.texto), _text("html", mensagem.html)]
    )
    if mensagem.anexos:
        partes = [_head({"Content-Type": tipo}) + b"\r\n" + corpo, *map(_attachment, mensagem.anexos)]
        tipo, corpo = _multipart("mixed", f"=_m_{marca}", partes)
    cabecalho = {"From": _mailbox(de.nome, de.endereco)}
    if endereco:
        cabecalho["To"] = _mailbox(mensagem.destinatario_nome, endereco)
    if de.responder_a:
        cabecalho["Reply-To"] = de.responder_a
    cabecalho |= {
        "Subject": _words(header_text(mensagem.assunto, SUBJECT_LIMIT), len("Subject: ")),
        "Date": format_datetime(em),
        "Message-ID": message_id(mensagem.chave, de.endereco),
        "MIME-Version": "1.0",
        "Auto-Submitted": "auto-generated",
        "Content-Language": "pt-BR",
        "Content-Type": tipo,
    }
    return _head(cabecalho) + b"\r\n" + corpo


def _head(campos: dict[str, str]) -> bytes:
    linhas = [f"{nome}: {valor}" for nome, valor in campos.items()]
    return ("\r\n".join(linhas) + "\r\n").encode("ascii")


def _mailbox(nome: str, endereco: str) -> str:
    """`"Nome" <endereco>`; the name has lost whatever could end its quotes."""
    limpo = header_name(nome)
    if not limpo:
        return endereco
    visivel = f'"{limpo}"' if _plain(limpo) else _words(limpo, len("Reply-To: "))
    return f"{visivel}\r\n <{endereco}>"


def _words(texto: str, ja: int) -> str:
    """Text for a header (RFC 2047), folded; `ja` is how much of the first line is taken."""
    if _plain(texto) and len(texto) + ja <= 76:
        return texto
    return Header(texto, "utf-8", maxlinelen=76, header_name="x" * ja).encode(linesep="\r\n")


def _plain(texto: str) -> bool:
    """Needs no encoding, and can't be taken for something encoded."""
    return texto.isascii() and "=?" not in texto


def _text(subtipo: str, texto: str) -> bytes:
    """A text part in quoted-printable: readable as it stands."""
    linhas = "\r\n".join(texto.splitlines()) + "\r\n"
    corpo = binascii.b2a_qp(linhas.encode("utf-8", "replace"), istext=True)
    return (
        f'Content-Type: text/{subtipo}; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    ).encode() + corpo


def _attachment(anexo: Anexo) -> bytes:
    tipo = anexo.tipo_mime + ("; charset=utf-8" if anexo.tipo_mime.startswith("text/") else "")
    nome = encode_rfc2231(header_text(re.sub(r'[/\\"]', "-", anexo.nome), 60), "utf-8")
    cabecalho = {
        "Content-Type": tipo,
        "Content-Transfer-Encoding": "base64",
        "Content-Disposition": f"attachment;\r\n filename*={nome}",
    }
    return _head(cabecalho) + b"\r\n" + base64.encodebytes(anexo.conteudo).replace(b"\n", b"\r\n")


def _multipart(subtipo: str, limite: str, partes: list[bytes]) -> tuple[str, bytes]:
    """Its Content-Type, and the body. A `=_` can't occur in quoted-printable nor base64, so the boundary is safe."""
    linha = f"--{limite}".encode()
    corpo = b"".join(linha + b"\r\n" + parte + b"\r\n" for parte in partes)
    return f'multipart/{subtipo}; boundary="{limite}"', corpo + linha + b"--\r\n"
