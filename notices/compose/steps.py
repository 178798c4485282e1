"""The steps of a reminder: windows of days around the last day to act, never exact days.

A step is due while the finding is inside its window and neither that step nor a later one was told, so that a missed
night only makes the reminder later, and a renewed window (`reaberta`) starts afresh.
"""

from __future__ import annotations

from dataclasses import dataclass

from notices.compose.settings import ComposeSettings
from notices.model import IMEDIATO, SEMANAL

WEEK = 7


@dataclass(frozen=True)
class Window:
    """`de` and `ate` are days after the last day to act (negative: before it), both included; None: for ever."""

    degrau: str
    ordem: int
    de: int
    ate: int | None


def windows(settings: ComposeSettings) -> tuple[Window, ...]:
    """The windows in the order of time; together they cover every day from the widest one on, none twice."""
    inicios = [(f"antes_{d}", -d) for d in sorted(settings.dias_antes, reverse=True)]
    inicios.append(("depois_0", 1))
    inicios += [(f"depois_{s}", s * WEEK) for s in sorted(settings.semanas_depois)]
    fins: list[int | None] = [inicio - 1 for _, inicio in inicios[1:]]
    return tuple(
        Window(nome, ordem, de, ate)
        for ordem, ((nome, de), ate) in enumerate(zip(inicios, [*fins, None], strict=True), 1)
    )


def step_order(settings: ComposeSettings) -> dict[str, int]:
    """Every step and its place; the first word about a finding, weekly or immediate, comes before all others."""
    return {SEMANAL: 0, IMEDIATO: 0, **{w.degrau: w.ordem for w in windows(settings)}}
