"""The guide of the extracts names every column of every contract, required ones in bold, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from checks.extracts.contracts import contracts
from checks.extracts.defaults import PADROES

GUIDE = (Path(__file__).parents[2] / "docs" / "extratos.md").read_text(encoding="utf-8")


def test_every_column_is_documented() -> None:
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", GUIDE, re.S | re.M))
    assert set(sections) == set(contracts())
    for name, contract in contracts().items():
        written = re.findall(r"^\| (\*\*)?(\w+)(?:\*\*)? \|", sections[name], re.M)
        assert [(c, bool(b)) for b, c in written if c != "coluna"] == [
            (c.name, c.required) for c in contract.columns
        ], name


def test_every_default_is_documented() -> None:
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", GUIDE, re.S | re.M))
    for name, section in sections.items():
        written = re.findall(r"^\| (\w+) \|.*; (?:sem valor|vazio): ([^|]+) \|", section, re.M)
        assert dict(written) == PADROES.get(name, {}), name
