"""What one operator's notice is made of: sections, cards and lines, as the templates read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from notices.compose.fees import Quote
from notices.compose.points import PointsWindow

COUNTS = {
    "violacao": ("irregularidade", "irregularidades"),
    "a_vencer": ("prazo a vencer", "prazos a vencer"),
    "prazo_aberto": ("prazo de defesa ou recurso aberto", "prazos de defesa ou recurso abertos"),
    "para_decisao": ("caso para decisão da autoridade", "casos para decisão da autoridade"),
    "direito": ("ponto para você conferir", "pontos para você conferir"),
}


@dataclass(frozen=True)
class Line:
    """One subject of a card. `quando`: what of its day; `marca`: novo, lembrete, or já avisado."""

    sujeito: str
    quando: str
    valor: Decimal | None
    detalhe: str
    dia: date
    marca: str
    achado_id: str


@dataclass(frozen=True)
class Fees:
    """What the permit costs; `para`: the kind of vehicle, where the table tells them apart."""

    para: str
    cotacoes: tuple[Quote, ...]


@dataclass
class Card:
    """Findings of one kind, told together: what, whose, what to do, on which provision."""

    situacao: str
    verificacao: str
    titulo: str
    gravidade: int
    consequencia: str
    fazer: str
    bases: list[str] = field(default_factory=list)
    linhas: list[Line] = field(default_factory=list)
    taxas: list[Fees] = field(default_factory=list)
    mais: int = 0

    @property
    def dispositivo(self) -> str:
        """The provisions of its findings, each once."""
        return "; ".join(self.bases)

    @property
    def dia(self) -> date:
        """The soonest day of its lines."""
        return min(x.dia for x in self.linhas)

    @property
    def total(self) -> Decimal | None:
        """Sum of the amounts asked for, where there is more than one."""
        if self.situacao not in ("violacao", "a_vencer"):
            return None
        valores = [x.valor for x in self.linhas if x.valor is not None]
        return sum(valores, Decimal(0)) if len(valores) > 1 else None


@dataclass(frozen=True)
class Section:
    """Cards of one situation, under the words that say what that situation is."""

    tipo: str
    titulo: str
    explica: str
    cartoes: Sequence[Card]


@dataclass(frozen=True)
class Notice:
    """One operator's notice, ready for the templates."""

    titular: Mapping[str, Any]
    as_of: date
    urgente: bool
    secoes: tuple[Section, ...]
    pontos: tuple[PointsWindow, ...]
    em_julgamento: int
    contato: str
    assinatura: str
    defasados: tuple[str, ...]
    total_multas: Decimal | None
    proximo: date | None
    contagem: Mapping[str, int]

    @property
    def marcar(self) -> bool:
        """Whether lines say if they are new: not where all of them are."""
        return any(x.marca != "novo" for s in self.secoes for c in s.cartoes for x in c.linhas)

    @property
    def resumo(self) -> str:
        """What there is, counted: `2 irregularidades, 1 prazo a vencer`."""
        return ", ".join(f"{n} {COUNTS[tipo][n > 1]}" for tipo in COUNTS if (n := self.contagem.get(tipo, 0)))
