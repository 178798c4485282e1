"""From what a person typed to one finding of one run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import duckdb

from reports.diff_runs import DiffError, resolve_run

#: How many candidates a message lists.
SHOWN = 8
#: (execucao_id, achado_id)
Key = tuple[str, str]


class ExplainError(Exception):
    """No single finding is meant; the message (Portuguese) lists the candidates."""


@dataclass(frozen=True)
class Found:
    """A finding as recorded by one run."""

    execucao_id: str
    as_of: date
    achado: dict[str, Any]


def find(con: duckdb.DuckDBPyConnection, text: str, execucao_id: str | date | None = None) -> Found:
    """The finding that `text` means: its id, the start of it, the start of its 16 digits, or its subject's id.

    It is looked up in the run given, else in the last one executed, else in the last run in force that had it.
    """
    text = text.strip()
    if not text:
        raise ExplainError("diga o identificador do achado (coluna achado_id de achados.csv).")
    if execucao_id is not None:
        try:
            run = resolve_run(con, execucao_id)
        except DiffError as error:
            raise ExplainError(str(error)) from error
        return _only(con, text, _matches(con, text, f"execucao_id = '{run}'"), f"na execução {run}")
    matches = _matches(con, text, "execucao_id = (select execucao_id from ultima_execucao)")
    if not matches:
        matches = _matches(con, text, "execucao_id in (select execucao_id from execucao_vigente)")
    return _only(con, text, matches, "em nenhuma noite")


def _matches(con: duckdb.DuckDBPyConnection, text: str, where: str) -> list[Key]:
    """The best kind of match only, one row per finding: its last night."""
    rows = con.execute(
        f"""
        with candidatos as (
            select execucao_id, achado_id, as_of,
                case when achado_id = $t then 1
                     when starts_with(achado_id, $t) then 2
                     when starts_with(right(achado_id, 16), lower($t)) then 3
                     when sujeito_id = $t then 4 end as grau
            from achados_historico where {where}
        )
        select execucao_id, achado_id from candidatos where grau is not null
        qualify row_number() over (partition by achado_id order by as_of desc) = 1 and grau = min(grau) over ()
        order by achado_id
        """,
        {"t": text},
    ).fetchall()
    return rows


def _only(con: duckdb.DuckDBPyConnection, text: str, matches: list[Key], where: str) -> Found:
    if len(matches) == 1:
        (row,) = _rows(con, matches)
        return Found(row.pop("execucao_id"), row.pop("as_of"), row)
    if matches:
        listed = _list(_rows(con, matches[:SHOWN]))
        more = f"\n  … e mais {len(matches) - SHOWN}" if len(matches) > SHOWN else ""
        raise ExplainError(f"«{text}» corresponde a {len(matches)} achados; escolha um:\n{listed}{more}")
    close = con.execute(
        "select execucao_id, achado_id from achados_historico"
        " where execucao_id = (select execucao_id from ultima_execucao)"
        " and jaro_winkler_similarity(achado_id, $t) > 0.8"
        " order by jaro_winkler_similarity(achado_id, $t) desc, achado_id limit 3",
        {"t": text},
    ).fetchall()
    hint = (
        "Os mais parecidos são:\n" + _list(_rows(con, close))
        if close
        else "Os identificadores estão na coluna achado_id de achados.csv."
    )
    raise ExplainError(f"não há achado «{text}» {where}. {hint}")


def _rows(con: duckdb.DuckDBPyConnection, keys: list[Key]) -> list[dict[str, Any]]:
    con.execute(
        "select h.* from achados_historico h"
        " join (select unnest($r) as execucao_id, unnest($a) as achado_id) k using (execucao_id, achado_id)"
        " order by achado_id",
        {"r": [run for run, _ in keys], "a": [achado_id for _, achado_id in keys]},
    )
    names = [column[0] for column in con.description or ()]
    return [dict(zip(names, row, strict=True)) for row in con.fetchall()]


def _list(rows: list[dict[str, Any]]) -> str:
    return "\n".join(f"  {r['achado_id']}  {r['sujeito_tipo']} {r['sujeito_id']}, norma {r['norma']}" for r in rows)
