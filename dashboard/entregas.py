"""Delivery of notices, from the ledger's own published file. It may not exist yet; then nothing is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def of_finding(copia: Path, achado_id: str) -> list[dict[str, Any]] | None:
    """Notices that spoke of a finding, latest first; None where no ledger is published."""
    return None


def summary(copia: Path, names: bool) -> dict[str, Any] | None:
    """Counts by state and kind, and the ones somebody has to look at; None where no ledger is published."""
    return None
