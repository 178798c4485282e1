"""The points family in pandas: group shifts for recidivism, cumulative sums and binary search for the windows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from flows.bench.pares.entrada import Entrada, Flagged, add_months

BIG = 1_000_000


def load(e: Entrada) -> dict[str, pd.DataFrame]:
    """The same rows as pandas frames."""
    return {name: getattr(e, name).to_pandas() for name in ("autos", "pontos", "zerados", "calados")}


def run(e: Entrada, t: dict[str, Any]) -> Flagged:
    """Flagged holders."""
    counted = t["autos"].merge(t["pontos"], on="codigo")
    counted["agente"] = ("c" + counted["condutor_id"]).fillna("p" + counted["permissionario_id"])
    counted["dia"] = counted["ocorrido_em"].dt.normalize()
    sure = _first(e, counted[counted["estado_auto"] == "confirmado"], t)
    both = _first(e, counted, t)
    found = {(p, "violacao", d) for p, d in sure.items()}
    return found | {(p, "a_vencer", d) for p, d in both.items() if p not in sure}


def _first(e: Entrada, d: pd.DataFrame, t: dict[str, Any]) -> dict[str, Any]:
    months, factor = e.reincidencia
    d = d.sort_values(["agente", "codigo", "ocorrido_em"], kind="stable")
    keys = [d["agente"], d["codigo"]]
    before = d.groupby(["agente", "codigo"], sort=False)["ocorrido_em"].shift()
    # An equal instant isn't earlier: take what came before the first of the equals.
    before = before.mask(before == d["ocorrido_em"]).groupby(keys, sort=False).ffill()
    until = add_months(before.to_numpy().astype("datetime64[D]"), months)
    day = d["dia"].to_numpy().astype("datetime64[D]")
    points = d["pontos"].to_numpy() * np.where(until >= day, factor, 1)

    who, names = pd.factorize(d["permissionario_id"])
    order = np.lexsort((day, who))
    who, day, points = who[order].astype(np.int64), day[order], points[order]
    total = np.concatenate([[0], np.cumsum(points)])
    number = day.astype(np.int64)
    upper = np.searchsorted(who * BIG + number, who * BIG + number, side="right")
    reached = np.zeros(len(who), dtype=bool)
    for months, limit in e.limites:
        ends = add_months(day, months).astype(np.int64)
        lower = np.searchsorted(who * BIG + ends, who * BIG + number, side="left")
        reached |= total[upper] - total[lower] >= limit
    hit = pd.DataFrame({"permissionario_id": names[who[reached]], "dia": day[reached]})
    hit = hit[~hit["permissionario_id"].isin(t["calados"]["permissionario_id"])]
    hit = hit.merge(t["zerados"], on="permissionario_id", how="left")
    hit = hit[hit["decidido_em"].isna() | (hit["dia"] > pd.to_datetime(hit["decidido_em"]))]
    return {p: d.date() for p, d in hit.groupby("permissionario_id")["dia"].min().items()}
