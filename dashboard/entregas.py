"""Delivery of notices, from the copy its ledger publishes. Before the first notice there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from dashboard.conferencia import CopyProblem
from dashboard.consultas import Row, rows
from dashboard.copia import own_name
from sql.warehouse import TIME_ZONE

ESTADOS = {
    "preparada": "preparadas, por enviar",
    "enviando": "saindo",
    "enviada": "enviadas",
    "recusada": "recusadas pelo servidor",
    "incerta": "incertas: uma pessoa decide",
    "suprimida": "não enviadas",
}
MOST = 200


def deliveries_beside(copia: Path) -> Path:
    """Where the deliveries of the same municipality are published."""
    return copia.with_name(copia.name.removesuffix(".publicado.duckdb") + ".entregas.publicado.duckdb")


def of_finding(copia: Path, achado_id: str) -> list[Row] | None:
    """Notices that spoke of a finding, latest first; None where no ledger is published."""
    found = _ask(
        copia,
        {
            "itens": (
                "select tipo, degrau, as_of, estado, motivo, mudou_em as quando from entregas where achado_id = $id"
                f" order by as_of desc, degrau limit {MOST}",
                {"id": achado_id},
            )
        },
    )
    return None if found is None else found["itens"]


def summary(copia: Path) -> dict[str, list[Row]] | None:
    """Messages by state, by date and kind, why some never left, what waits for a person; None: none published."""
    return _ask(
        copia,
        {
            "estados": (
                "select estado, count(*) as quantidade from mensagens group by 1 order by quantidade desc, estado",
                {},
            ),
            "linhas": (
                "select as_of, tipo, estado, count(*) as quantidade from mensagens group by all"
                f" order by as_of desc, tipo, estado limit {MOST}",
                {},
            ),
            "motivos": (
                "select estado, coalesce(motivo, '(não dito)') as motivo, count(*) as quantidade from mensagens"
                " where estado in ('recusada', 'incerta', 'suprimida') group by all"
                f" order by estado, quantidade desc, motivo limit {MOST}",
                {},
            ),
            "corrigir": (
                f"select destinatario_id, motivo from enderecos_a_corrigir order by destinatario_id limit {MOST}",
                {},
            ),
            "pausas": ("select norma, desde, motivo from pausas order by norma", {}),
        },
    )


def _ask(copia: Path, questions: dict[str, tuple[str, dict[str, Any]]]) -> dict[str, list[Row]] | None:
    path = deliveries_beside(copia)
    if not path.exists():
        return None
    try:
        with own_name(path) as alias:
            con = duckdb.connect(
                str(alias), read_only=True, config={"enable_external_access": "false", "memory_limit": "512MB"}
            )
        with con:
            con.execute(f"set TimeZone = '{TIME_ZONE}'")
            con.execute("set lock_configuration = true")
            return {name: rows(con, sql, params) for name, (sql, params) in questions.items()}
    except duckdb.Error as error:
        raise CopyProblem(
            "O registro de entregas não pôde ser lido",
            "A cópia dele está danificada ou é de outra versão. Rode emdia notify status para refazê-la.",
        ) from error
