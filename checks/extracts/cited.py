"""Whom the rejected rows speak of: `extrato.sujeitos_rejeitados`, one row per subject that could be read in one."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from checks.extracts.columns import Contract
from checks.extracts.typing.cell import quote

TABLE = "extrato.sujeitos_rejeitados"
#: column → kind of subject it names.
SUBJECTS = {
    "permissionario_id": "permissionario",
    "veiculo_id": "veiculo",
    "substitui_veiculo_id": "veiculo",
    "alvara_id": "alvara",
    "condutor_id": "condutor",
    "auto_id": "auto",
    "linha_id": "linha",
}


def keep(
    con: duckdb.DuckDBPyConnection, contract: Contract, names: Iterable[str], prefix: str, arquivo: str, rows: str
) -> None:
    """Remember the subjects in the rejected rows that `rows` (SQL from FROM on) gives.

    `names`: the contract columns there, their values called `<prefix><column>`. `arquivo`: SQL of the file's name. A
    plate is kept in its canonical form, of the kind `placa`: the registry may know whose it is.
    """
    present = set(names)
    told = [
        f"{{'coluna': '{column}', 'tipo': '{kind}', 'id': {prefix}{column}}}"
        for column, kind in SUBJECTS.items()
        if column in present
    ]
    if "placa" in present:
        told.append(f"{{'coluna': 'placa', 'tipo': 'placa', 'id': placa_canonica({prefix}placa)}}")
    if {"sujeito_tipo", "sujeito_id"} <= present:
        told.append(f"{{'coluna': 'sujeito_id', 'tipo': {prefix}sujeito_tipo, 'id': {prefix}sujeito_id}}")
    if not told:
        return
    con.execute(
        f"""INSERT INTO {TABLE}
        SELECT {quote(contract.name)}, arquivo, linha, s.coluna, s.tipo, s.id
        FROM (SELECT {arquivo} AS arquivo, linha, unnest([{", ".join(told)}]) AS s {rows})
        WHERE s.id IS NOT NULL AND s.tipo IS NOT NULL"""
    )


def forget(con: duckdb.DuckDBPyConnection, extrato: str) -> None:
    """Forget the rejected rows of an extract that was refused whole."""
    con.execute(f"DELETE FROM {TABLE} WHERE extrato = ?", [extrato])
