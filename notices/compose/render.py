"""The two faces of a notice: HTML and plain text. Templates are compiled once a process."""

from __future__ import annotations

from functools import cache
from typing import Any

import jinja2

from notices.compose.notice import Notice
from notices.compose.points import PointsWindow
from notices.compose.subjects import day
from notices.compose.text import clean, one_line, wrap
from notices.compose.wording import person
from reports.formats import date_br, document_br, int_br, money_br


@cache
def environment(html: bool) -> jinja2.Environment:
    """The templates of notices/templates; everything is escaped in HTML and kept to one line in both."""
    ambiente = jinja2.Environment(
        loader=jinja2.PackageLoader("notices", "templates"),
        autoescape=html,
        finalize=clean,
        trim_blocks=not html,
        lstrip_blocks=not html,
        undefined=jinja2.StrictUndefined,
    )
    ambiente.filters.update(
        data=date_br, dia=day, brl=money_br, inteiro=int_br, linha=one_line,
        ucfirst=lambda t: t[:1].upper() + t[1:], lower_first=lambda t: t[:1].lower() + t[1:],
    )  # fmt: skip
    return ambiente


@cache
def _template(name: str, html: bool) -> jinja2.Template:
    return environment(html).get_template(name)


def render_notice(notice: Notice, assunto: str, limite: int, agenda: str | None, lista: str | None) -> tuple[str, str]:
    """(plain text, HTML). `agenda`, `lista`: names of the attachments, where there are any."""
    titular = notice.titular
    valores: dict[str, Any] = {
        "n": notice,
        "assunto": assunto,
        "nome": person(titular["nome"]) or "Permissionário",
        "documento": document(titular["tipo_pessoa"], titular["documento"]),
        "contato": notice.contato,
        "limite": limite,
        "agenda": agenda,
        "lista": lista,
        "pontos": points_words,
    }
    texto = _template("aviso.txt.j2", False).render(valores)
    return wrap(texto), _template("aviso.html.j2", True).render(valores).replace("R$ ", "R$\u00a0")


def document(tipo_pessoa: str | None, documento: str | None) -> str:
    """`CPF ***.456.789-**` or the CNPJ; nothing of what is neither."""
    dito = document_br(documento)
    if not dito or dito.startswith("*** "):
        return ""
    return f"{'CPF' if dito.startswith('*') else 'CNPJ'} {dito}"


def points_words(p: PointsWindow) -> str:
    """How far the threshold is, what waits in defences, what falls off next."""
    if p.faltam > 0:
        frases = [f"{'Falta 1 ponto' if p.faltam == 1 else f'Faltam {p.faltam} pontos'} para o limite."]
    else:
        frases = ["O limite foi atingido."]
    if p.em_defesa:
        frases.append(
            "Em defesa há mais 1 ponto, que só conta se confirmado."
            if p.em_defesa == 1
            else f"Em defesa há mais {p.em_defesa} pontos, que só contam se confirmados."
        )
    if p.sai_em and p.saem:
        saem = "deixa de contar 1 ponto" if p.saem == 1 else f"deixam de contar {p.saem} pontos"
        frases.append(f"Em {date_br(p.sai_em)} {saem}.")
    return " ".join(frases)
