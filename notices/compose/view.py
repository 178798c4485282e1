"""From rows to what the templates say: sections, cards and lines of one operator's notice. No SQL, no markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from notices.compose.fees import FeeTable, Quote
from notices.compose.points import PointsWindow, points_windows
from notices.compose.subjects import day, detail, subject, weekday
from notices.compose.text import one_line
from notices.compose.wording import PRAZOS, TIPOS_DE_VEICULO, kind_of_act, title, wordings
from reports.formats import date_br

FAR = date.max
FINE = "multa_vencida"


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


COUNTS = {
    "violacao": ("irregularidade", "irregularidades"),
    "a_vencer": ("prazo a vencer", "prazos a vencer"),
    "prazo_aberto": ("prazo de defesa ou recurso aberto", "prazos de defesa ou recurso abertos"),
    "para_decisao": ("caso para decisão da autoridade", "casos para decisão da autoridade"),
    "direito": ("ponto para você conferir", "pontos para você conferir"),
}

SECTIONS = (
    ("violacao", "Está irregular",
     "Os dados do cadastro comprovam o que segue. Resolva o quanto antes."),
    ("a_vencer", "Vai vencer: ainda dá tempo",
     "Nada disto é irregularidade hoje. Passa a ser se ninguém agir até o dia indicado, que ainda vale."),
    ("prazo_aberto", "Prazos de defesa e recurso abertos",
     "Defender-se é direito seu, e nada é decidido contra você antes disso. Quem não usa o prazo perde a vez."),
    ("para_decisao", "Depende de decisão da autoridade",
     "Não é irregularidade declarada: a norma deixa o caso para uma autoridade decidir. Nada é exigido por enquanto."),
    ("direito", "Para você conferir",
     "São pontos a seu favor, ou que o órgão tem de esclarecer. Use-os se quiser."),
)  # fmt: skip


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
            secoes.append(Section(tipo, titulo, explica, _cards(suas, as_of, taxas, limite)))
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


def section_of(row: Mapping[str, Any]) -> str:
    """The section a row belongs to: its situation, or what is for the operator to use.

    Where the norm attaches nothing but information, the duty is the body's, unless the wording says otherwise.
    """
    dito = wordings().get(row["verificacao"], {})
    if dito.get("secao") == "direito" or (row["consequencia"] == "informacao" and not dito.get("do_operador")):
        return "direito"
    return str(row["situacao"])


def _told_as(row: Mapping[str, Any]) -> str:
    """Which words of the check tell a row."""
    para_usar = section_of(row) == "direito" and "direito" in wordings().get(row["verificacao"], {})
    return "direito" if para_usar else str(row["situacao"])


def _cards(rows: Sequence[Mapping[str, Any]], as_of: date, taxas: FeeTable, limite: int) -> list[Card]:
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
        title(r["verificacao"], _told_as(r)),
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
