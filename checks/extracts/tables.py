"""The tables of the schema `extrato`."""

from __future__ import annotations

import duckdb

from checks.extracts.columns import Contract
from checks.extracts.contracts import contracts
from checks.extracts.typing.registry_codes import MACROS

_CARGAS = """CREATE TABLE extrato.cargas (
    extrato VARCHAR, arquivo VARCHAR, sha256 VARCHAR, bytes BIGINT, codificacao VARCHAR, delimitador VARCHAR,
    lidas BIGINT, carregadas BIGINT, rejeitadas BIGINT, duplicadas BIGINT, ignoradas BIGINT, avisos BIGINT,
    situacao VARCHAR, origem_as_of DATE, motivo VARCHAR, colunas_desconhecidas VARCHAR[])"""
_REJEITOS = """CREATE TABLE extrato.rejeitos (
    extrato VARCHAR, arquivo VARCHAR, linha BIGINT, coluna VARCHAR, valor VARCHAR, motivo VARCHAR, nivel VARCHAR)"""

_SUJEITOS_REJEITADOS = """CREATE TABLE extrato.sujeitos_rejeitados (
    extrato VARCHAR, arquivo VARCHAR, linha BIGINT, coluna VARCHAR, tipo VARCHAR, id VARCHAR)"""


def typed_columns(contract: Contract) -> list[tuple[str, str]]:
    """Name and DuckDB type of every column of `extrato.<name>`, in order.

    Where rows may name a plate, `placa` is as the vehicle carries it and `placa_canonica` is the one form to compare
    (the Mercosul one; NULL for an invalid plate).
    """
    columns = [(column.name, column.sql_type) for column in contract.columns]
    if contract.has_plate:
        columns.append(("placa_canonica", "VARCHAR"))
    return [*columns, ("arquivo", "VARCHAR"), ("linha", "BIGINT"), ("desconhecidos", "VARCHAR[]")]


def create(con: duckdb.DuckDBPyConnection) -> None:
    """Create the schema anew, all tables empty, and the macros that typing uses."""
    con.execute("DROP SCHEMA IF EXISTS extrato CASCADE")
    con.execute("CREATE SCHEMA extrato")
    for contract in contracts().values():
        columns = ", ".join(f"{name} {sql_type}" for name, sql_type in typed_columns(contract))
        con.execute(f"CREATE TABLE extrato.{contract.name} ({columns})")
    con.execute("CREATE TABLE extrato.colunas (extrato VARCHAR, coluna VARCHAR)")
    con.execute(_SUJEITOS_REJEITADOS)
    con.execute(_CARGAS)
    con.execute(_REJEITOS)
    create_macros(con)


def create_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Create the session's macros `cpf_valido`, `cnpj_valido` and `placa_canonica`."""
    for macro in MACROS:
        con.execute(macro)
