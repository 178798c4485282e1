"""The prontuario as text and as one printable, self-contained page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from reports.formats import date_br, datetime_br, number_br
from reports.prontuario.gather import Prontuario, Secao

TEMPLATES = Path(__file__).parent.parent / "templates"
#: Words of the data → words people read.
WORDS = {
    "violacao": "violação",
    "a_vencer": "a vencer",
    "para_decisao": "para decisão",
    "nao_avaliado": "não avaliado",
    "em_defesa": "em defesa",
    "medida_imediata": "medida imediata",
    "a_instaurar": "a instaurar",
    "pronto_para_decidir": "pronto para decidir",
    "prazo_de_defesa": "prazo de defesa",
    "prazo_de_recurso": "prazo de recurso",
    "em_recurso": "em recurso",
    "exigivel": "exigível",
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
}


def cell(value: Any) -> str:
    """A value as people read it in Brazil."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, Decimal):
        return number_br(value)
    if isinstance(value, datetime):
        return datetime_br(value)
    if isinstance(value, date):
        return date_br(value)
    return WORDS.get(str(value), str(value))


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["celula"] = cell
    environment.filters["data"] = date_br
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
    rows = [[_short(cell(value)) for value in row] for row in section.linhas]
    kept = [i for i, _ in enumerate(section.colunas) if any(row[i] for row in rows)]
    widths = {i: max(len(section.colunas[i]), *(len(row[i]) for row in rows)) for i in kept}
    yield "  " + "  ".join(section.colunas[i].ljust(widths[i]) for i in kept).rstrip()
    for row in rows:
        yield "  " + "  ".join(row[i].ljust(widths[i]) for i in kept).rstrip()


def _short(text: str, limit: int = 48) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
