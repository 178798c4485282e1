"""Which checks each column of the extracts keeps from being judged when it does not come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from checks.law.catalogue import CheckSpec

if TYPE_CHECKING:
    from data.model import Norm


def checks_by_column(norms: Iterable[Norm], catalogue: Mapping[str, CheckSpec], as_of: date) -> dict[str, list[str]]:
    """`extrato.coluna` → the checks that some norm in force asks and that need it, in order of name."""
    needed: dict[str, set[str]] = {}
    for norm in norms:
        for check, row in norm.checks(as_of).items():
            spec = catalogue.get(check)
            for column in (*(spec.exige if spec else ()), *row.exige):
                needed.setdefault(column, set()).add(check)
    return {column: sorted(checks) for column, checks in needed.items()}
