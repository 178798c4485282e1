"""Bars that are their own table: the words, the bar, the figures of each value of a facet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from dashboard.consultas import Barra
from dashboard.filtros import VAZIO
from reports.rotulos import NENHUM, order, word, words

TITULOS = {
    "norma": "Por norma",
    "verificacao": "Por fundamento",
    "etapa": "Por etapa do processo",
    "competente": "Por quem decide",
    "idade": "Há quanto tempo estão abertas",
    "atraso": "Dias desde o último dia em tempo",
    "situacao": "Por situação",
    "consequencia": "Por ato",
    "prazo": "Quando vence",
    "estado": "Novos e antigos",
    "linha": "Por linha",
    "causa": "Por causa",
    "encerrado": "Quando encerraram",
    "falta": "O que falta",
}
NOMES = {
    "norma": "Norma",
    "verificacao": "Fundamento",
    "etapa": "Etapa",
    "competente": "Quem decide",
    "idade": "Aberta há",
    "atraso": "Dias desde o prazo",
    "situacao": "Situação",
    "consequencia": "Ato",
    "prazo": "Vence",
    "estado": "Estado",
    "linha": "Linha",
    "causa": "Causa",
    "encerrado": "Encerrado",
    "falta": "Falta",
    "permissionario": "Permissionário",
    "q": "Busca",
}
#: Facets told in the order of their words, not of their counts.
ORDERED = {"etapa": "etapa", "idade": "idade", "atraso": "idade", "prazo": "prazo", "encerrado": "encerrado"}
SHOWN = 8


@dataclass(frozen=True)
class LinhaDoGrafico:
    """One value: its words, the choice it makes, findings, permissionarios, R$, and the bar's length in percent."""

    rotulo: str
    chave: str
    quantidade: int
    permissionarios: int | None
    valor: Decimal | None
    parte: float


@dataclass(frozen=True)
class Grafico:
    """One chart. `primeiras` are shown at once, `outras` on request."""

    faceta: str
    titulo: str
    nome: str
    primeiras: Sequence[LinhaDoGrafico]
    outras: Sequence[LinhaDoGrafico]
    com_valor: bool


def chart(
    name: str,
    bars: Sequence[Barra],
    texts: Mapping[str, Mapping[str, str]],
    titulo: str | None = None,
    valor: bool = False,
) -> Grafico:
    """A facet's counts ready to be drawn; `texts` gives words that only the copy knows (norms, lines)."""
    kind = ORDERED.get(name)
    if kind:
        bars = sorted(bars, key=lambda b: order(kind, b.chave))
    most = max((b.quantidade for b in bars), default=0) or 1
    lines = [
        LinhaDoGrafico(
            label_of(name, b.chave, texts), b.chave or VAZIO, b.quantidade, b.permissionarios, b.valor,
            round(100 * b.quantidade / most, 2),
        )
        for b in bars
    ]  # fmt: skip
    shown = len(lines) if kind or len(lines) <= SHOWN + 2 else SHOWN
    return Grafico(name, titulo or TITULOS.get(name, name), NOMES.get(name, name), lines[:shown], lines[shown:], valor)


def label_of(name: str, value: str | None, texts: Mapping[str, Mapping[str, str]]) -> str:
    """What a value of a facet is called."""
    if value is None or value == VAZIO:
        return {"linha": "(linha não dita)", "atraso": "(sem data)", "etapa": "(sem ato)"}.get(name, NENHUM)
    if name in texts:
        return texts[name].get(value, value)
    if name == "atraso":
        return word("idade", value)
    if name == "falta":
        return missing_words(value)
    return word(name, value)


def missing_words(name: str) -> str:
    """What is missing, in words; a column also by the name that whoever delivers the extract knows."""
    from reports.explain.vocabulary import label

    if name == "verificacao":
        return "A verificação falhou ao rodar"
    told = words().get("falta", {}).get(name)
    if told:
        return told
    if "." in name:
        extract, column = name.split(".", 1)
        if column == "linhas_rejeitadas":
            return f"Linhas que não se puderam ler no extrato {extract}"
        return f"{_capital(label(column))} (coluna {column} do extrato {extract})"
    return _capital(label(name))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
