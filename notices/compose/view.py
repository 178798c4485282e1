"""From rows to one operator's notice, ready for the templates. No SQL, no markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from notices.compose.cards import build_cards
from notices.compose.fees import FeeTable
from notices.compose.notice import Notice, Section
from notices.compose.points import points_windows
from notices.compose.sections import SECTIONS, section_of
from notices.compose.wording import FINE


def build_notice(
    titular: Mapping[str, Any],
    linhas: Sequence[Mapping[str, Any]],
    *,
    as_of: date,
    urgente: bool,
    taxas: FeeTable,
    contato: str,
    assinatura: str,
    defasados: tuple[str, ...],
    limite: int,
) -> Notice:
    """The notice of one operator. `limite`: subjects shown in a card."""
    secoes = []
    contagem: dict[str, int] = {}
    for tipo, titulo, explica in SECTIONS:
        suas = [r for r in linhas if section_of(r) == tipo]
        if suas:
            contagem[tipo] = len(suas)
            secoes.append(Section(tipo, titulo, explica, build_cards(suas, taxas, limite)))
    multas = [r["valor"] for r in linhas if r["verificacao"] == FINE and r["valor"] is not None]
    dias = [
        r["devido_em"]
        for r in linhas
        if section_of(r) in ("a_vencer", "prazo_aberto") and r["devido_em"] and r["devido_em"] >= as_of
    ]
    return Notice(
        titular=titular,
        as_of=as_of,
        urgente=urgente,
        secoes=tuple(secoes),
        pontos=() if urgente else points_windows(titular["pontos"]),
        em_julgamento=0 if urgente else titular["em_julgamento"] or 0,
        contato=contato,
        assinatura=assinatura,
        defasados=defasados,
        total_multas=sum(multas, Decimal(0)) if len(multas) > 1 else None,
        proximo=min(dias, default=None),
        contagem=contagem,
    )
