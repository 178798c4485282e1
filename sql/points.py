"""The points family: windows of months over autos, doubled on recidivism (825/2021, arts. 33 par. 2 and 35 par. un.).

The thresholds are data (`norma.pontuacao_limites`); the one pass over all autos has as many window sums as the
norm with most thresholds, which is why its SQL is a template.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date

import duckdb
import jinja2

from sql.layers import ROOT, Step, run_file
from sql.lineage import CANDIDATES, WEIGHED


def build_points(con: duckdb.DuckDBPyConnection, as_of: date) -> Iterator[Step]:
    """Write `fatos.pontos_*` from `fatos.autos`: candidates first, then the windows of those few, closely."""
    params = {"as_of": as_of}
    slots = con.execute(
        "select coalesce(max(n), 0) from (select count(*) as n from norma.pontuacao_limites group by norma)"
    ).fetchall()[0][0]
    for path in sorted((ROOT / "pontos").iterdir()):
        if path.suffix == ".sql":
            step = run_file(con, path, params)
            yield Step(f"pontos/{step.name}", step.seconds)
            continue
        start = time.perf_counter()
        con.execute(_template(path.name).render(slots=range(1, slots + 1), alvo=CANDIDATES, destino=WEIGHED))
        yield Step(f"pontos/{path.name.split('.')[0]}", time.perf_counter() - start)


def weigh_autos(con: duckdb.DuckDBPyConnection, alvo: str, destino: str) -> None:
    """Weigh the autos of the holders in relation `alvo` (column `pid`) into the temporary table `destino`.

    Columns as `fatos.pontos_autos`: the same doubling rule, for whoever is asked about.
    """
    con.execute(_template("030_autos.sql.j2").render(alvo=alvo, destino=f"temp table {destino}"))


def _template(name: str) -> jinja2.Template:
    return jinja2.Template((ROOT / "pontos" / name).read_text(encoding="utf-8"), undefined=jinja2.StrictUndefined)
