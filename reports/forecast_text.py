"""The forecast, for people and for spreadsheets."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

from reports.forecast import Forecast, Previsto
from reports.formats import count_br, date_br, int_br, money_br

SITUACOES = {"violacao": "violação", "para_decisao": "para decisão"}


def render_forecast(result: Forecast, limit: int) -> Iterator[str]:
    """Lines in Portuguese: counts per month and check, then the first `limit` findings by date (0: all)."""
    rows = result.previstos
    yield f"Se ninguém agir, de {date_br(result.as_of)} até {date_br(result.ate)}: {_count(len(rows))}."
    for name in result.falhas:
        yield f"ATENÇÃO: a verificação {name} falhou em alguma data; a previsão dela está incompleta."
    if not rows:
        return
    yield ""
    yield "Por mês e verificação"
    for (year, month, check), number in sorted(
        Counter((p.data.year, p.data.month, p.verificacao) for p in rows).items()
    ):
        yield f"  {month:02d}/{year}  {check:32s} {int_br(number):>7}"
    yield ""
    yield "Os primeiros"
    shown = rows if limit <= 0 else rows[:limit]
    for p in shown:
        amount = f"  {money_br(p.valor)}" if p.valor is not None else ""
        term = f" (agir até {date_br(p.devido_em)})" if p.devido_em else ""
        yield (
            f"  {date_br(p.data)}  {p.norma:11s} {p.verificacao:26s} {p.sujeito_tipo} {p.sujeito_id}:"
            f" {SITUACOES[p.situacao]}, {p.consequencia}{term}{amount}"
        )
    if len(shown) < len(rows):
        yield f"  … e mais {int_br(len(rows) - len(shown))}; use --limite 0, --json ou --out para ver tudo."


def _count(n: int) -> str:
    return count_br(n, "achado novo", "achados novos") if n else "nenhum achado novo"


def write_csv(result: Forecast, folder: Path) -> Path:
    """previsao.csv in `folder` (UTF-8 with BOM, `;`, ISO dates), ordered by date; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "previsao.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, [f.name for f in fields(Previsto)], delimiter=";")
        writer.writeheader()
        writer.writerows(asdict(row) for row in result.previstos)
    return path
