"""Inspections of the made-up registry."""

import numpy as np
import polars as pl

from data.exemplo.sorteio import frame, ids, pick, spread, stream, text, where, words, year_of, ymd


def inspections(seed: int, operators: pl.DataFrame, fleet: pl.DataFrame, as_of: np.datetime64) -> pl.DataFrame:
    """Three years of inspections at each norm's pace; a few late, failed or missed."""
    rng = stream(seed, "vistorias")
    base = fleet.join(operators.select("permissionario_id", "norma"), on="permissionario_id", maintain_order="left")
    age = year_of(as_of) - base["ano_fabricacao"].to_numpy()
    pace = (
        base["norma"]
        .replace_strict({"408/2009": 365, "825/2021": 182, "30258/1983": 365, "1343/1994": 365, "1854/1999": 0})
        .to_numpy()
        .copy()
    )
    tight = pace == 0
    pace[tight] = np.select([age[tight] <= 4, age[tight] <= 9], [180, 88], 56)
    pace[tight & (base["servico"] == "escolar").to_numpy()] = 56
    n = base.height
    until = base["baixado_em"].to_numpy().astype("datetime64[D]")
    until = np.where(np.isnat(until), as_of, until)
    late = rng.random(n) < 0.03
    last = until - np.where(late, pace + rng.integers(1, 60, n), rng.integers(0, np.maximum(pace - 12, 1), n)).astype(
        "timedelta64[D]"
    )
    # 30258 counts calendar years: done in the first months of the year.
    yearly = (base["norma"] == "30258/1983").to_numpy() & ~late
    this_year = ymd(np.full(n, year_of(as_of)), 1, 1)
    last = np.where(yearly & (until == as_of), np.minimum(this_year + spread(rng, 10, 200, n), as_of), last)
    visits = 3 * 365 // pace
    row = np.repeat(np.arange(n), visits)
    step = np.concatenate([np.arange(v) for v in visits]) if n else np.array([], dtype=int)
    done = (
        last[row]
        - (step * pace[row]).astype("timedelta64[D]")
        + np.where(step, rng.integers(-6, 1, len(row)), 0).astype("timedelta64[D]")
    )
    since = base["cadastrado_em"].to_numpy().astype("datetime64[D]")
    keep = done > since[row]
    # Every vehicle is inspected on the day it is registered.
    row, done = np.concatenate([row[keep], np.arange(n)]), np.concatenate([done[keep], since])
    step = np.concatenate([step[keep], np.full(n, visits.max(initial=0) + 1)])
    m = len(row)
    result = pick(rng, ["aprovada", "reprovada", "ausente"], m, [975, 20, 5])
    result[-n:] = "aprovada"
    failed = result == "reprovada"
    by_plate = rng.random(m) < 0.1
    planned = done - spread(rng, 0, 2, m) * (rng.random(m) < 0.2)
    return frame(
        vistoria_id=ids("VT", m, 7),
        veiculo_id=text(~by_plate, base["veiculo_id"].to_numpy()[row]),
        placa=text(by_plate | (rng.random(m) < 0.2), base["placa"].to_numpy()[row]),
        convocada_em=planned - spread(rng, 10, 30, m),
        programada_para=planned,
        realizada_em=where(result != "ausente", done),
        resultado=result,
        ciencia_em=where(failed, done),
        corrigida_em=where(
            failed & ((step > 0) | (rng.random(m) < 0.6)), np.minimum(done + spread(rng, 0, 2, m), as_of)
        ),
        itens=text(failed, pick(rng, words()["itens"], m)),
    )
