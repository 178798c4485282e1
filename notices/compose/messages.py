"""Weekly and immediate notices: one message per operator, composed from the warehouse, sent by nobody here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import duckdb

from data.loader import load_norms
from data.model import Norm
from notices.compose.agenda import Event, calendar_file
from notices.compose.attached import LIST_NAME, attached_list
from notices.compose.facts import open_night, stale_sources
from notices.compose.fees import FeeTable
from notices.compose.gather import Gathered, gather
from notices.compose.notice import Notice
from notices.compose.render import render_notice
from notices.compose.settings import ComposeSettings
from notices.compose.text import one_line
from notices.compose.view import build_notice
from notices.model import IMEDIATO, SEMANAL, Anexo, Item, Mensagem, message_key
from reports.formats import date_br

CALENDAR_NAME = "prazos.ics"


def weekly_messages(
    con: duckdb.DuckDBPyConnection, as_of: date, settings: ComposeSettings, norms: Sequence[Norm] | None = None
) -> Iterator[Mensagem]:
    """The week's notices: every operator with a step due, told everything that is open.

    `con`: the warehouse, open for reading; its temporary table `entregue`, where there is one, says what was told.
    `norms`: those of the municipality (the product's own otherwise), for the fees. The same warehouse and the same
    deliveries give the same bytes. Raises `ComposeError`. Leave `con` alone until the first message is there.
    """
    return _messages(con, as_of, settings, norms, SEMANAL)


def immediate_messages(
    con: duckdb.DuckDBPyConnection, as_of: date, settings: ComposeSettings, norms: Sequence[Norm] | None = None
) -> Iterator[Mensagem]:
    """What can't wait for the weekly notice (`ComposeSettings.imediato_*`), as `weekly_messages`."""
    return _messages(con, as_of, settings, norms, IMEDIATO)


def _messages(
    con: duckdb.DuckDBPyConnection,
    as_of: date,
    settings: ComposeSettings,
    norms: Sequence[Norm] | None,
    tipo: str,
) -> Iterator[Mensagem]:
    night = open_night(con, as_of)
    taxas = FeeTable(load_norms() if norms is None else norms, as_of)
    defasados = tuple(
        f"{s.extrato}: dados de {date_br(s.de)}" if s.de else f"{s.extrato}: não recebido"
        for s in stale_sources(con, night)
    )
    for quem in gather(con, night, settings, urgente=tipo == IMEDIATO):
        yield _message(quem, as_of, settings, taxas, defasados, tipo)


def _message(
    quem: Gathered, as_of: date, settings: ComposeSettings, taxas: FeeTable, defasados: tuple[str, ...], tipo: str
) -> Mensagem:
    titular = quem.titular
    norma = titular["norma"]
    notice = build_notice(
        titular,
        quem.linhas,
        as_of=as_of,
        urgente=tipo == IMEDIATO,
        taxas=taxas,
        contato=_contact(titular, settings),
        assinatura=settings.assinatura,
        defasados=defasados,
        limite=settings.linhas_por_cartao,
    )
    itens = tuple(_item(r, tipo) for r in quem.linhas if r["devido"])
    assunto = subject_line(notice)
    anexos = []
    eventos = list(_events(notice))
    if eventos:
        anexos.append(Anexo(CALENDAR_NAME, "text/calendar", calendar_file(eventos, as_of)))
    cortado = any(c.mais for s in notice.secoes for c in s.cartoes)
    if cortado:
        anexos.append(Anexo(LIST_NAME, "text/csv", attached_list(notice)))
    texto, html = render_notice(
        notice,
        assunto,
        settings.linhas_por_cartao,
        CALENDAR_NAME if eventos else None,
        LIST_NAME if cortado else None,
    )
    return Mensagem(
        tipo=tipo,
        chave=message_key(tipo, titular["permissionario_id"], as_of, itens),
        normas=(norma,),
        destinatario_id=titular["permissionario_id"],
        destinatario_nome=titular["nome"] or "",
        destinatario_email=titular["email"],
        assunto=assunto,
        texto=texto,
        html=html,
        as_of=as_of,
        itens=itens,
        anexos=tuple(anexos),
    )


def subject_line(notice: Notice) -> str:
    """What the message is about, in the words that fit a phone's list; no name out of the registry."""
    sobre = one_line(notice.titular["apelido"] or notice.titular["norma_nome"], 60)
    n = notice.contagem
    prazos = n.get("a_vencer", 0) + n.get("prazo_aberto", 0)
    partes = [
        f"{quantos} {nome if quantos == 1 else nome + 's'}"
        for quantos, nome in ((n.get("violacao", 0), "irregularidade"), (prazos, "prazo"))
        if quantos
    ] or [notice.resumo]
    texto = f"{sobre}: {' e '.join(partes)}"
    if notice.proximo:
        texto += f"; {'acaba' if prazos == 1 else 'o próximo acaba'} em {date_br(notice.proximo)}"
    return f"Urgente: {texto}" if notice.urgente else texto


def _item(r: Mapping[str, Any], tipo: str) -> Item:
    degrau = IMEDIATO if tipo == IMEDIATO and r["degrau"] == SEMANAL else r["degrau"]
    return Item(
        achado_id=r["achado_id"],
        degrau=degrau,
        verificacao=r["verificacao"],
        norma=r["norma"],
        situacao=r["situacao"],
        devido_em=r["devido_em"],
        valor=r["valor"],
        reaberta=r["reaberta"] or 0,
    )


def _events(notice: Notice) -> Iterator[Event]:
    """The days to come, soonest first; one event per finding."""
    proximos = [
        (x.dia, c, x)
        for s in notice.secoes
        if s.tipo in ("a_vencer", "prazo_aberto")
        for c in s.cartoes
        for x in c.linhas
        if notice.as_of <= x.dia < date.max
    ]
    for dia, c, x in sorted(proximos, key=lambda p: (p[0], p[1].titulo, p[2].sujeito, p[2].achado_id)):
        base = f"Base: {c.dispositivo}." if c.dispositivo else ""
        descricao = " ".join(t for t in (c.fazer, base, f"Quem procurar: {notice.contato}") if t)
        yield Event(x.achado_id, dia, f"{c.titulo}: {x.sujeito}" if x.sujeito else c.titulo, descricao)


def _contact(titular: Mapping[str, Any], settings: ComposeSettings) -> str:
    dito = settings.contatos.get(titular["norma"])
    orgao = one_line(titular["orgao"], 200)
    return f"{orgao}. {dito}" if dito and orgao else dito or orgao or "o órgão que concedeu a permissão"
