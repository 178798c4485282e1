"""Points of an operator, as told: now, what falls off next, how far each threshold is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any


@dataclass(frozen=True)
class PointsWindow:
    """One threshold: `limite` points in `meses` months. `sai_em`: first day on which `saem` points no longer count."""

    meses: int
    limite: int
    confirmados: int
    em_defesa: int
    sai_em: date | None
    saem: int | None

    @property
    def faltam(self) -> int:
        """Points to the threshold; zero or less: reached."""
        return self.limite - self.confirmados

    @property
    def parte(self) -> int:
        """How much of the threshold is used, in per cent, at most 100."""
        return min(100, round(100 * self.confirmados / self.limite)) if self.limite else 0


def points_windows(janelas: Sequence[Mapping[str, Any]] | None) -> tuple[PointsWindow, ...]:
    """The windows in which there is any point, by length."""
    todas = [PointsWindow(**j) for j in janelas or ()]
    return tuple(todas) if any(j.confirmados or j.em_defesa for j in todas) else ()
