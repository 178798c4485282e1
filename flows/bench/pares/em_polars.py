"""The points family in polars: shifts over groups, cumulative sums and as-of joins for the windows."""

from __future__ import annotations

from typing import Any

import polars as pl

from flows.bench.pares.entrada import Entrada, Flagged, add_months

AGENT = ("agente", "codigo")


def load(e: Entrada) -> dict[str, pl.DataFrame]:
    """The frames as they are."""
    return {name: getattr(e, name) for name in ("autos", "pontos", "zerados", "calados")}


def run(e: Entrada, t: dict[str, pl.DataFrame]) -> Flagged:
    """Flagged holders."""
    counted = (
        t["autos"]
        .join(t["pontos"], on="codigo")
        .with_columns(
            agente=pl.coalesce("c" + pl.col("condutor_id"), "p" + pl.col("permissionario_id")),
            dia=pl.col("ocorrido_em").cast(pl.Date),
        )
    )
    sure = _first(e, counted.filter(pl.col("estado_auto") == "confirmado"), t)
    both = _first(e, counted, t)
    found = {(p, "violacao", d) for p, d in sure.items()}
    return found | {(p, "a_vencer", d) for p, d in both.items() if p not in sure}


def _first(e: Entrada, d: pl.DataFrame, t: dict[str, pl.DataFrame]) -> dict[str, Any]:
    months, factor = e.reincidencia
    ends = _ends(d["dia"], (months, *(m for m, _ in e.limites)))
    before = pl.col("ocorrido_em").shift().over(AGENT)
    d = (
        d.sort(*AGENT, "ocorrido_em")
        .with_columns(anterior=pl.when(before != pl.col("ocorrido_em")).then(before))
        # An equal instant isn't earlier: take what came before the first of the equals.
        .with_columns(anterior=pl.col("anterior").forward_fill().over(AGENT).cast(pl.Date))
        .join(ends.select(anterior="dia", ate=f"fim_{months}"), on="anterior", how="left")
        .with_columns(
            peso=pl.col("pontos") * pl.when(pl.col("ate") >= pl.col("dia")).then(pl.lit(factor)).otherwise(pl.lit(1))
        )
    )
    days = (
        d.group_by("permissionario_id", "dia")
        .agg(pl.col("peso").sum())
        .sort("permissionario_id", "dia")
        .with_columns(soma=pl.col("peso").cum_sum().over("permissionario_id"))
        .join(ends, on="dia", how="left")
        .sort("dia")
    )
    reached = pl.lit(False)
    for months, limit in e.limites:
        past = days.group_by("permissionario_id", f"fim_{months}").agg(pl.col("soma").max().alias("antes"))
        days = days.join_asof(
            past.sort(f"fim_{months}").rename({f"fim_{months}": "fora", "antes": f"antes_{months}"}),
            left_on="dia",
            right_on="fora",
            by="permissionario_id",
            allow_exact_matches=False,
            check_sortedness=False,
        ).drop("fora", strict=False)
        reached |= pl.col("soma") - pl.col(f"antes_{months}").fill_null(0) >= limit
    hit = (
        days.filter(reached)
        .join(t["calados"], on="permissionario_id", how="anti")
        .join(t["zerados"], on="permissionario_id", how="left")
        .filter(pl.col("decidido_em").is_null() | (pl.col("dia") > pl.col("decidido_em")))
        .group_by("permissionario_id")
        .agg(pl.col("dia").min())
    )
    return dict(hit.iter_rows())


def _ends(days: pl.Series, months: tuple[int, ...]) -> pl.DataFrame:
    """For each day that occurs: the last day it still counts, by number of months."""
    unique = days.unique().sort()
    values = unique.to_numpy().astype("datetime64[D]")
    return pl.DataFrame({"dia": unique, **{f"fim_{m}": add_months(values, m) for m in sorted(set(months))}})
