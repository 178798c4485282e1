"""Run the checks: parameters in, `resultado.achados` out, one crash never taking the others with it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import duckdb

from checks.law.catalogue import CheckSpec, column_type
from checks.law.findings import GATHERED, CheckResult, ParameterRow, conclude, gather, not_evaluated
from sql.lanes import side_by_side
from sql.layers import bind

log = logging.getLogger("emdia.checks")

#: Columns that only add: their absence means none, so no check may require them.
COLUMNS = (
    "verificacao", "norma", "dispositivo", "situacao", "sujeito_tipo", "sujeito_id", "permissionario_id",
    "devido_em", "consequencia", "competente", "valor", "evidencia",
)  # fmt: skip
#: Rows of the biggest extract up to which checks run side by side.
SMALL = 250_000
DEFAULTED = ("dispositivo", "consequencia", "competente", "sujeito_tipo")


def run_checks(
    con: duckdb.DuckDBPyConnection,
    catalogue: Mapping[str, CheckSpec],
    parameters: Mapping[str, Sequence[ParameterRow]],
    as_of: date,
) -> list[CheckResult]:
    """Run every check for the norms that have it and somebody registered; returns how each went.

    A check whose extract or column (`exige`) is absent is `nao_avaliado` once per norm; one that crashes is
    `nao_avaliado` for its norms, with the error kept in `resultado.verificacoes`.
    """
    gather(con)
    present = {row[0] for row in con.execute("select distinct norma from registro.permissionarios").fetchall()}
    columns = {
        f"{extrato}.{coluna}"
        for extrato, coluna in con.execute("select extrato, coluna from extrato.colunas").fetchall()
    }

    def run(own: duckdb.DuckDBPyConnection, spec: CheckSpec) -> list[CheckResult]:
        rows = [row for row in parameters.get(spec.id, ()) if row.norma in present]
        return _run_check(own, spec, rows, columns, as_of)

    results = [result for found in _one_by_one_or_not(con, run, catalogue.values(), as_of) for result in found]
    conclude(con, results, [spec.id for spec in catalogue.values() if spec.segue_pessoa])
    return results


def _one_by_one_or_not(
    con: duckdb.DuckDBPyConnection,
    run: Callable[[duckdb.DuckDBPyConnection, CheckSpec], list[CheckResult]],
    specs: Iterable[CheckSpec],
    as_of: date,
) -> list[list[CheckResult]]:
    """What `run` gives for each check, in order: side by side where every extract is small."""
    biggest = con.execute(
        "select coalesce(max(estimated_size), 0) from duckdb_tables() where schema_name = 'extrato'"
    ).fetchall()[0][0]
    if biggest > SMALL:
        return [run(con, spec) for spec in specs]

    def prepare(own: duckdb.DuckDBPyConnection) -> None:
        own.execute("set variable as_of = $as_of", {"as_of": as_of})  # the views of the registry look at it

    return side_by_side(con, specs, run, prepare)


def _run_check(
    con: duckdb.DuckDBPyConnection,
    spec: CheckSpec,
    rows: Sequence[ParameterRow],
    columns: set[str],
    as_of: date,
) -> list[CheckResult]:
    start = time.perf_counter()
    ready, results = [], []
    for row in rows:
        missing = tuple(c for c in (*spec.exige, *row.exige) if c not in columns)
        if missing:
            not_evaluated(con, spec.id, row, missing)
            results.append(CheckResult(spec.id, row.norma, "nao_avaliada", missing, None, 1, 0.0))
        else:
            ready.append(row)
    if not ready:
        return results
    try:
        counts = _evaluate(con, spec, ready, as_of)
    except Exception as error:
        # the text of a library error may quote the data: the log gets its kind, the ledger its words
        log.error("a verificação %s falhou: %s", spec.id, type(error).__name__)
        seconds = time.perf_counter() - start
        for row in ready:
            not_evaluated(con, spec.id, row, ("verificacao",), "a verificação falhou; veja o relatório")
            results.append(CheckResult(spec.id, row.norma, "falhou", ("verificacao",), str(error), 1, seconds))
        return results
    seconds = (time.perf_counter() - start) / len(ready)
    return results + [
        CheckResult(spec.id, row.norma, "avaliada", (), None, counts.get(row.norma, 0), seconds) for row in ready
    ]


def _evaluate(
    con: duckdb.DuckDBPyConnection, spec: CheckSpec, rows: Sequence[ParameterRow], as_of: date
) -> dict[str, int]:
    _bind_parameters(con, spec, rows)
    con.execute(f"create or replace temp table achados_da_verificacao as {spec.sql}", bind(spec.sql, {"as_of": as_of}))
    returned = {c[0]: str(c[1]) for c in con.execute("from achados_da_verificacao limit 0").description or ()}
    counts = _count_subjects(
        con, "norma, sujeito_tipo, sujeito_id" if "sujeito_tipo" in returned else "norma, sujeito_id"
    )
    chosen = {name: f"a.{name}" if name in returned else "null" for name in COLUMNS}
    for name in DEFAULTED:
        default = f"'{spec.sujeito}'" if name == "sujeito_tipo" else f"p.{name}"
        chosen[name] = f"coalesce(a.{name}, {default})" if name in returned else default
    chosen["verificacao"] = f"'{spec.id}'"
    if returned["evidencia"] not in ("JSON", "VARCHAR"):
        chosen["evidencia"] = "to_json(a.evidencia)::varchar"
    con.execute(
        f"insert into {GATHERED} select {', '.join(f'{sql} as {name}' for name, sql in chosen.items())}"
        " from achados_da_verificacao a join p using (norma)"
    )
    return counts


def _count_subjects(con: duckdb.DuckDBPyConnection, identity: str) -> dict[str, int]:
    """Findings per norm. ValueError where a subject has more than one, or a finding has no subject."""
    found = con.execute(
        f"""
        select norma, sum(n)::bigint, coalesce(bool_or(n > 1 or sujeito_id is null), false)
        from (select norma, sujeito_id, count(*) as n from achados_da_verificacao group by {identity})
        group by norma
        """
    ).fetchall()
    if any(broken for _, _, broken in found):
        subject = con.execute(
            f"select sujeito_id from achados_da_verificacao group by {identity}"
            " having count(*) > 1 or sujeito_id is null limit 1"
        ).fetchall()[0][0]
        raise ValueError(f"mais de um achado para um sujeito, ou achado sem sujeito: {subject}")
    return {norma: n for norma, n, _ in found}


def _bind_parameters(con: duckdb.DuckDBPyConnection, spec: CheckSpec, rows: Sequence[ParameterRow]) -> None:
    fixed = {"norma": "VARCHAR", "dispositivo": "VARCHAR"}
    parameters = {
        **fixed, "consequencia": "VARCHAR", "competente": "VARCHAR", "aviso_dias": "INTEGER",
        **{name: column_type(kind) for name, kind in spec.parametros.items()},
    }  # fmt: skip
    _write(
        con,
        "p",
        parameters,
        [
            {
                **row.valores,
                "norma": row.norma,
                "dispositivo": row.dispositivo,
                "consequencia": row.consequencia,
                "competente": row.competente,
                "aviso_dias": spec.aviso_dias if row.aviso_dias is None else row.aviso_dias,
            }
            for row in rows
        ],
    )
    if not spec.regra:
        return
    rules = {
        **fixed, "ordem": "INTEGER", **{name: column_type(kind) for name, kind in spec.regra.items()},
    }  # fmt: skip
    _write(
        con,
        "r",
        rules,
        [
            {"dispositivo": row.dispositivo, **rule, "norma": row.norma, "ordem": order}
            for row in rows
            for order, rule in enumerate(row.regras, 1)
        ],
    )


def _write(
    con: duckdb.DuckDBPyConnection, table: str, columns: Mapping[str, str], rows: Iterable[Mapping[str, Any]]
) -> None:
    """A small temporary table, in one statement."""
    names = ", ".join(f'"{name}"' for name in columns)
    marks = ", ".join(f"?::{kind}" for kind in columns.values())
    values = [[row.get(name) for name in columns] for row in rows]
    some = values or [[None] * len(columns)]  # VALUES cannot be empty; the limit leaves nothing of it
    con.execute(
        f"create or replace temp table {table} as from (values {', '.join([f'({marks})'] * len(some))}) v({names})"
        f" limit {len(values)}",
        [value for row in some for value in row],
    )
