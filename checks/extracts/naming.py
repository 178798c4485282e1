"""Which column of the file is which column of the contract."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from checks.extracts.columns import Contract


@dataclass(frozen=True)
class Naming:
    """Position in the file of each contract column found, and what did not fit.

    unknown: header names outside the contract, as written. missing: what the contract requires and the file lacks.
    repeated: contract columns that the header names more than once.
    """

    positions: dict[str, int]
    unknown: tuple[str, ...]
    missing: tuple[str, ...]
    repeated: tuple[str, ...]


def plain(name: str) -> str:
    """A header name without case, accents and outer spaces."""
    spread = unicodedata.normalize("NFD", name.strip().strip("\ufeff").strip().lower())
    return "".join(c for c in spread if not unicodedata.combining(c))


def match(header: list[str], contract: Contract) -> Naming:
    """Match a file's header with the contract's columns."""
    known = set(contract.names)
    positions: dict[str, int] = {}
    unknown, repeated = [], []
    for position, written in enumerate(header):
        name = plain(written)
        if name in positions:
            repeated.append(name)
        elif name in known:
            positions[name] = position
        else:
            unknown.append(written.strip() or f"(coluna {position + 1} sem nome)")
    missing = [c.name for c in contract.columns if c.required and c.name not in positions]
    if contract.any_of and not any(name in positions for name in contract.any_of):
        missing.append(" ou ".join(contract.any_of))
    return Naming(positions, tuple(unknown), tuple(missing), tuple(repeated))


def score(header: list[str], contract: Contract) -> int:
    """How many contract columns a header names: what decides the delimiter of a CSV."""
    return len({plain(name) for name in header} & set(contract.names))
