"""The bench's report for the terminal and as plain values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from flows.bench.metas import Meta
from flows.bench.noite import Custo, Medidas
from flows.bench.pares.comparar import Par
from flows.bench.reguas import Regua
from reports.console import format_table
from reports.formats import int_br, number_br, seconds_br

VEREDITO = {True: "cumprida", False: "NÃO CUMPRIDA", None: "só medida"}


@dataclass(frozen=True)
class Bancada:
    """Everything one bench run measured."""

    escala: str
    formato: str
    geracao: float
    medidas: Medidas
    reguas: dict[str, Regua]
    metas: list[Meta]
    apontados: int
    pares: list[Par]

    @property
    def falhas(self) -> list[str]:
        """What makes the bench fail: bars not met, peers that disagree."""
        bars = [m.titulo for m in self.metas if m.cumprida is False]
        return bars + [f"{p.nome} discorda em {p.diferentes}" for p in self.pares if p.diferentes]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        out = asdict(self)
        for meta, plain in zip(self.metas, out["metas"], strict=True):
            plain["cumprida"] = meta.cumprida
        out["pontos_s"], out["familia_s"] = self.medidas.points, self.medidas.family
        out["total_s"], out["pico_mb"] = self.medidas.total, self.medidas.peak_mb
        return out


def render(b: Bancada) -> list[str]:
    """The report's lines."""
    floor = b.reguas["piso"].segundos
    points = b.medidas.points
    lines = ["", f"Bancada {b.escala} ({b.formato}); extratos gerados em {seconds_br(b.geracao)}", ""]
    lines += ["Etapas", *_costs(b.medidas.etapas, "etapa"), "", "Partes"]
    lines += _parts(b.medidas.partes)
    lines += ["", "Verificações (memória: cada uma executada de novo, sozinha)"]
    lines += [*_costs(b.medidas.verificacoes, "verificação", by_name=True), ""]
    lines += ["Réguas (mediana de três, mesmo processo, banco e configuração)"]
    lines += format_table(
        ("régua", "linhas", "tempo", "linhas/s", "pico MiB"),
        [
            (r.titulo, int_br(r.linhas), seconds_br(r.segundos), _rate(r.linhas / r.segundos), int_br(round(r.pico_mb)))
            for r in b.reguas.values()
        ],
        esquerda={0},
    )
    lines += ["", f"Família de pontos: {seconds_br(points)} ({number_br(points / floor, 2)} × o piso)", ""]
    lines += ["Metas"]
    lines += format_table(
        ("meta", "medido", "limite", "veredito"),
        [
            (
                m.titulo,
                f"{number_br(m.valor, 2)} {m.unidade}",
                "" if m.limite is None else f"{number_br(m.limite, 0)} {m.unidade}",
                VEREDITO[m.cumprida],
            )
            for m in b.metas
        ],
        esquerda={0, 3},
    )
    if b.pares:
        lines += ["", f"Pares na família de pontos (nossa: {seconds_br(points)}, {int_br(b.apontados)} apontados)"]
        lines += format_table(
            ("par", "carga", "tempo", "× nosso", "× piso", "apontados", "diferenças"),
            [_peer(p, points, floor) for p in b.pares],
            esquerda={0},
        )
    if b.falhas:
        lines += ["", *(f"FALHA: {f}" for f in b.falhas)]
    return lines


def _peer(p: Par, points: float, floor: float) -> tuple[str, ...]:
    if p.segundos is None:
        return (p.nome, "", "não executado: grande demais", "", "", "", "")
    return (
        p.nome,
        seconds_br(p.carga),
        seconds_br(p.segundos),
        number_br(p.segundos / points, 1),
        number_br(p.segundos / floor, 1),
        int_br(p.apontados),
        int_br(p.diferentes),
    )


def _costs(costs: Iterable[Custo], head: str, by_name: bool = False) -> list[str]:
    return format_table(
        (head, "linhas", "tempo", "linhas/s", "pico MiB"),
        [
            (
                c.nome if by_name else c.titulo,
                int_br(c.linhas),
                seconds_br(c.segundos),
                _rate(c.por_segundo),
                "" if c.pico_mb is None else int_br(round(c.pico_mb)),
            )
            for c in costs
        ],
        esquerda={0},
    )


def _parts(parts: Iterable[Custo]) -> list[str]:
    return format_table(("parte", "tempo"), [(p.nome, seconds_br(p.segundos)) for p in parts], esquerda={0})


def _rate(value: float | None) -> str:
    return "" if value is None else int_br(round(value))
