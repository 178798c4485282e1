"""What templates are given besides figures: the words only the copy knows, the charts of the morning, the coverage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard import manha, noite
from dashboard.consultas import Row
from dashboard.copia import Reading
from dashboard.graficos import chart


def texts_of(reading: Reading) -> Mapping[str, Mapping[str, str]]:
    """Words that only the copy knows."""
    return {
        "norma": {n["norma"]: f"{n['norma']} {n['apelido'] or n['nome']}" for n in noite.norms(reading)},
        "linha": noite.names_of_lines(reading),
    }


def morning_values(reading: Reading, view: manha.Manha, norms: list[Row], norma: str | None) -> dict[str, Any]:
    """What the morning template is given, on the site and in the mailed file."""
    texts = texts_of(reading)
    charts = {n: chart(n, bars, texts) for n, bars in view.facetas.items()}
    return {
        "m": view,
        "normas": norms,
        "norma": norma,
        "norma_desconhecida": None,
        "textos": texts,
        "graficos": charts,
        "prazos": {
            n: chart(n, b, texts, f"A vencer, {t}")
            for (n, b), t in zip(view.prazos.items(), ("por prazo", "por ato"), strict=True)
        },
        "frota": {n: chart(n, b, texts, f"Veículos acima da idade por {n}") for n, b in view.frota.items()},
        "suspensoes": chart("norma", view.suspensoes["norma"], texts, "Suspensões por norma"),
        "multas": chart("norma", view.multas["norma"], texts, "Multas vencidas por norma", valor=True),
        "alvaras": chart("norma", view.alvaras["norma"], texts, "Alvarás vencidos por norma"),
        "geometria": manha.trend_geometry(view.pontos),
        "semana_passada": manha.week_ago(view.pontos, reading.as_of),
        "dias_encerrados": manha.CLOSED_DAYS,
    }


def coverage_of_norms() -> list[dict[str, Any]]:
    """Per norm, how many articles are checked, left to people, without rule."""
    from data.coverage import SITUACOES, load_coverage

    return [
        {
            "norma": c.norma,
            "nome": c.nome,
            "contagens": [(SITUACOES[s], n) for s, n in c.contagens["artigos"].items() if n],
            "total": sum(c.contagens["artigos"].values()),
        }
        for c in load_coverage()
    ]
