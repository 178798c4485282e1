"""The points family in SQLite: a window function for recidivism, an indexed self-join for the windows."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta

import numpy as np
import polars as pl

from flows.bench.pares.entrada import Entrada, Flagged, add_months

EPOCH = date(1970, 1, 1)


def load(e: Entrada) -> sqlite3.Connection:
    """An in-memory database with the same rows; days and instants are integers."""
    con = sqlite3.connect(":memory:")
    con.execute(
        "create table autos (permissionario_id text, condutor_id text, codigo text, instante int, dia int,"
        " estado_auto text)"
    )
    rows = e.autos.select(
        "permissionario_id", "condutor_id", "codigo",
        pl.col("ocorrido_em").dt.epoch("us"), pl.col("ocorrido_em").cast(pl.Date).cast(pl.Int32).alias("dia"),
        "estado_auto",
    )  # fmt: skip
    con.executemany("insert into autos values (?, ?, ?, ?, ?, ?)", rows.iter_rows())
    con.execute("create table pontos (codigo text primary key, pontos int)")
    con.executemany("insert into pontos values (?, ?)", e.pontos.iter_rows())
    con.execute("create table zerados (permissionario_id text primary key, dia int)")
    con.executemany(
        "insert into zerados values (?, ?)", e.zerados.with_columns(pl.col("decidido_em").cast(pl.Int32)).iter_rows()
    )
    con.execute("create table calados (permissionario_id text primary key)")
    con.executemany("insert into calados values (?)", e.calados.iter_rows())
    months = sorted({e.reincidencia[0], *(m for m, _ in e.limites)})
    con.execute(f"create table dias (dia int primary key, {', '.join(f'desde_{m} int' for m in months)})")
    first, last = (e.autos["ocorrido_em"].dt.date().min(), e.autos["ocorrido_em"].dt.date().max())
    if isinstance(first, date) and isinstance(last, date):
        days = np.arange(np.datetime64(first), np.datetime64(last + timedelta(1)))
        back = np.arange(np.datetime64(first - timedelta(40 * max(months))), np.datetime64(last + timedelta(1)))
        columns = [back[np.searchsorted(add_months(back, m), days)].astype(int).tolist() for m in months]
        con.executemany(
            f"insert into dias values ({', '.join('?' * (1 + len(months)))})",
            zip(days.astype(int).tolist(), *columns, strict=True),
        )
    con.commit()
    return con


def run(e: Entrada, con: sqlite3.Connection) -> Flagged:
    """Flagged holders."""
    sure = _first(e, con, "estado_auto = 'confirmado'")
    both = _first(e, con, "true")
    found = {(p, "violacao", d) for p, d in sure.items()}
    return found | {(p, "a_vencer", d) for p, d in both.items() if p not in sure}


def _first(e: Entrada, con: sqlite3.Connection, counted: str) -> dict[str, date]:
    months, factor = e.reincidencia
    con.executescript(f"""
        drop table if exists pesos;
        create table pesos as
        with anteriores as (
            select a.permissionario_id, a.dia, p.pontos,
                   max(a.instante) over (
                       partition by coalesce('c' || a.condutor_id, 'p' || a.permissionario_id), a.codigo
                       order by a.instante range between unbounded preceding and 1 preceding
                   ) as anterior
            from autos a join pontos p using (codigo)
            where {counted}
        )
        select permissionario_id, a.dia,
               sum(pontos * case when anterior / 86400000000 >= d.desde_{months} then {factor} else 1 end) as pontos
        from anteriores a join dias d on d.dia = a.dia
        group by 1, 2;
        create unique index pesos_dia on pesos (permissionario_id, dia, pontos);
    """)
    reached = " or ".join(
        f"(select sum(b.pontos) from pesos b where b.permissionario_id = a.permissionario_id"
        f" and b.dia between d.desde_{m} and a.dia) >= {limit}"
        for m, limit in e.limites
    )
    rows = con.execute(f"""
        select a.permissionario_id, min(a.dia)
        from pesos a join dias d on d.dia = a.dia left join zerados z on z.permissionario_id = a.permissionario_id
        where (z.dia is null or a.dia > z.dia)
          and a.permissionario_id not in (select permissionario_id from calados) and ({reached})
        group by 1
    """)
    return {p: EPOCH + timedelta(d) for p, d in rows}
