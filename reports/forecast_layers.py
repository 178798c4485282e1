"""`registro.*` and `fatos.*` as of one date after another: a file of a layer runs again only where it can differ.

Its answer depends on the relations it names, on the norms in force and, where its text says `as_of`, on the date.
Relations are made when somebody asks for them, and compared by their rows: a table made again with the same rows
leaves what reads it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb

from sql.layers import ROOT, run_file
from sql.lineage import bare, layer_files, made, named
from sql.points import build_points

#: What is made again on each date; the norms and the calendar are given.
REMADE = ("registro.", "fatos.")

Stamp = tuple[Any, ...]


@dataclass(frozen=True)
class Part:
    """Something that makes relations: what it reads, what it makes (tables, views, table macros), how it is run."""

    name: str
    text: str
    tables: frozenset[str]
    views: frozenset[str]
    macros: frozenset[str]
    run: Callable[[duckdb.DuckDBPyConnection, date], object]

    @property
    def made(self) -> tuple[str, ...]:
        """Every relation it makes."""
        return (*self.tables, *self.views, *self.macros)


class Layers:
    """The layers of `con` on the date given by `move`."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        con.execute("create schema if not exists registro; create schema if not exists fatos")
        self._con = con
        self._maker = {relation: part for part in layer_parts() for relation in part.made}
        self._day, self._law = date.min, -1
        self._visited: set[str] = set()
        self._ran: dict[str, Stamp] = {}
        self._stamps: dict[str, Stamp] = {}

    def move(self, day: date, law: int) -> None:
        """Go to another date. `law` is another number whenever the rows of `norma.*` may be others."""
        self._day, self._law = day, law
        self._visited.clear()
        self._con.execute("set variable as_of = $dia", {"dia": day})  # the views of the registry look at it

    def key(self, text: str, also: Iterable[str] = (), made: Iterable[str] = ()) -> Stamp:
        """All that the answer of an SQL text depends on, itself aside; what it reads is made, as of the date.

        `also`: relations it reads without naming them; `made`: those it makes itself.
        """
        dated, named = _read(text)
        reads = sorted({*named, *also} - {*made})
        return (self._law, self._day if dated else None, *((name, self._stamp(name)) for name in reads))

    def _stamp(self, relation: str) -> Stamp:
        part = self._maker.get(relation)
        if part is None:  # whoever names it will fail, and say so
            return ()
        if part.name not in self._visited:
            key = self.key(part.text, made=part.made)
            if self._ran.get(part.name) != key:
                part.run(self._con, self._day)
                self._ran[part.name] = key
                for made in part.made:
                    self._stamps.pop(made, None)
            self._visited.add(part.name)
        if relation in part.macros:  # no rows of its own: it is what it reads
            return self._ran[part.name]
        if relation not in self._stamps:
            # where a row lies is part of a table: others keep its number
            row = "r.rowid, r" if relation in part.tables else "r"
            self._stamps[relation] = content(self._con, relation, row)
        return self._stamps[relation]


def content(con: duckdb.DuckDBPyConnection, relation: str, row: str = "r", **params: object) -> Stamp:
    """What tells one set of rows from another: how many, and the sum of their 64-bit hashes."""
    return con.execute(f"select count(*), sum(hash({row})) from {relation} r", params or None).fetchall()[0]


def layer_parts() -> Iterator[Part]:
    """Every part of the layers: a file each, but for the points, whose templates go together."""
    for layer in ("registro", "fatos"):
        for name, text in layer_files(layer).items():
            yield _file(name, text)
    texts = layer_files("pontos")
    # A file that looks at the date goes by itself, so that the rest depends on what it found and not on the date.
    dated = [name for name, text in texts.items() if _path(name).exists() and _read(text)[0]]
    for name in dated:
        yield _file(name, texts.pop(name))
    text = "\n".join(texts.values())
    yield Part("pontos", text, *_made(text), _run_points)


def _file(name: str, text: str) -> Part:
    return Part(name, text, *_made(text), partial(_run, _path(name)))


def _path(name: str) -> Path:
    """The file of that name; a template's has another ending, and does not exist."""
    return ROOT / f"{name}.sql"


def _run(path: Path, con: duckdb.DuckDBPyConnection, day: date) -> None:
    run_file(con, path, {"as_of": day})


def _run_points(con: duckdb.DuckDBPyConnection, day: date) -> None:
    for _ in build_points(con, day):
        pass


@cache
def _read(text: str) -> tuple[bool, frozenset[str]]:
    """Whether an SQL text looks at the date, and the relations it names."""
    return "as_of" in bare(text), frozenset(name for name in named(text) if name.startswith(REMADE))


def _made(text: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The tables, the views and the macros that an SQL text makes."""
    found = [(kind, name) for kind, name in made(text) if name.startswith(REMADE)]
    tables, views, macros = (frozenset(n for k, n in found if k == kind) for kind in ("table", "view", "macro"))
    return tables, views, macros
