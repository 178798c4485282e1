"""The bars: ratios that hold on any machine, judged at the sizes they were set for."""

from __future__ import annotations

from dataclasses import dataclass

from flows.bench.noite import CHECKING, NIGHTLY, READING, Medidas
from flows.bench.reguas import Regua

GIB = 1024.0


@dataclass(frozen=True)
class Meta:
    """One bar: the value measured, its limit, and whether it holds (None where it isn't judged)."""

    titulo: str
    valor: float
    limite: float | None
    unidade: str

    @property
    def cumprida(self) -> bool | None:
        """Whether the bar holds."""
        return None if self.limite is None else self.valor <= self.limite


def bars(scale: str, m: Medidas, rulers: dict[str, Regua]) -> list[Meta]:
    """The bars of one run; at S, too small to judge, the values alone."""
    floor, narrow, scan = (rulers[k].segundos for k in ("piso", "piso_estreito", "leitura"))
    judged = scale in ("M", "L")
    work = m.step(*READING) + m.step(*CHECKING)
    rest = m.total - work
    return [
        Meta("pontos ÷ piso", m.points / floor, {"M": 5.0, "L": 8.0}.get(scale), "×"),
        Meta("pontos ÷ piso estreito", m.points / narrow, None, "×"),
        Meta("pontos ÷ leitura", m.points / scan, None, "×"),
        Meta("estado, prazos e as sete verificações ÷ piso", m.family / floor, 15.0 if judged else None, "×"),
        Meta("todas as verificações ÷ as sete", m.checks / m.check(*NIGHTLY), None, "×"),
        Meta("o catálogo inteiro ÷ estado, prazos e as sete", m.catalogue / m.family, 3.0 if judged else None, "×"),
        Meta("o resto ÷ (ler + verificar)", rest / work, 1.0 if judged else None, "×"),
        Meta("pico de memória", m.peak_mb / GIB, 12.0 if scale == "L" else None, "GiB"),
    ]
