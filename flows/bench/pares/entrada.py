"""What every peer starts from: the status of each auto, the points of each code, and their own calendar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    import duckdb

Flagged = set[tuple[str, str, date]]


@dataclass(frozen=True)
class Entrada:
    """One norm's input. `autos`: permissionario_id, condutor_id, codigo, ocorrido_em, estado_auto.

    `pontos`: codigo, pontos. `zerados`: permissionario_id, decidido_em. `calados`: holders nothing is said of.
    `limites`: (months, points). `reincidencia`: (months, factor).
    """

    autos: pl.DataFrame
    pontos: pl.DataFrame
    zerados: pl.DataFrame
    calados: pl.DataFrame
    limites: tuple[tuple[int, int], ...]
    reincidencia: tuple[int, int]


def add_months(days: np.ndarray, months: int) -> np.ndarray:
    """datetime64[D] plus months: the same day number or, where the month lacks it, the first of the next."""
    month = days.astype("datetime64[M]")
    offset = days - month.astype("datetime64[D]")
    target = month + np.timedelta64(months, "M")
    first, after = target.astype("datetime64[D]"), (target + np.timedelta64(1, "M")).astype("datetime64[D]")
    return np.minimum(first + offset, after)


def read_input(con: duckdb.DuckDBPyConnection) -> list[Entrada]:
    """One input per norm that counts points."""
    out = []
    norms = con.execute(
        "select norma, reincidencia_meses, reincidencia_fator from norma.pontuacao order by norma"
    ).fetchall()
    for norm, months, factor in norms:
        params = {"norma": norm}
        limits = con.execute(
            "select meses, pontos from norma.pontuacao_limites where norma = $norma order by meses", params
        ).fetchall()
        out.append(
            Entrada(
                autos=con.sql(
                    "select permissionario_id, condutor_id, codigo, ocorrido_em, estado_auto from fatos.autos"
                    " where norma = $norma and estado_auto in ('confirmado', 'em_defesa')",
                    params=params,
                ).pl(),
                pontos=con.sql(
                    "select distinct codigo, pontos::integer as pontos from norma.infracoes"
                    " where norma = $norma and pontos is not null",
                    params=params,
                ).pl(),
                zerados=con.sql(
                    "select p.permissionario_id, max(x.decisao_em) as decidido_em from extrato.processos x"
                    " join registro.permissionarios p using (permissionario_id)"
                    " join norma.pontuacao n on n.norma = p.norma and n.ato_que_zera = x.ato"
                    " where p.norma = $norma and x.decisao is not null group by 1",
                    params=params,
                ).pl(),
                calados=con.sql(
                    "select permissionario_id from registro.permissionarios where norma = $norma and silencioso",
                    params=params,
                ).pl(),
                limites=tuple((int(m), int(p)) for m, p in limits),
                reincidencia=(int(months), int(factor)),
            )
        )
    return out


def ours(con: duckdb.DuckDBPyConnection) -> Flagged:
    """What the night found: (holder, situacao, day a threshold was first reached)."""
    rows = con.execute(
        "select permissionario_id, situacao, devido_em from achados"
        " where verificacao = 'pontos_cassacao' and situacao in ('violacao', 'a_vencer')"
    ).fetchall()
    return {(p, s, d) for p, s, d in rows}
