"""Findings of one kind told together: their cards and lines, with what to do, by when, at what cost and risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from notices.compose.fees import FeeTable
from notices.compose.notice import Card, Fees, Line
from notices.compose.sections import section_of, told_as
from notices.compose.subjects import day, detail, subject, weekday
from notices.compose.text import one_line
from notices.compose.wording import FINE, PRAZOS, TIPOS_DE_VEICULO, kind_of_act, title_of, wordings
from reports.formats import date_br

FAR = date.max


def build_cards(rows: Sequence[Mapping[str, Any]], taxas: FeeTable, limite: int) -> list[Card]:
    """One card per check, situation, consequence and authority, in the order they are read. `limite`: lines shown."""
    cartoes: dict[tuple[Any, ...], Card] = {}
    cotadas: dict[tuple[Any, ...], dict[tuple[Any, ...], Fees]] = {}
    for r in rows:
        chave = (r["verificacao"], r["situacao"], r["consequencia"], r["competente"], r["tipo"])
        cartao = cartoes.get(chave)
        if cartao is None:
            cartao = cartoes[chave] = _card(r)
        if r["dispositivo"] and r["dispositivo"] not in cartao.bases:
            cartao.bases.append(r["dispositivo"])
        cartao.linhas.append(_line(r))
        if wordings().get(r["verificacao"], {}).get("taxa") and r["situacao"] != "para_decisao":
            _quote(r, taxas, cotadas.setdefault(chave, {}))
    for chave, cartao in cartoes.items():
        cartao.taxas = list(cotadas.get(chave, {}).values())
        cartao.linhas.sort(key=lambda x: (x.dia, x.sujeito, x.achado_id))
        cartao.mais = max(0, len(cartao.linhas) - limite)
        cartao.bases.sort()
    # What is to come by its day; what is there already, the heaviest first.
    return sorted(
        cartoes.values(),
        key=lambda c: (
            0 if c.situacao in ("a_vencer", "prazo_aberto") else -c.gravidade,
            c.dia,
            c.titulo,
            c.dispositivo,
        ),
    )


def _line(r: Mapping[str, Any]) -> Line:
    """The line of a finding; where the subject is the operator, what is told comes in its place."""
    de_quem, quando, detalhe = subject(r), _when(r), detail(r)
    if not de_quem and quando:
        de_quem, quando = quando[:1].upper() + quando[1:], ""
    elif not de_quem:
        de_quem, detalhe = detalhe or f"Cadastro {one_line(r['permissionario_id'], 40)}", ""
    return Line(
        de_quem,
        quando,
        r["valor"] if wordings().get(r["verificacao"], {}).get("valor", True) else None,
        detalhe,
        r["devido_em"] or FAR,
        "já avisado" if not r["devido"] else "lembrete" if r["contado"] else "novo",
        r["achado_id"],
    )


def _card(r: Mapping[str, Any]) -> Card:
    situacao = r["situacao"]
    if situacao == "prazo_aberto":
        titulo, fazer = PRAZOS[r["tipo"]]
        return Card(situacao, r["verificacao"], titulo, 0, "", fazer)
    return Card(
        situacao,
        r["verificacao"],
        title_of(r, told_as(r)),
        kind_of_act(r["consequencia"] or "")[2],
        _consequence(r),
        r["regularizar"] or "",
    )


def _quote(r: Mapping[str, Any], taxas: FeeTable, vistas: dict[tuple[Any, ...], Fees]) -> None:
    tipo = r["tipo_veiculo"]
    chave = (tipo, r["primeira_emissao"] is not None, r["tem_titulo_vivo"])
    if chave not in vistas:
        cotacoes = taxas.quotes(r["norma"], tipo, chave[1], bool(chave[2]))
        if cotacoes:
            vistas[chave] = Fees(TIPOS_DE_VEICULO.get(tipo or "", ""), cotacoes)


def _consequence(r: Mapping[str, Any]) -> str:
    """What the norm provides for, who decides it, and what must come first."""
    if section_of(r) == "direito" or not r["consequencia"] or r["verificacao"] == FINE:
        return ""
    rotulo, natureza, _ = kind_of_act(r["consequencia"])
    quem = one_line(r["competente"], 120)
    if natureza == "aviso":
        return ""
    quem = f" Quem decide: {quem}." if quem and quem != "não indicada na lei" else ""
    if r["situacao"] == "a_vencer":
        return f"Se não for resolvido, a norma prevê: {rotulo.lower()}.{quem}"
    if natureza == "medida":
        return f"A norma prevê: {rotulo.lower()}, que pode ser determinado no local.{quem}"
    if r["consequencia"] == "multa":
        return f"A norma prevê: {rotulo.lower()}.{quem}"
    return f"A norma prevê: {rotulo.lower()}, só depois de processo com direito de defesa.{quem}"


def _when(r: Mapping[str, Any]) -> str:
    dia = r["devido_em"]
    if dia is None:
        return ""
    situacao = r["situacao"]
    if wordings().get(r["verificacao"], {}).get("dia") == "fato":
        return f"em {date_br(dia)}"
    if situacao == "violacao":
        return f"o último dia era {date_br(dia)}"
    if situacao == "para_decisao":
        return f"desde {date_br(dia)}"
    texto = f"até {day(dia)}"
    if r["defesa_ate"] is not None:
        ate = "o mesmo dia" if r["defesa_ate"] == dia else f"{date_br(r['defesa_ate'])} ({weekday(r['defesa_ate'])})"
        texto += f"; ainda cabe defesa, até {ate}"
    return texto
