"""Permits of the made-up registry: chains of renewals."""

import numpy as np
import polars as pl

from data.exemplo.sorteio import NAT, Days, frame, ids, pick, spread, stream, text, where, year_of, ymd

DAY = np.timedelta64(1, "D")


def permits(
    seed: int, operators: pl.DataFrame, fleet: pl.DataFrame, lines: pl.DataFrame, as_of: np.datetime64
) -> pl.DataFrame:
    """Chains of permits: a few late or lapsed, most renewed in time, three years deep."""
    rng = stream(seed, "alvaras")
    vehicle = fleet.filter(pl.col("baixado_em").is_null()).join(
        operators.select("permissionario_id", "norma"), on="permissionario_id"
    )
    line_of = _lines_of(rng, operators, lines)
    parts = [
        _chain(
            rng,
            vehicle.filter(pl.col("norma") == "408/2009").join(line_of, on="permissionario_id", how="left"),
            "alvara",
            365,
            as_of,
        ),
        _calendar_year(rng, operators.filter(pl.col("norma") == "825/2021"), as_of),
    ]
    # The others hold one permit per operator and line.
    for norm, kind, modality, term in [
        ("1343/1994", "PJ", "concessao", 3650),
        ("1343/1994", "PF", "permissao", 730),
        ("1854/1999", "PJ", "concessao", 1825),
        ("1854/1999", "PF", "concessao", 1825),
        ("30258/1983", "PJ", "permissao", 0),
        ("30258/1983", "PF", "autorizacao_especial", 365),
    ]:
        base = operators.filter((pl.col("norma") == norm) & (pl.col("tipo_pessoa") == kind)).join(
            line_of, on="permissionario_id", how="left"
        )
        parts.append(_chain(rng, base, modality, term, as_of))
    out = pl.concat(parts, how="diagonal")
    n = out.height
    stopped = rng.random(n) < 0.004
    stopped_at = as_of - spread(rng, 5, 120, n)
    since = out["emitido_em"].to_numpy().astype("datetime64[D]")
    alive = out["_ultimo"].to_numpy()
    stopped &= alive & (since < stopped_at)
    order = where((out["modalidade"] == "permissao").to_numpy() & (rng.random(n) < 0.9), since + spread(rng, 1, 20, n))
    return (
        out.drop("_ultimo")
        .with_columns(
            pl.Series("alvara_id", ids("A", n).tolist()),
            pl.Series("situacao", np.where(stopped, "interrompido", "vigente").tolist()),
            pl.Series("interrompido_em", where(stopped, stopped_at)),
            pl.Series("interrupcao_ate", where(stopped & (rng.random(n) < 0.3), as_of + spread(rng, 5, 40, n))),
            pl.Series("interrupcao_justificada", rng.random(n) < 0.6),
            pl.Series("ordem_operacao_em", order),
            pl.Series(
                "operacao_iniciada_em",
                where(~np.isnat(order) & (rng.random(n) < 0.97), order + spread(rng, 2, 28, n)),
            ),
        )
        .with_columns(pl.when(pl.col("interrompido_em").is_not_null()).then("interrupcao_justificada"))
        .select(
            "alvara_id",
            "permissionario_id",
            "emitido_em",
            "modalidade",
            "veiculo_id",
            "linha_id",
            "valido_ate",
            "situacao",
            "renovacao_requerida_em",
            "interrompido_em",
            "interrupcao_ate",
            "interrupcao_justificada",
            "ordem_operacao_em",
            "operacao_iniciada_em",
        )
    )


def _lines_of(rng: np.random.Generator, operators: pl.DataFrame, lines: pl.DataFrame) -> pl.DataFrame:
    """Which line each operator serves (none under 825)."""
    rows = []
    for norm in ("408/2009", "1854/1999", "30258/1983", "1343/1994"):
        here = operators.filter(pl.col("norma") == norm)["permissionario_id"]
        pool = lines.filter((pl.col("norma") == norm) & (pl.col("categoria") == "comum"))["linha_id"].to_list()
        drawn = text(rng.random(len(here)) < 0.98, pick(rng, pool, len(here)))
        rows.append(frame(permissionario_id=here, linha_id=drawn))
    return pl.concat(rows)


def _chain(
    rng: np.random.Generator, base: pl.DataFrame, modality: str, term: int, as_of: np.datetime64
) -> pl.DataFrame:
    """Permits of `term` days one after the other, up to three years back; `term` 0 is open-ended."""
    n = base.height
    since: Days = base["cadastrado_em"].to_numpy().astype("datetime64[D]")
    keys = {"permissionario_id": base["permissionario_id"], "linha_id": base["linha_id"]}
    keys["veiculo_id"] = base["veiculo_id"] if "veiculo_id" in base.columns else pl.Series([None] * n, dtype=pl.String)
    rows = pl.DataFrame(keys)
    if term == 0:
        blank = pl.Series("d", np.full(n, NAT))
        return rows.with_columns(
            pl.Series("emitido_em", since),
            blank.alias("valido_ate"),
            blank.alias("renovacao_requerida_em"),
            pl.lit(modality).alias("modalidade"),
            pl.lit(True).alias("_ultimo"),
        )
    lapsed = rng.random(n) < 0.035
    # A year's chains end at any day of it; most holders renew up to a month before the end.
    end = as_of + np.where(lapsed, -spread(rng, 1, 150, n), spread(rng, 12, max(term - 1, 13), n))
    parts = []
    rounds = max(1, -(-3 * 365 // term)) + 1
    for k in range(rounds):
        last = end - np.timedelta64(k * term, "D")
        lead = spread(rng, 0, 25, n) * (rng.random(n) < 0.93) - spread(rng, 0, 20, n) * (rng.random(n) < 0.05)
        issued = np.minimum(last - np.timedelta64(term, "D") - lead, as_of)
        if k == 0:
            issued = np.minimum(np.maximum(issued, since), as_of)
        keep = (issued >= since) if k else np.ones(n, dtype=bool)
        asked = where(
            (k == 0) & (modality == "concessao") & (last - 100 * DAY <= as_of), last - spread(rng, 60, 140, n)
        )
        parts.append(
            rows.with_columns(
                pl.Series("emitido_em", issued),
                pl.Series("valido_ate", last),
                pl.Series("renovacao_requerida_em", np.where(asked <= as_of, asked, NAT)),
                pl.lit(modality).alias("modalidade"),
                pl.lit(k == 0).alias("_ultimo"),
            ).filter(pl.Series(keep))
        )
    return pl.concat(parts)


def _calendar_year(rng: np.random.Generator, base: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """825: one permission per financial year, issued in its first months; half print no end."""
    n, this_year = base.height, year_of(as_of)
    since: Days = base["cadastrado_em"].to_numpy().astype("datetime64[D]")
    parts = []
    for year in range(this_year - 3, this_year + 1):
        start = ymd(np.full(n, year), 1, 1)
        issued = np.maximum(start + spread(rng, 1, 75, n), since + DAY)
        keep = (issued < start + 365 * DAY) & (issued <= as_of)
        if year == this_year:
            keep &= rng.random(n) < 0.97
        parts.append(
            frame(
                permissionario_id=base["permissionario_id"],
                emitido_em=issued,
                valido_ate=where(rng.random(n) < 0.5, ymd(np.full(n, year), 12, 31)),
                renovacao_requerida_em=np.full(n, NAT),
                modalidade=np.full(n, "permissao", dtype=object),
                _ultimo=pl.Series(np.full(n, year == this_year)),
            ).filter(pl.Series(keep))
        )
    return pl.concat(parts)
