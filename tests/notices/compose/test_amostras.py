"""docs/amostras says what the code says today, and nothing there goes unmentioned."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from checks.law.catalogue import load_catalogue
from notices.compose.sections import SECTIONS
from notices.compose.wording import PRAZOS, title
from tests.notices.compose.amostras import PASTA

DOCS = PASTA.parent
NAMES = sorted(p.name for p in PASTA.iterdir())


def known_titles() -> set[str]:
    situations = [name for name, _, _ in SECTIONS]
    return {title(check, s) for check in load_catalogue() for s in situations} | {words[0] for words in PRAZOS.values()}


def text(path: Path) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith("semanal") and n.endswith(".txt")])
def test_titles_are_those_of_the_code(name: str) -> None:
    told = re.findall(r"^\* (.+)$", (PASTA / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert told
    assert set(told) <= known_titles()


@pytest.mark.parametrize("name", [n for n in NAMES if n.endswith(".html")])
def test_no_word_of_the_data_is_left_raw(name: str) -> None:
    assert re.findall(r"\b[a-z]+_[a-z_]+\b", text(PASTA / name)) == []


def test_every_sample_is_told_of() -> None:
    told = (DOCS / "avisos-conteudo.md").read_text(encoding="utf-8")
    assert set(re.findall(r"amostras/([\w.-]+)", told)) == set(NAMES)
