"""What the ledger remembers of earlier loads."""

from __future__ import annotations

from datetime import date, timedelta

import duckdb

from checks.warehouse.limits import CargaAnterior

# The run in force of each earlier as-of, then the newest accepted load of each extract.
_LOADS = """
with vigente as (
    select execucao_id, as_of from main.execucao_vigente where as_of < $as_of
), cargas as (
    select c.extrato, v.as_of, v.execucao_id,
           sum(c.lidas - c.ignoradas - c.duplicadas)::bigint as linhas,
           sum(c.carregadas)::bigint as carregadas,
           list(c.sha256) as sha256
    from main.carga c join vigente v using (execucao_id)
    where c.situacao = 'aceito'
    group by all
)
select extrato, as_of, execucao_id, linhas, carregadas, sha256 from cargas
qualify row_number() over (partition by extrato order by as_of desc) = 1
"""
_FRESH = """
select execucao_id, extrato, valor from main.gate_resultado
where expectativa = 'frescor' and valor is not null
"""


def _exists(con: duckdb.DuckDBPyConnection, table: str) -> bool:
    found = con.execute(
        "select 1 from information_schema.tables where table_schema = 'main' and table_name = $t",
        {"t": table},
    ).fetchall()
    return bool(found)


def load_previous(con: duckdb.DuckDBPyConnection, as_of: date) -> dict[str, CargaAnterior]:
    """The last accepted load of every extract on an as-of before ``as_of``; empty on a first night."""
    if not (_exists(con, "execucao_vigente") and _exists(con, "carga")):
        return {}
    loads = con.execute(_LOADS, {"as_of": as_of}).fetchall()
    fresh: dict[tuple[str, str], float] = {}
    if _exists(con, "gate_resultado"):
        fresh = {(run, extrato): days for run, extrato, days in con.execute(_FRESH).fetchall()}
    return {
        extrato: CargaAnterior(
            as_of=day,
            linhas=linhas,
            carregadas=carregadas,
            sha256=frozenset(s for s in sha256 if s),
            mais_novo=day - timedelta(days=round(fresh[run, extrato])) if (run, extrato) in fresh else None,
        )
        for extrato, day, run, linhas, carregadas, sha256 in loads
    }
