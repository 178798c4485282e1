"""The story of a case drawn: windows of points, autos, dates of evidence and process, on one axis of days.

Places along the axis are percentages, so the drawing fits a telephone without shrinking its letters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from reports.explain.vocabulary import label
from reports.formats import date_br, truncate
from reports.rotulos import word

MOST_WINDOWS = 6
MOST_EVENTS = 16
ROW = 34
AXIS = 26
STEM = 16
#: Room kept free at both ends, in percent.
MARGIN = 2.0
PROCESS = {
    "instaurado_em": "Processo instaurado",
    "ciencia_em": "Ciência do processo",
    "fim_defesa": "Fim do prazo de defesa",
    "defesa_em": "Defesa",
    "decisao_em": "Decisão",
    "ciencia_decisao_em": "Ciência da decisão",
    "fim_recurso": "Fim do prazo de recurso",
    "recurso_em": "Recurso",
    "decisao_recurso_em": "Decisão do recurso",
}


@dataclass(frozen=True)
class Janela:
    """A window of points: where it starts and ends (percent), and what it says."""

    y: int
    x: float
    largura: float
    texto: str


@dataclass(frozen=True)
class Auto:
    """One auto: place (percent), height of its stem, points counted, whether doubled, its state, words for it."""

    x: float
    altura: int
    pontos: int | None
    dobrado: bool
    estado: str
    texto: str


@dataclass(frozen=True)
class Marco:
    """One date with its words; `lado` is where the words go (start: after the dot, end: before it)."""

    y: int
    x: float
    texto: str
    lado: str
    tipo: str


@dataclass(frozen=True)
class LinhaDoTempo:
    """The whole drawing. Heights in pixels, places along the axis in percent."""

    altura: int
    janelas: Sequence[Janela]
    y_autos: int
    autos: Sequence[Auto]
    marcos: Sequence[Marco]
    meses: Sequence[tuple[float, str, str]]
    hoje: float
    y_eixo: int
    resumo: str


def draw(
    evidence: Mapping[str, Any],
    other_autos: Iterable[Mapping[str, Any]],
    process: Mapping[str, Any] | None,
    as_of: date,
) -> LinhaDoTempo | None:
    """The drawing of a case, or None where it has no dates to show."""
    windows = _windows(evidence)
    autos = _autos(evidence, other_autos)
    events = _events(evidence, process)
    days = [d for w in windows for d in (w["desde"], w["fim"])] + [a["dia"] for a in autos] + [d for d, _, _ in events]
    if not days:
        return None
    first, last = min([*days, as_of]), max([*days, as_of])
    span = max((last - first).days, 30)

    def place(day: date) -> float:
        return round(MARGIN + (100 - 2 * MARGIN) * (day - first).days / span, 3)

    y = 0
    drawn_windows = []
    for w in windows:
        text = f"{w['meses']} meses até {date_br(w['fim'])}: {w['soma']} de {w['limite']} pontos"
        drawn_windows.append(Janela(y, place(w["desde"]), round(place(w["fim"]) - place(w["desde"]), 3), text))
        y += ROW
    most = max([a["pontos"] or 1 for a in autos], default=1)
    drawn_autos = [
        Auto(
            place(a["dia"]),
            12 + round(STEM * (a["pontos"] or 1) / most) * 2,
            a["pontos"],
            a["dobrado"],
            a["estado"],
            a["texto"],
        )
        for a in autos
    ]
    if autos:
        y += 24 + 12 + STEM * 2
    y_autos = y
    y += 12 if autos else 4
    marks = []
    for day, text, kind in events:
        x = place(day)
        marks.append(Marco(y, x, f"{date_br(day)} {text}", "start" if x < 50 else "end", kind))
        y += 26
    return LinhaDoTempo(
        altura=y + AXIS + 8,
        janelas=drawn_windows,
        y_autos=y_autos,
        autos=drawn_autos,
        marcos=marks,
        meses=_ticks(first, first + timedelta(span), place),
        hoje=place(as_of),
        y_eixo=y + 4,
        resumo=_told(windows, autos, events),
    )


def _day(value: Any) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    return value if isinstance(value, date) else None


def _windows(evidence: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = [
        w
        for w in evidence.get("janelas") or ()
        if isinstance(w, Mapping) and _day(w.get("desde")) and _day(w.get("fim"))
    ]
    return sorted(found, key=lambda w: (w["fim"], w["meses"]))[:MOST_WINDOWS]


def _autos(evidence: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for auto in evidence.get("autos") or ():
        if not isinstance(auto, Mapping) or not (day := _day(auto.get("dia"))):
            continue
        points = auto.get("pontos_contados", auto.get("pontos"))
        said = f"auto {auto.get('auto_id')}, {date_br(day)}, infração {auto.get('codigo')}"
        if points is not None:
            said += f", {points} ponto{'s' if points != 1 else ''}" + (" (em dobro)" if auto.get("dobrado") else "")
        found[str(auto.get("auto_id"))] = {
            "dia": day,
            "pontos": points,
            "dobrado": bool(auto.get("dobrado")),
            "estado": auto.get("estado_auto") or "confirmado",
            "texto": said,
        }
    if not found:
        return []
    start = min(a["dia"] for a in found.values())
    for auto in others:
        day = _day(auto.get("ocorrido_em"))
        if day and day >= start and auto["auto_id"] not in found:
            state = auto.get("estado_auto") or "confirmado"
            said = f"auto {auto['auto_id']}, {date_br(day)}, infração {auto.get('codigo')}"
            said += f", fora da conta mostrada ({word('auto', state)})"
            found[auto["auto_id"]] = {"dia": day, "pontos": None, "dobrado": False, "estado": "fora", "texto": said}
    return sorted(found.values(), key=lambda a: (a["dia"], a["texto"]))


def _events(evidence: Mapping[str, Any], process: Mapping[str, Any] | None) -> list[tuple[date, str, str]]:
    """Dates of the evidence (but the edges of windows, drawn apart) and of the process."""
    hidden = {"desde"} | ({"fim"} if evidence.get("janelas") else set())
    events = [
        (day, truncate(label(name).removesuffix(" em"), 36), "prova")
        for name, value in evidence.items()
        if name not in hidden and (day := _day(value)) is not None
    ]
    events += [
        (day, text, "processo") for name, text in PROCESS.items() if process and (day := _day(process.get(name)))
    ]
    return sorted(dict.fromkeys(events))[:MOST_EVENTS]


def _ticks(first: date, last: date, place: Any) -> list[tuple[float, str, str]]:
    """Marks of the axis: (place, words, anchor), at most six, on the first of a month or of a year."""
    months = (last.year - first.year) * 12 + last.month - first.month
    step = next(s for s in (1, 2, 3, 6, 12, 24, 60, 120, 240, 600) if months / s <= 5)
    ticks = []
    for year in range(first.year, last.year + 1):
        for month in range(1, 13):
            index = year * 12 + month - 1
            if index % step == 0 and first <= date(year, month, 1) <= last:
                x = place(date(year, month, 1))
                text = f"{year}" if step >= 12 else f"{month:02d}/{year}"
                ticks.append((x, text, "start" if x < 8 else "end" if x > 92 else "middle"))
    return ticks


def _told(
    windows: Sequence[Mapping[str, Any]], autos: Sequence[Mapping[str, Any]], events: Sequence[tuple[date, str, str]]
) -> str:
    """The drawing in words, for who can't see it."""
    parts = [
        f"janela de {w['meses']} meses, de {date_br(w['desde'])} a {date_br(w['fim'])}, com {w['soma']} pontos de um "
        f"limite de {w['limite']}"
        for w in windows
    ]
    parts += [a["texto"] for a in autos] + [f"{date_br(d)}: {t}" for d, t, _ in events]
    return "; ".join(parts) + "."
