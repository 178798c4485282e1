"""From figures to pages: the template engine, and what every template is given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dashboard.graficos import missing_words
from dashboard.mascara import hide_cpfs
from reports import formats, rotulos

HERE = Path(__file__).parent
STATIC = HERE / "static"


@cache
def environment() -> Environment:
    """Everything escaped; an unknown name is an error."""
    env = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {
        "inteiro": formats.int_br,
        "reais": formats.money_br,
        "data": formats.date_br,
        "instante": formats.datetime_br,
        "oculta": hide_cpfs,
        "documento": formats.document_br,
        "palavra": lambda value, kind: rotulos.word(kind, value),
        "curto": formats.truncate,
        "falta": missing_words,
        "plural": plural,
    }
    env.globals |= {"quem_age": rotulos.who_acts}
    return env


def plural(count: int | None, one: str, many: str) -> str:
    """`1 caso`, `1.234 casos`."""
    return f"{formats.int_br(count or 0)} {one if count == 1 else many}"


@cache
def stamp(name: str) -> str:
    """A mark of a static file's content, so that a browser never keeps an old one."""
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


def render(template: str, values: Mapping[str, Any]) -> str:
    """A page as text."""
    return environment().get_template(template).render(values)
