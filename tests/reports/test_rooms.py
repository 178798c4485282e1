"""The rooms hand things on in one direction: who makes a thing knows nothing of who uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: Room → rooms it may not know.
AFTER = {
    "data": {"flows", "sql", "reports", "notices", "dashboard"},
    "sql": {"flows", "reports", "notices", "dashboard"},
    "reports": {"flows", "notices", "dashboard"},
    "notices": {"flows", "dashboard"},
    "dashboard": {"flows", "notices"},
}


def imported(path: Path) -> Iterator[str]:
    """The first name of every module a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)


@pytest.mark.parametrize("room", AFTER)
def test_nothing_is_imported_from_a_later_room(room: str) -> None:
    files = list((ROOT / room).rglob("*.py"))
    assert files
    wrong = {f"{path.relative_to(ROOT)}: {name}" for path in files for name in set(imported(path)) & AFTER[room]}
    assert not wrong


@pytest.mark.parametrize("room", ["flows", "reports", "notices", "dashboard"])
def test_a_file_has_one_reason_to_exist(room: str) -> None:
    long = {
        str(p.relative_to(ROOT)): n
        for p in (ROOT / room).rglob("*.py")
        if (n := p.read_text("utf-8").count("\n")) > 300
    }
    assert not long
