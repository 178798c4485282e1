"""Which steps were already told: what composing leaves out."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import pyarrow as pa

TABLE = "entregue"

QUERY = (
    "select e.destinatario_id, achado_id, degrau, reaberta from entrega e join mensagem m using (chave)"
    " where m.estado in ('enviando', 'enviada', 'incerta')"
)

Told = tuple[str, str, str, int]


def already(ledger: Path) -> list[Told]:
    """(destinatario_id, achado_id, degrau, reaberta) of every step told, or maybe told. `ledger`: `ledger_path(...)`.

    No ledger yet: nothing told. Reading it stops nobody from sending.
    """
    if not ledger.exists():
        return []
    con = sqlite3.connect(f"{ledger.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
    try:
        return [(q, a, d, r) for q, a, d, r in con.execute(QUERY)]
    except sqlite3.OperationalError as erro:
        if "no such table" in str(erro):  # killed while it was being created
            return []
        raise
    finally:
        con.close()


def register_already(con: duckdb.DuckDBPyConnection, ledger: Path) -> int:
    """Put them in the temporary table `entregue` of `con` (any connection, read-only too); returns how many."""
    linhas = already(ledger)
    quem, achado, degrau, reaberta = zip(*linhas, strict=True) if linhas else ((), (), (), ())
    tabela = pa.table(
        {
            "destinatario_id": pa.array(quem, pa.string()),
            "achado_id": pa.array(achado, pa.string()),
            "degrau": pa.array(degrau, pa.string()),
            "reaberta": pa.array(reaberta, pa.int32()),
        }
    )
    con.register("lidas_do_registro", tabela)
    con.execute(f"create or replace temp table {TABLE} as select * from lidas_do_registro")
    con.unregister("lidas_do_registro")
    return len(linhas)
