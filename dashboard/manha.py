"""The morning view: what the first page and the mailed file tell, gathered once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from dashboard import consultas, noite
from dashboard.consultas import Barra, Ponto, Row, Total
from dashboard.copia import Reading
from dashboard.filtros import Filtro
from dashboard.motivo import reason
from dashboard.recortes import RECORTES
from reports.explain.vocabulary import read_evidence

#: The oldest cases named on the first page.
OLDEST = 10
CLOSED_DAYS = 7
FIRST_FACETS = ("norma", "verificacao", "etapa", "idade", "competente", "atraso")


@dataclass(frozen=True)
class Frescor:
    """Whether tonight's data may be called today's. `dias` is how old the copy is; problems are told in words."""

    as_of: date
    hoje: date
    dias: int
    velho: bool
    futuro: bool
    problemas: tuple[str, ...]
    fontes: tuple[Row, ...]

    @property
    def defasadas(self) -> tuple[Row, ...]:
        """Sources that came and are not of the night, or were refused."""
        return tuple(f for f in self.fontes if f["situacao"] in ("defasado", "recusado"))

    @property
    def ausentes(self) -> tuple[Row, ...]:
        """Sources that nobody delivered; what they would show is not evaluated."""
        return tuple(f for f in self.fontes if f["situacao"] == "ausente")

    @property
    def rejeitadas(self) -> int:
        """Lines that could not be read, over all sources."""
        return sum(f["rejeitadas"] for f in self.fontes)


@dataclass(frozen=True)
class Manha:
    """The figures of the first page. `total` and `facetas` are of the pending cassacoes, under the norm chosen."""

    total: Total
    contas: Row
    facetas: dict[str, list[Barra]]
    passo: str
    pontos: list[Ponto]
    antigas: list[Row]
    motivos: dict[str, str]
    areas: Row
    encerrados: list[Row]
    cassacoes_encerradas: list[Row]
    prazos: dict[str, list[Barra]]
    faltas: list[Row]
    frota: dict[str, list[Barra]]
    suspensoes: dict[str, list[Barra]]
    multas: dict[str, list[Barra]]
    alvaras: dict[str, list[Barra]]


def freshness(reading: Reading, today: date, tolerance: int) -> Frescor:
    """How far the copy may be trusted this morning. `tolerance`: days the as-of may lie behind today unremarked."""
    days = (today - reading.as_of).days
    run = reading.execucao
    problems = []
    if run["codigo_saida"] == 1 or run["situacao"] == "falhou":
        problems.append(
            "A última noite falhou em parte: alguma verificação ou etapa não terminou. Veja o relatório dela."
        )
    later = reading.con.execute("select max(as_of) from execucao where situacao <> 'interrompida'").fetchall()[0][0]
    if later and later > reading.as_of:
        problems.append(
            f"Esta é uma noite refeita: já houve outra com dados de {later:%d/%m/%Y}. Rode de novo a mais recente."
        )
    sources = tuple(noite.sources(reading))
    for s in sources:
        s["idade"] = (today - s["origem"]).days if s["origem"] else None
    return Frescor(reading.as_of, today, days, days > tolerance, days < 0, tuple(problems), sources)


def gather(reading: Reading, norma: str | None = None) -> Manha:
    """Everything of the first page, for all norms or one."""
    chosen = Filtro({"norma": norma} if norma else {})
    pending = RECORTES["cassacoes"]
    step, points, _ = consultas.trend(reading, pending, chosen)
    everything = Filtro()

    def by(area: str, *names: str) -> dict[str, list[Barra]]:
        return consultas.facets(reading, RECORTES[area], everything, names)

    oldest = consultas.page(reading, pending, Filtro(chosen.facetas, por_pagina=OLDEST))
    return Manha(
        total=consultas.total(reading, pending, chosen),
        contas=consultas.cassacao_counts(reading, norma),
        facetas=consultas.facets(reading, pending, chosen, FIRST_FACETS),
        passo=step,
        pontos=points,
        antigas=oldest,
        motivos=_reasons(reading, [o["achado_id"] for o in oldest]),
        areas=consultas.open_counts(reading),
        encerrados=consultas.closed_recently(reading, CLOSED_DAYS, cassacao=False),
        cassacoes_encerradas=consultas.closed_recently(reading, CLOSED_DAYS, cassacao=True),
        prazos=by("a_vencer", "prazo", "consequencia"),
        faltas=noite.missing(reading, 8),
        frota=by("frota", "norma", "linha"),
        suspensoes=by("suspensoes", "norma"),
        multas=by("multas", "norma"),
        alvaras=by("alvaras", "norma"),
    )


def _reasons(reading: Reading, ids: list[str]) -> dict[str, str]:
    """The deciding figures of a few findings, by id."""
    found = reading.con.execute(
        "select achado_id, verificacao, evidencia from achados where list_contains($ids, achado_id)", {"ids": ids}
    ).fetchall()
    return {i: reason(check, read_evidence(text)) for i, check, text in found}


def week_ago(points: list[Ponto], as_of: date) -> Ponto | None:
    """The last point at least seven days before the as-of."""
    return next((p for p in reversed(points) if p.as_of <= as_of - timedelta(days=7)), None)


def trend_geometry(points: list[Ponto]) -> dict[str, Any]:
    """Columns of the trend in percent of width and pixels of height: stacked proved and for decision."""
    height, top = 160, 18
    most = max((p.total for p in points), default=0) or 1
    width = 100 / max(len(points), 1)
    bar = min(width * 0.7, 9)
    columns = []
    every = -(-len(points) // 6) if points else 1
    for i, p in enumerate(points):
        base = round((height - top) * p.total / most)
        proved = round((height - top) * p.violacao / most)
        columns.append(
            {
                "ponto": p,
                "x": round(i * width + (width - bar) / 2, 3),
                "meio": round(i * width + width / 2, 3),
                "largura": round(bar, 3),
                "y": height - base,
                "altura_provada": proved,
                "altura_resto": base - proved,
                "marcar": (len(points) - 1 - i) % every == 0,
            }
        )
    return {"altura": height, "colunas": columns, "maior": most}
