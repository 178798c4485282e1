"""What composing hands to delivering: one message, whole, with the steps of the findings it speaks of.

No clock, no connection, no template: plain values that both halves import.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

SEMANAL = "semanal"
IMEDIATO = "imediato"
ESCALADA = "escalada"
TIPOS = (SEMANAL, IMEDIATO, ESCALADA)

PRAZO_ABERTO = "prazo_aberto"
"""Situation of an item that is no finding: a term of defence or appeal, open until `devido_em`."""
# A step is told once per finding and recipient. 'semanal' and 'imediato' are the first word about a finding; the
# others are reminders by window, so that a missed night loses nothing ('depois_0': the days after the last day to act).
DEGRAUS = (
    "semanal",
    "imediato",
    "antes_30",
    "antes_15",
    "antes_7",
    "antes_1",
    "depois_0",
    "depois_1",
    "depois_2",
    "depois_4",
    "depois_8",
    "escalada",
)


@dataclass(frozen=True)
class Item:
    """One finding at one step. `devido_em` and `valor` (R$) are those of the finding on the as-of date.

    `reaberta` is the finding's own (how many times it came back): a fault that returns is told anew.
    """

    achado_id: str
    degrau: str
    verificacao: str
    norma: str
    situacao: str
    devido_em: date | None = None
    valor: Decimal | None = None
    reaberta: int = 0


@dataclass(frozen=True)
class Anexo:
    """A file that goes with the message: name, MIME type (`text/calendar`), content."""

    nome: str
    tipo_mime: str
    conteudo: bytes = field(repr=False)


@dataclass(frozen=True)
class Mensagem:
    """One e-mail to one recipient. Names and addresses stay out of `repr`, so that no log can show them.

    `chave` is deterministic (see `message_key`): the same notice composed twice has the same Message-ID.
    `destinatario_id` is the permissionario_id, or the authority's name for the lists.
    `destinatario_email` None: there is nobody to write to; the ledger lists it to be fixed.
    """

    tipo: str
    chave: str
    normas: tuple[str, ...]
    destinatario_id: str
    destinatario_nome: str = field(repr=False)
    destinatario_email: str | None = field(repr=False)
    assunto: str = field(repr=False)
    texto: str = field(repr=False)
    html: str = field(repr=False)
    as_of: date
    itens: tuple[Item, ...] = ()
    anexos: tuple[Anexo, ...] = ()


def message_key(tipo: str, destinatario_id: str, as_of: date, itens: Iterable[Item]) -> str:
    """`tipo-as_of-hash`: of the kind, the recipient, the date, the findings' steps and openings, in any order."""
    partes = sorted(f"{i.achado_id}\x1f{i.degrau}\x1f{i.reaberta}" for i in itens)
    texto = "\x1e".join([tipo, destinatario_id, as_of.isoformat(), *partes])
    return f"{tipo}-{as_of:%Y%m%d}-{hashlib.sha256(texto.encode()).hexdigest()[:24]}"
