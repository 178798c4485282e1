"""The night's files: achados.csv and .parquet, encerrados.csv, rejeitos.csv (contract: results), ressalvas.csv."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import duckdb

ACHADOS = (
    "achado_id",
    "verificacao",
    "norma",
    "dispositivo",
    "situacao",
    "sujeito_tipo",
    "sujeito_id",
    "permissionario_id",
    "devido_em",
    "dias",
    "consequencia",
    "competente",
    "valor",
    "estado",
    "aberta_em",
    "reaberta",
    "evidencia",
)
ENCERRADOS = (*ACHADOS, "encerrado_em", "causa", "visto_em")
RESSALVAS = (
    "achado_id", "verificacao", "norma", "situacao", "sujeito_tipo", "sujeito_id", "permissionario_id", "consequencia",
    "ordem", "total", "tipo", "extrato", "arquivo", "linha", "coluna", "valor", "motivo", "dispensa_id", "processo",
    "outra_verificacao", "valida_ate", "frase",
)  # fmt: skip
#: Cautions with what each finding is about: the list of what the office holds back and has to look at.
_HELD = (
    "(select a.execucao_id, a.achado_id, a.verificacao, a.norma, a.situacao, a.sujeito_tipo, a.sujeito_id,"
    " a.permissionario_id, a.consequencia, r.* exclude (execucao_id, as_of, achado_id)"
    " from ressalvas_historico r join achados_historico a using (execucao_id, achado_id))"
)
REJEITOS = ("extrato", "arquivo", "linha", "coluna", "valor", "motivo", "nivel")
BY_SUBJECT = "norma, verificacao, sujeito_tipo, sujeito_id"
BOM = "\ufeff"


@dataclass(frozen=True)
class PublishedFile:
    """One file written: where, and how many rows it holds."""

    path: Path
    rows: int


def publish(con: duckdb.DuckDBPyConnection, execucao_id: str, out: Path) -> list[PublishedFile]:
    """Write the files of one run into `out`, replacing those of the night before.

    UTF-8 with BOM, `;`, ISO dates, decimal point; the order of rows is always the same for the same findings.
    Each file appears whole under its name or not at all, and none appears before all are written.
    """
    out.mkdir(parents=True, exist_ok=True)
    files = (
        ("achados.csv", "achados_historico", ACHADOS, BY_SUBJECT),
        ("achados.parquet", "achados_historico", ACHADOS, BY_SUBJECT),
        ("encerrados.csv", "encerrados_historico", ENCERRADOS, BY_SUBJECT),
        ("rejeitos.csv", "rejeitos", REJEITOS, ", ".join(REJEITOS)),
        ("ressalvas.csv", _HELD, RESSALVAS, "achado_id, ordem"),
    )
    written: list[tuple[Path, PublishedFile]] = []
    try:
        for name, table, columns, order in files:
            temporary = out / f".{name}.{os.getpid()}.tmp"
            written.append((temporary, PublishedFile(out / name, 0)))
            rows = _copy(con, table, execucao_id, columns, order, temporary)
            written[-1] = (temporary, PublishedFile(out / name, rows))
        for temporary, file in written:
            temporary.replace(file.path)
    finally:
        for temporary, _ in written:
            temporary.unlink(missing_ok=True)
    return [file for _, file in written]


def _copy(
    con: duckdb.DuckDBPyConnection,
    table: str,
    execucao_id: str,
    columns: tuple[str, ...],
    order: str,
    path: Path,
) -> int:
    """COPY one run's rows of a table into a file; the BOM travels as part of the first column's name."""
    csv = path.name.split(".")[2] == "csv"
    first = f'"{BOM}{columns[0]}"' if csv else columns[0]
    options = "format csv, delimiter ';', header true" if csv else "format parquet, compression zstd"
    con.execute(
        f"copy (select {columns[0]} as {first}, {', '.join(columns[1:])} from {table}"
        f" where execucao_id = {_literal(execucao_id)} order by {order}) to {_literal(str(path))} ({options})"
    )
    return con.fetchall()[0][0]


def _literal(text: str) -> str:
    """A SQL string; COPY takes no parameters."""
    return "'" + text.replace("'", "''") + "'"
