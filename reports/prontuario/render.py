"""The prontuario as text and as one printable, self-contained page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from reports.formats import date_br, datetime_br, number_br
from reports.prontuario.gather import Prontuario, Secao
from reports.rotulos import word

TEMPLATES = Path(__file__).parent.parent / "templates"
#: Words of the data → words people read.
WORDS = {
    "violacao": "violação",
    "a_vencer": "a vencer",
    "para_decisao": "para decisão",
    "nao_avaliado": "não avaliado",
    "em_defesa": "em defesa",
    "cassacao": "cassação",
    "suspensao": "suspensão",
    "retencao": "retenção",
    "apreensao": "apreensão",
    "advertencia": "advertência",
    "regularizacao": "regularização",
    "informacao": "informação",
    "suspensao_matricula": "suspensão da matrícula",
    "cassacao_matricula": "cassação da matrícula",
    "operacao": "operação",
    "norma_alterada": "norma alterada",
    "permissao": "permissão",
    "autorizacao": "autorização",
    "concessao": "concessão",
    "permissionario": "permissionário",
    "alvara": "alvará",
    "veiculo": "veículo",
    "onibus": "ônibus",
    "micro_onibus": "micro-ônibus",
    "mototaxi": "mototáxi",
    "taxi": "táxi",
    "titular": "titular",
    "conjuge": "cônjuge",
}
#: A word of the data that nobody named: shown with spaces.
PLAIN = re.compile(r"[a-z]+(_[a-z]+)+")
#: Columns that hold ids of checks.
CHECKS = ("Verificação", "Fundamento")
#: Narrow columns that the page shows as a second line of another one, to fit paper and a telephone.
DETAILS = {"Dispositivo": CHECKS, "Achado": ("Verificação",), "Código": ("Infração",)}


@dataclass(frozen=True)
class Celula:
    """One cell of the page: its column, words, `tipo` (data, numero, texto), and the small lines below."""

    coluna: str
    texto: str
    tipo: str
    detalhes: tuple[str, ...]


def cell(value: Any, column: str = "") -> str:
    """A value as people read it in Brazil; ids of checks and kinds of subject by their names."""
    if value is None:
        return ""
    if column in CHECKS:
        return _check_names().get(str(value), str(value))
    if column == "Etapa":
        return word("etapa", value)
    if column == "Sujeito":
        kind, _, name = str(value).partition(" ")
        return f"{WORDS.get(kind, kind)} {name}"
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, Decimal):
        return number_br(value)
    if isinstance(value, datetime):
        return datetime_br(value)
    if isinstance(value, date):
        return date_br(value)
    text = str(value)
    if text in WORDS or not PLAIN.fullmatch(text):
        return WORDS.get(text, text)
    return " ".join(WORDS.get(word, word) for word in text.split("_"))


@cache
def _check_names() -> dict[str, str]:
    """Check → the fault in a few words, as the dashboard calls it."""
    from checks.law.catalogue import load_catalogue

    return {check: word("verificacao", check) for check in load_catalogue()}


def page_rows(section: Secao) -> tuple[list[str], list[list[Celula]]]:
    """Heads and rows of a section as the page shows them: no empty column, narrow ones below their neighbour."""
    places = {name: i for i, name in enumerate(section.colunas)}
    filled = [n for n, i in places.items() if any(cell(row[i], n) for row in section.linhas)]
    hosts = {n: next((h for h in DETAILS[n] if h in filled), None) for n in filled if n in DETAILS}
    heads = [n for n in filled if not hosts.get(n)]
    below = {h: [n for n, host in hosts.items() if host == h] for h in heads}
    rows = [
        [
            Celula(
                h,
                cell(row[places[h]], h),
                _kind(row[places[h]]),
                tuple(t for n in below[h] if (t := cell(row[places[n]], n))),
            )
            for h in heads
        ]
        for row in section.linhas
    ]
    return heads, rows


def _kind(value: Any) -> str:
    if isinstance(value, date):
        return "data"
    return "numero" if isinstance(value, int | Decimal) and not isinstance(value, bool) else "texto"


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["celula"] = cell
    environment.filters["data"] = date_br
    environment.filters["quadro"] = page_rows
    return environment


def render_html(page: Prontuario) -> str:
    """One self-contained page: no script, no outside address, ready to print."""
    return _environment().get_template("prontuario.html.j2").render(p=page)


def render_text(page: Prontuario) -> str:
    """The same, for a terminal."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Prontuario) -> Iterator[str]:
    yield f"PRONTUÁRIO — {page.nome} ({page.permissionario_id})"
    yield f"{page.norma_nome}. Situação: {cell(page.situacao)}. Documento: {page.documento}."
    yield f"Na data de {date_br(page.as_of)} (execução {page.execucao_id})."
    for section in page.secoes:
        yield ""
        yield section.titulo.upper()
        yield from _table(section)
        if section.nota and section.linhas:
            yield f"  {section.nota}"


def _table(section: Secao) -> Iterator[str]:
    if not section.linhas:
        yield f"  {section.vazio}"
        return
    rows = [
        [_short(cell(value, name)) for name, value in zip(section.colunas, row, strict=True)] for row in section.linhas
    ]
    kept = [i for i, _ in enumerate(section.colunas) if any(row[i] for row in rows)]
    widths = {i: max(len(section.colunas[i]), *(len(row[i]) for row in rows)) for i in kept}
    yield "  " + "  ".join(section.colunas[i].ljust(widths[i]) for i in kept).rstrip()
    for row in rows:
        yield "  " + "  ".join(row[i].ljust(widths[i]) for i in kept).rstrip()


def _short(text: str, limit: int = 48) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
