"""The last load of an extract that was accepted, as earlier runs recorded it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import duckdb


@dataclass(frozen=True)
class AcceptedFile:
    """A file of an accepted load: its name, hash and rows loaded."""

    arquivo: str
    sha256: str
    carregadas: int


@dataclass(frozen=True)
class AcceptedLoad:
    """An accepted load of one extract and its as-of date."""

    as_of: date
    files: tuple[AcceptedFile, ...]

    @property
    def carregadas(self) -> int:
        """Rows loaded, over all files."""
        return sum(file.carregadas for file in self.files)


def _exists(con: duckdb.DuckDBPyConnection, table: str) -> bool:
    found = con.execute(
        """SELECT 1 FROM duckdb_tables()
        WHERE database_name = current_database() AND schema_name = 'main' AND table_name = ?""",
        [table],
    ).fetchall()
    return bool(found)


def last_accepted(
    con: duckdb.DuckDBPyConnection, extrato: str, as_of: date, before: bool = False
) -> AcceptedLoad | None:
    """The load accepted at the latest as-of up to `as_of` (`before`: strictly before it), in its last concluded run.

    Reads `main.carga` and `main.execucao`; None where there is none, or no run was ever recorded.
    """
    if not _exists(con, "carga"):
        return None
    concluded, order = "", "c.execucao_id DESC"
    if _exists(con, "execucao"):
        concluded = "JOIN main.execucao e ON e.execucao_id = c.execucao_id AND e.concluida_em IS NOT NULL"
        order = "e.concluida_em DESC, c.execucao_id DESC"
    rows = con.execute(
        f"""WITH aceitas AS (
            SELECT c.as_of, c.execucao_id, c.arquivo, c.sha256, c.carregadas,
                dense_rank() OVER (ORDER BY c.as_of DESC, {order}) AS ordem
            FROM main.carga c {concluded}
            WHERE c.extrato = ? AND c.situacao = 'aceito' AND c.as_of {"<" if before else "<="} ?)
        SELECT as_of, arquivo, sha256, carregadas FROM aceitas WHERE ordem = 1 ORDER BY arquivo""",
        [extrato, as_of],
    ).fetchall()
    if not rows:
        return None
    return AcceptedLoad(rows[0][0], tuple(AcceptedFile(*row[1:]) for row in rows))
