"""Plain text: one line out of anything, and lines of a readable width. Fast: it runs for every line of every notice."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

WIDTH = 76
GLUED = "R$\x00"  # an amount never breaks after its R$
#: Controls, line and paragraph separators, format characters (direction, zero width), private and unassigned ones.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@lru_cache(maxsize=50_000)
def one_line(text: str | None, limit: int = 300) -> str:
    """What comes from a registry as one visible line: nothing that breaks, hides or turns it; a cut ends in "…"."""
    if not text:
        return ""
    if not text.isprintable():
        text = "".join(" " if unicodedata.category(c) in _HIDDEN else c for c in text)
    limpo = " ".join(text.split())
    return limpo if len(limpo) <= limit else limpo[: limit - 1].rstrip() + "…"


def clean(value: Any) -> Any:
    """For a template's `finalize`: texts as one line, nothing for None."""
    if value is None:
        return ""
    return one_line(value, 2000) if type(value) is str and not value.isprintable() else value


def wrap(text: str, width: int = WIDTH) -> str:
    """Lines of at most `width`; what continues goes under its own words; never two empty lines together."""
    saida: list[str] = []
    for linha in text.split("\n"):
        linha = linha.rstrip()
        if not linha:
            if saida and saida[-1]:
                saida.append("")
        elif len(linha) <= width:
            saida.append(linha)
        else:
            _fold(linha, width, saida)
    while saida and not saida[-1]:
        saida.pop()
    return "\n".join(saida) + "\n"


def _fold(linha: str, width: int, saida: list[str]) -> None:
    corpo = linha.lstrip(" ")
    recuo = len(linha) - len(corpo)
    atual = " " * recuo
    if corpo.startswith("- "):
        recuo += 2
    margem = " " * recuo
    vazia = True
    for colada in corpo.replace("R$ ", GLUED).split(" "):
        palavra = colada.replace(GLUED, "R$ ")
        if not vazia and len(atual) + 1 + len(palavra) > width:
            saida.append(atual)
            atual = margem + palavra
        else:
            atual += palavra if vazia else " " + palavra
        vazia = False
    saida.append(atual)
