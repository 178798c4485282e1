"""The dates of a notice as an iCalendar file (RFC 5545): all-day events, the same UID for the same finding."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from notices.compose.text import one_line

FOLD = 75  # octets a line, without its end
DAYS_BEFORE = (7, 1)  # when the phone rings, at nine in the morning


@dataclass(frozen=True)
class Event:
    """One last day to act. `chave` identifies it for ever: what the UID comes from."""

    chave: str
    dia: date
    titulo: str
    descricao: str


def calendar_file(eventos: Iterable[Event], as_of: date) -> bytes:
    """The file, CRLF lines folded at 75 octets. The same events give the same bytes."""
    linhas = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//emdia//avisos//PT",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        *(linha for evento in eventos for linha in _event(evento, as_of)),
        "END:VCALENDAR",
    ]
    return b"".join(part + b"\r\n" for linha in linhas for part in _fold(linha))


def _event(e: Event, as_of: date) -> Iterator[str]:
    titulo, descricao = _text(one_line(e.titulo, 200)), _text(one_line(e.descricao, 1000))
    yield "BEGIN:VEVENT"
    yield f"UID:{hashlib.sha256(e.chave.encode()).hexdigest()[:32]}@emdia"
    yield f"DTSTAMP:{as_of:%Y%m%d}T000000Z"
    yield f"SEQUENCE:{as_of.toordinal()}"  # a later notice replaces the event of an earlier one
    yield f"DTSTART;VALUE=DATE:{e.dia:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{e.dia + timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{titulo}"
    yield f"DESCRIPTION:{descricao}"
    yield "TRANSP:TRANSPARENT"
    for dias in DAYS_BEFORE:
        if e.dia - timedelta(days=dias) > as_of:
            yield "BEGIN:VALARM"
            yield "ACTION:DISPLAY"
            yield f"TRIGGER:-P{dias - 1}DT15H" if dias > 1 else "TRIGGER:-PT15H"
            yield f"DESCRIPTION:{titulo}"
            yield "END:VALARM"
    yield "END:VEVENT"


def _text(value: str) -> str:
    """A TEXT value: backslash, semicolon, comma and line ends escaped."""
    escapado = value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return escapado.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n")


def _fold(linha: str) -> Iterator[bytes]:
    """Pieces of at most 75 octets, never inside a character; every one but the first starts with a space."""
    dados = linha.encode("utf-8", "replace")
    inicio, largura = 0, FOLD
    while len(dados) - inicio > largura:
        fim = inicio + largura
        while dados[fim] & 0xC0 == 0x80:
            fim -= 1
        yield (b" " if inicio else b"") + dados[inicio:fim]
        inicio, largura = fim, FOLD - 1
    yield (b" " if inicio else b"") + dados[inicio:]
