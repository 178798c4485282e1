"""What an SQL text reads: what it names and, through the files of the layers, what that is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from sql.layers import ROOT

LAYERS = ("macros", "calendario", "registro", "fatos", "pontos")
SCHEMAS = ("norma.", "calendario.", "registro.", "fatos.", "extrato.")
#: What the templates of sql/pontos are given when the night runs them (`sql.points`).
CANDIDATES = "fatos.pontos_candidatos"
WEIGHED = "table fatos.pontos_autos"

_COMMENT = re.compile(r"'[^']*'|--[^\n]*|\{#.*?#\}", re.DOTALL)  # a mark inside a string begins no comment
_STATEMENT = re.compile(r"(?:'[^']*'|[^;'])+")
_NAME = re.compile(r"[a-z_]\w*(?:\.[a-z_]\w*)?")
_MADE = re.compile(r"\bcreate\s+or\s+replace\s+(?:temp\s+)?(table|view|macro)\s+(\w+(?:\.\w+)?)", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """One statement of a layer: the file it is in (`fatos/030_autos`), what it makes and what it names."""

    file: str
    made: tuple[str, ...]
    names: frozenset[str]


@cache
def bare(text: str) -> str:
    """The text without its comments."""
    return _COMMENT.sub(lambda m: m[0] if m[0].startswith("'") else "", text)


def made(text: str) -> list[tuple[str, str]]:
    """(kind, name) of the tables, views and macros that an SQL text makes."""
    return [(kind.lower(), name.lower()) for kind, name in _MADE.findall(bare(text))]


def named(text: str) -> frozenset[str]:
    """The relations of the warehouse that an SQL text names."""
    return frozenset(name for name in _words(text) if name.startswith(SCHEMAS))


def layer_files(layer: str) -> dict[str, str]:
    """File (`fatos/030_autos`) → SQL of a layer, in the order they run; templates with the names of the night."""
    return {
        f"{layer}/{path.name.split('.')[0]}": path.read_text(encoding="utf-8")
        .replace("{{ alvo }}", CANDIDATES)
        .replace("{{ destino }}", WEIGHED)
        for path in sorted((ROOT / layer).iterdir())
        if path.name.endswith((".sql", ".sql.j2"))
    }


@cache
def norm_tables(text: str) -> frozenset[str]:
    """The tables of schema `norma` that an SQL text reads, itself or through the layers."""
    names = {name for found in (_all_names(text), *(s.names for s in _reached(text))) for name in found}
    return frozenset(name.removeprefix("norma.") for name in names if name.startswith("norma."))


def files_read(texts: Iterable[str]) -> frozenset[str]:
    """The files of the layers that make something which one of the texts reads."""
    return frozenset(statement.file for text in texts for statement in _reached(text))


@cache
def rests_on(text: str) -> frozenset[str]:
    """The tables of the registry and the extracts that an SQL text reads, itself or through the facts and the points.

    What a table of the registry is made of is not looked at.
    """
    found: set[str] = set()

    def at_the_registry(name: str) -> bool:
        if reached := name.startswith(("registro.", "extrato.")):
            found.add(name)
        return reached

    _follow(text, at_the_registry)
    return frozenset(found)


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(_NAME.findall(bare(text).lower()))


def _all_names(text: str) -> frozenset[str]:
    """What a text names: relations of the warehouse, macros and temporary tables of the layers."""
    return named(text) | (_makers().keys() & _words(text))


def _reached(text: str) -> set[Statement]:
    """The statements that make what a text reads."""
    return _follow(text, lambda _: False)


def _follow(text: str, stop: Callable[[str], bool]) -> set[Statement]:
    """The statements that make what a text reads, and what those read; no further than a name to stop at."""
    makers = _makers()
    reached: set[Statement] = set()
    to_see = set(_all_names(text))
    seen: set[str] = set()
    while to_see:
        name = to_see.pop()
        seen.add(name)
        if stop(name):
            continue
        for statement in makers.get(name, ()):
            reached.add(statement)
            to_see |= statement.names - seen
    return reached


@cache
def _makers() -> Mapping[str, tuple[Statement, ...]]:
    """What the layers make → the statements that make it."""
    written = [
        (file, statement)
        for layer in LAYERS
        for file, text in layer_files(layer).items()
        for statement in _STATEMENT.findall(bare(text))
    ]
    known = {name for _, statement in written for _, name in made(statement)}
    makers: dict[str, tuple[Statement, ...]] = {}
    for file, text in written:
        makes = tuple(name for _, name in made(text))
        names = {name for name in _words(text) if name in known or name.startswith(SCHEMAS)}
        for name in makes:
            makers[name] = (*makers.get(name, ()), Statement(file, makes, frozenset(names - {*makes})))
    return makers
