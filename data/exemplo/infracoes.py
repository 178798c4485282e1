"""Which infractions the made-up inspectors write, and at what price: read from data/normas."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

NORMAS = Path(__file__).parents[1] / "normas"


class Code(NamedTuple):
    """An infraction: code, group, unit of the amount (BRL or a reference unit), amount if legible."""

    codigo: str
    grupo: str
    unidade: str
    valor: float | None
    descricao: str


@cache
def codes(norm: str) -> tuple[Code, ...]:
    """The infractions of `norm` (`825/2021`) that yield a fine, in the order of its infracoes.csv."""
    path = NORMAS / norm.replace("/", "-") / "infracoes.csv"
    with path.open(encoding="utf-8-sig", newline="") as f:
        rows = list(csv.DictReader(f, delimiter=";"))
    out = {}
    for row in rows:
        if row.get("unidade") and row["codigo"] not in out:
            amount = float(row["valor"]) if row.get("valor") else None
            out[row["codigo"]] = Code(
                row["codigo"], row.get("grupo") or "", row["unidade"], amount, row.get("descricao") or ""
            )
    return tuple(out.values())


def amounts(norm: np.ndarray, codigo: np.ndarray, on: np.ndarray, units: pl.DataFrame) -> np.ndarray:
    """Cents due for each infraction on its day; 0 where the norm gives none. `units`: valores_referencia."""
    price = {(n, c.codigo): (c.unidade, c.valor or 0.0) for n in set(norm) for c in codes(n)}
    found = [price.get(key, ("BRL", 0.0)) for key in zip(norm.tolist(), codigo.tolist(), strict=True)]
    amount = np.array([v for _, v in found])
    unit = np.array([u for u, _ in found], dtype=object)
    out = np.where(unit == "BRL", amount, 0.0)
    for name in units["unidade"].unique().sort().to_list():
        table = units.filter(pl.col("unidade") == name).sort("vigente_desde")
        since = table["vigente_desde"].to_numpy().astype("datetime64[D]")
        worth = table["valor"].to_numpy() / 100
        step = np.searchsorted(since, on, side="right") - 1
        out = np.where((unit == name) & (step >= 0), amount * worth[np.maximum(step, 0)], out)
    return np.rint(out * 100).astype(np.int64)
