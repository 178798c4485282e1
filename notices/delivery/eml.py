"""A composed message as the bytes that go through the line, and that are kept as proof."""

from __future__ import annotations

import binascii
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.policy import SMTP
from email.utils import format_datetime

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


def message_id(chave: str, remetente: str) -> str:
    """The Message-ID: the same for the same notice, so that a second copy can be known for what it is."""
    return f"<{chave}@{remetente.rpartition('@')[2]}>"


def build_eml(mensagem: Mensagem, endereco: str | None, de: Sender, em: datetime) -> bytes:
    """The whole message, CRLF lines, 7 bits. `em`: the instant of the Date header, with time zone."""
    raiz = EmailMessage(policy=SMTP)
    raiz["From"] = Address(header_name(de.nome), addr_spec=de.endereco)
    if endereco:
        raiz["To"] = Address(header_name(mensagem.destinatario_nome), addr_spec=endereco)
    if de.responder_a:
        raiz["Reply-To"] = Address(addr_spec=de.responder_a)
    raiz["Subject"] = header_text(mensagem.assunto, SUBJECT_LIMIT)
    raiz["Date"] = format_datetime(em)
    raiz["Message-ID"] = message_id(mensagem.chave, de.endereco)
    raiz["MIME-Version"] = "1.0"
    raiz["Auto-Submitted"] = "auto-generated"
    raiz["Content-Language"] = "pt-BR"
    corpo = _multipart("alternative", [_text("plain", mensagem.texto), _text("html", mensagem.html)])
    partes = [corpo, *map(_attachment, mensagem.anexos)]
    conteudo = _multipart("mixed", partes) if mensagem.anexos else corpo
    raiz["Content-Type"] = str(conteudo["Content-Type"])
    raiz.set_payload(conteudo.get_payload())
    return raiz.as_bytes()


def _text(subtipo: str, texto: str) -> MIMEPart:
    """A text part in quoted-printable: readable as it stands, and by far faster than the library's own choice."""
    parte = MIMEPart(policy=SMTP)
    parte["Content-Type"] = f'text/{subtipo}; charset="utf-8"'
    parte["Content-Transfer-Encoding"] = "quoted-printable"
    linhas = "\n".join(texto.splitlines()) + "\n"
    parte.set_payload(binascii.b2a_qp(linhas.encode("utf-8", "replace"), istext=True).decode("ascii"))
    return parte


def _attachment(anexo: Anexo) -> MIMEPart:
    parte = MIMEPart(policy=SMTP)
    principal, _, subtipo = anexo.tipo_mime.partition("/")
    parte.set_content(
        anexo.conteudo,
        maintype=principal,
        subtype=subtipo,
        disposition="attachment",
        filename=header_text(anexo.nome, 100),
    )
    if principal == "text":
        parte.set_param("charset", "utf-8")
    return parte


def _multipart(subtipo: str, partes: list[MIMEPart]) -> MIMEPart:
    todo = MIMEPart(policy=SMTP)
    todo["Content-Type"] = f"multipart/{subtipo}"
    for parte in partes:
        todo.attach(parte)
    return todo


def valid_sender(endereco: str | None, nome: str, responder_a: str | None) -> Sender | None:
    """The sender of the settings, or None when the address is missing or can't be one."""
    remetente = valid_address(endereco)
    return Sender(remetente, nome, valid_address(responder_a)) if remetente else None
