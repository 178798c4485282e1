"""Every command the documents show exists, with those options; every path they link to is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from flows.cli import build_app

ROOT = Path(__file__).parents[2]
DOCUMENTOS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "deployments").rglob("*.md"))]
TRECHO = re.compile(r"`([^`\n]+)`|^ {4}(.+)$", re.MULTILINE)
COMANDO = re.compile(r"(?:^|\s)(?:\./)?(?:bin/)?emdia ([a-z]+)( [a-z]+)?([^#]*)")


def shown(documento: Path) -> Iterator[tuple[str, str, str]]:
    """(command, word after it, the rest) of each command in code."""
    for span, block in TRECHO.findall(documento.read_text(encoding="utf-8")):
        for command, word, rest in COMANDO.findall(span or block):
            yield command, word.strip(), rest


@cache
def options(*nomes: str) -> frozenset[str] | None:
    """The options of a command; None where there is no such command."""
    app = build_app()
    for nome in nomes:
        if nome not in app:
            return None
        app = app[nome]
    if app.default_command is None:
        return frozenset()
    return frozenset(n for a in app.assemble_argument_collection() for n in a.names)


@pytest.mark.parametrize("documento", DOCUMENTOS, ids=lambda p: p.name)
def test_commands_are_real(documento: Path) -> None:
    for command, word, rest in shown(documento):
        known = options(command)
        assert known is not None, f"emdia {command}"
        if word and (inner := options(command, word)) is not None:
            known = inner
        unknown = set(re.findall(r"(--[a-z][a-z-]*)", rest)) - known - {"--help"}
        assert not unknown, f"emdia {command} {word}: {unknown}"


def test_there_are_commands_to_look_at() -> None:
    seen = {command for documento in DOCUMENTOS for command, _, _ in shown(documento)}
    assert {"run", "demo", "explain", "notify", "escalate", "forecast", "dashboard", "doctor"} <= seen


@pytest.mark.parametrize("documento", DOCUMENTOS, ids=lambda p: p.name)
def test_links_lead_somewhere(documento: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", documento.read_text(encoding="utf-8"))
    gone = [link for link in links if "://" not in link and not (documento.parent / link).exists()]
    assert not gone


@pytest.mark.parametrize("documento", [ROOT / "README.md", ROOT / "docs" / "guia-do-usuario.md"], ids=lambda p: p.name)
def test_the_norms_are_named(documento: Path) -> None:
    from data.loader import load_norms

    named = set(re.findall(r"`(\d{3,5}/\d{4})`", documento.read_text(encoding="utf-8")))
    assert named == {n.id for n in load_norms()}
