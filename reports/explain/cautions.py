"""Why a finding may change without anybody's acting: a row rejected on its night, a dispensa of its subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import duckdb

from reports.explain.rows import rows_of
from reports.formats import date_br, mask_cpfs

Row = Mapping[str, Any]


def load_cautions(con: duckdb.DuckDBPyConnection, execucao_id: str, achado_id: str) -> tuple[str, ...]:
    """The reasons in words, each a sentence, CPFs masked; none where the warehouse (or its copy) tells none."""
    key = {"r": execucao_id, "a": achado_id}
    rows = rows_of(con, "ressalvas_historico", "execucao_id = $r and achado_id = $a order by ordem", key)
    return tuple(mask_cpfs(text) for text in _told(rows))


def _told(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield from (_waiver(row) if row["tipo"] == "dispensa" else _rejected(row) for row in rows)
    seen = len({row["frase"] for row in rows})
    if rows and (more := rows[0]["total"] - seen) > 0:
        yield f"E mais {more}, em ressalvas.csv."


def _rejected(row: Row) -> str:
    text = f"Linha {row['linha']} de {row['arquivo']}, rejeitada nesta noite"
    if row["motivo"]:
        value = f", valor «{row['valor']}»" if row["valor"] is not None else ""
        text += f": coluna {row['coluna']}{value}; {row['motivo']}" if row["coluna"] else f": {row['motivo']}"
    return f"{text}."


def _waiver(row: Row) -> str:
    process = f", processo {row['processo']}" if row["processo"] else ""
    reason = f" ({row['motivo']})" if row["motivo"] else ""
    check = row["outra_verificacao"]
    meant = f"mas para «{_title(check)}»" if check else "e não se leu para qual verificação"
    return (
        f"Dispensa {row['dispensa_id']}{process}{reason}, em vigor até {date_br(row['valida_ate'])}: é do mesmo "
        f"sujeito, {meant}. Veja no processo se alcança também este caso; se alcançar, inclua-a em dispensas."
    )


def _title(check: str) -> str:
    from checks.law.catalogue import load_catalogue

    spec = load_catalogue().get(check)
    return spec.titulo if spec else check
