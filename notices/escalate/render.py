"""The list of an authority as the body of a message: HTML and plain text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from notices.compose.render import environment
from notices.compose.subjects import evidence_words, shown_fields, subject
from notices.compose.text import one_line, wrap
from notices.compose.wording import person, title_of
from notices.escalate.gather import Waiting
from notices.escalate.words import cause, processes, readiness, stage
from reports.formats import int_br

Row = Mapping[str, Any]
EVIDENCE = 280  # characters of evidence in the body; all of it is in the spreadsheet
EARLIER = 200


@dataclass(frozen=True)
class Entry:
    """One act as the body tells it."""

    ato: str
    fundamento: str
    operador: str
    sobre: str
    dispositivo: str
    desde: date | None
    valor: Decimal | None
    etapa: str
    pronto: str
    evidencia: str
    anteriores: str
    novo: bool
    causa: str = ""


@dataclass(frozen=True)
class Part:
    """The first entries of a part of the list, and how many there are."""

    linhas: tuple[Entry, ...]
    total: int

    @property
    def mais(self) -> int:
        """Entries that are only in the spreadsheet."""
        return self.total - len(self.linhas)


def render_list(
    lista: Waiting, assunto: str, *, norma_nome: str, as_of: date, anterior: date | None, aviso: str, limite: int,
    assinatura: str,
) -> tuple[str, str]:  # fmt: skip
    """(plain text, HTML). `limite`: entries shown in each part."""
    prontos = [r for r in lista.atos if r["pronto"]]
    outros = [r for r in lista.atos if not r["pronto"] and not r.get("ressalva")]
    casos = [r for r in lista.casos if not r.get("ressalva")]
    duvidas = [r for r in lista.abertos if r.get("ressalva")]
    valores = {
        "assunto": assunto,
        "l": {
            "norma_nome": norma_nome,
            "competente": one_line(lista.competente, 120),
            "as_of": as_of,
            "anterior": anterior,
            "aviso": aviso,
            "resumo": summary(lista, len(prontos)),
            "prontos": _part(prontos, limite, _entry),
            "outros": _part(outros, limite, _entry),
            "casos": _part(casos, limite, _entry),
            "duvidas": _part(duvidas, limite, _entry),
            "saidas": _part(lista.saidas, limite, _gone),
            "novos": lista.novos,
            "persistem": lista.persistem,
            "assinatura": assinatura,
        },
    }
    texto = environment(False).get_template("lista.txt.j2").render(valores)
    html = environment(True).get_template("lista.html.j2").render(valores)
    return wrap(texto), html.replace("R$ ", "R$\u00a0")


def summary(lista: Waiting, prontos: int) -> str:
    """`3 atos à espera, 1 pronto; 2 outros casos a decidir.`"""
    n = len(lista.atos)
    atos, feitos = ("ato" if n == 1 else "atos"), ("pronto" if prontos == 1 else "prontos")
    partes = [f"{int_br(n)} {atos} à espera, {int_br(prontos)} {feitos}" if n else "Nenhum ato à espera"]
    if lista.casos:
        partes.append(
            f"{int_br(len(lista.casos))} outros casos a decidir" if len(lista.casos) > 1 else "1 outro caso a decidir"
        )
    return "; ".join(partes) + "."


def _part(linhas: Sequence[Row], limite: int, entrada: Callable[[Row], Entry]) -> Part:
    return Part(tuple(entrada(r) for r in linhas[:limite]), len(linhas))


def _entry(r: Row) -> Entry:
    return Entry(
        ato=r["rotulo"],
        fundamento=title_of(r),
        operador=_holder(r),
        sobre=subject(r),
        dispositivo=r["dispositivo"] or "",
        desde=r["devido_em"] or r["aberta_em"],
        valor=r["valor"],
        etapa=stage(r),
        pronto=readiness(r),
        evidencia=one_line(evidence_words(r["evidencia"] or "{}", shown_fields(r["verificacao"])), EVIDENCE),
        anteriores=one_line(processes(r), EARLIER),
        novo=r["novo"],
    )


def _gone(r: Row) -> Entry:
    return Entry(
        r["rotulo"], title_of(r), _holder(r), subject(r), r["dispositivo"] or "", None, None,
        "", "", "", "", False, cause(r),
    )  # fmt: skip


def _holder(r: Row) -> str:
    nome = person(r["nome"])
    if r["permissionario_id"]:
        cadastro = f"cadastro {one_line(r['permissionario_id'], 40)}"
        return f"{nome} ({cadastro})" if nome else cadastro
    return nome or "o próprio sistema"
