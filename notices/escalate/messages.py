"""One message per norm and authority with the acts that wait for it, every night; sent by nobody here."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import duckdb

from data.loader import load_norms
from data.model import Norm
from notices.compose.facts import Night, open_night, stale_sources
from notices.compose.text import one_line
from notices.escalate.gather import Waiting, gather
from notices.escalate.render import render_list
from notices.escalate.settings import EscalationSettings
from notices.escalate.workbook import build_workbook
from notices.model import ESCALADA, Anexo, Item, Mensagem, message_key
from reports.formats import date_br, int_br

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
STEP = "escalada"


def escalation_messages(
    con: duckdb.DuckDBPyConnection, as_of: date, settings: EscalationSettings, norms: Sequence[Norm] | None = None
) -> Iterator[Mensagem]:
    """The night's lists. `destinatario_email` is None where the settings give the authority no address.

    `itens` are the acts never told to that authority; the key follows the whole list, so that the same list of the
    same night is one message however often it is composed. Raises `ComposeError`.
    """
    night = open_night(con, as_of)
    lidas = load_norms() if norms is None else norms
    nomes = {n.id: n.nome for n in lidas}
    anterior = _previous(con, as_of)
    defasados = {s.extrato: s.de for s in stale_sources(con, night)}
    for lista in gather(con, night, lidas):
        yield _message(lista, night, settings, nomes.get(lista.norma, lista.norma), anterior, defasados)


def _message(
    lista: Waiting,
    night: Night,
    settings: EscalationSettings,
    norma_nome: str,
    anterior: date | None,
    defasados: Mapping[str, date | None],
) -> Mensagem:
    as_of = night.as_of
    quem = f"{lista.norma} {lista.competente}"
    aviso = _warning(lista, defasados)
    todos = [_item(r) for r in lista.abertos]
    prontos = sum(1 for r in lista.atos if r["pronto"])
    assunto = f"Atos à espera ({lista.norma}), {one_line(lista.competente, 60)}: {_counted(lista, prontos)}"
    texto, html = render_list(
        lista,
        assunto,
        norma_nome=norma_nome,
        as_of=as_of,
        anterior=anterior,
        aviso=aviso,
        limite=settings.linhas_no_corpo,
        assinatura=settings.assinatura,
    )
    planilha = Anexo(
        f"{file_stem(lista.norma, lista.competente, as_of)}.xlsx",
        XLSX,
        build_workbook(lista, norma_nome, as_of, anterior, aviso),
    )
    return Mensagem(
        tipo=ESCALADA,
        chave=message_key(ESCALADA, quem, as_of, todos),
        normas=(lista.norma,),
        destinatario_id=quem,
        destinatario_nome=lista.competente,
        destinatario_email=settings.address(lista.norma, lista.competente),
        assunto=assunto,
        texto=texto,
        html=html,
        as_of=as_of,
        itens=tuple(i for i, r in zip(todos, lista.abertos, strict=True) if not r["contado"]),
        anexos=(planilha,),
    )


def _counted(lista: Waiting, prontos: int) -> str:
    """`12 na lista, 3 prontos`; a list that nothing stands in says what it is for."""
    n, fora, presos = len(lista.abertos), len(lista.saidas), len(lista.bloqueados)
    if n:
        return f"{int_br(n)} na lista, {int_br(prontos)} {'pronto' if prontos == 1 else 'prontos'}"
    partes = [f"{int_br(fora)} {'saiu' if fora == 1 else 'saíram'}"] if fora else []
    partes += [f"{int_br(presos)} {'bloqueado' if presos == 1 else 'bloqueados'}"] if presos else []
    return ", ".join(["nada na lista", *partes])


def file_stem(norma: str, competente: str, as_of: date) -> str:
    """`escalada-408-2009-prefeito-20261130`: letters, digits and hyphens alone."""
    plano = unicodedata.normalize("NFKD", f"{norma} {competente}").encode("ascii", "ignore").decode().lower()
    return f"escalada-{re.sub(r'[^a-z0-9]+', '-', plano).strip('-')[:80]}-{as_of:%Y%m%d}"


def _warning(lista: Waiting, defasados: Mapping[str, date | None]) -> str:
    """What is kept out of the list, and why."""
    if not lista.bloqueados:
        return ""
    quais = sorted({e for r in lista.bloqueados for e in r["bloqueado"].split(", ")})
    de = "; ".join(f"{e} (dados de {date_br(defasados[e])})" if defasados.get(e) else e for e in quais)
    n = len(lista.bloqueados)
    quantos = "1 ato está bloqueado: depende" if n == 1 else f"{int_br(n)} atos estão bloqueados: dependem"
    return (
        f"{quantos} de extrato que não foi aceito nesta noite, {de}. "
        "Nada se decide sobre dados velhos; voltam à lista quando o extrato for aceito."
    )


def _item(r: Mapping[str, Any]) -> Item:
    return Item(
        achado_id=r["achado_id"],
        degrau=STEP,
        verificacao=r["verificacao"],
        norma=r["norma"],
        situacao=r["situacao"],
        devido_em=r["devido_em"],
        valor=r["valor"],
        reaberta=r["reaberta"] or 0,
    )


def _previous(con: duckdb.DuckDBPyConnection, as_of: date) -> date | None:
    linhas = con.execute("select max(as_of) from execucao_vigente where as_of < $d", {"d": as_of}).fetchall()
    return linhas[0][0] if linhas else None
