"""Keys that point to other extracts, and plates that stand for a vehicle.

All of it can be done again after an extract is replaced: the remarks made here start with `VINCULO` and are made anew.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb

from checks.extracts import cited
from checks.extracts.columns import Contract
from checks.extracts.contracts import contracts

VINCULO = "vínculo: "

# column -> (extract, its key)
REFERENCES = {
    "permissionario_id": ("permissionarios", "permissionario_id"),
    "veiculo_id": ("veiculos", "veiculo_id"),
    "substitui_veiculo_id": ("veiculos", "veiculo_id"),
    "condutor_id": ("condutores", "condutor_id"),
    "linha_id": ("linhas", "linha_id"),
}

_RESOLVED = "placas_resolvidas"
_SHOWN = 3


def link(con: duckdb.DuckDBPyConnection) -> None:
    """Give rows named by plate their veiculo_id, and report plates and keys that lead nowhere."""
    con.execute("DELETE FROM extrato.rejeitos WHERE starts_with(motivo, ?)", [VINCULO])
    con.execute(f"CREATE TABLE IF NOT EXISTS extrato.{_RESOLVED} (extrato VARCHAR, arquivo VARCHAR, linha BIGINT)")
    for contract in _with_vehicle_and_plate():
        _undo(con, contract.name)
    loaded = {row[0] for row in con.execute("SELECT DISTINCT extrato FROM extrato.colunas").fetchall()}
    if "veiculos" in loaded:
        _plates(con)
    for contract in contracts().values():
        if contract.name in loaded:
            _dangling(con, contract, loaded)


def _dangling(con: duckdb.DuckDBPyConnection, contract: Contract, loaded: set[str]) -> None:
    for column in contract.names:
        if column not in REFERENCES or column == contract.key:
            continue
        other, key = REFERENCES[column]
        if other not in loaded:
            continue
        con.execute(
            f"""INSERT INTO extrato.rejeitos
            WITH rejeitadas AS ({_rejected(other, key)})
            SELECT '{contract.name}', t.arquivo, t.linha, '{column}', t.{column},
                '{VINCULO}' || coalesce({_put_right(other, column)},
                    '{column} não está em {other}: corrija o código ou inclua o registro em {other}'), 'aviso'
            FROM extrato.{contract.name} t ANTI JOIN extrato.{other} o ON t.{column} = o.{key}
            LEFT JOIN rejeitadas r ON r.id = t.{column}
            WHERE t.{column} IS NOT NULL"""
        )


def _rejected(other: str, key: str) -> str:
    """SQL: what the rejected rows of `other` have in column `key`, and where those rows are."""
    return f"""SELECT id, list('a linha ' || linha || ' de ' || arquivo ORDER BY linha) AS onde
        FROM {cited.TABLE} WHERE extrato = '{other}' AND coluna = '{key}' GROUP BY id"""


def _put_right(other: str, column: str) -> str:
    """SQL: the row that was looked for came and was rejected; NULL where none was."""
    return f"""CASE
        WHEN len(onde) = 1 THEN onde[1] || ', com essa chave, foi rejeitada: corrija-a em {other}'
        WHEN len(onde) > 1 THEN array_to_string(onde[:{_SHOWN}], ', ')
            || CASE WHEN len(onde) > {_SHOWN} THEN ' e outras' ELSE '' END
            || ', com essa chave, foram rejeitadas: corrija-as em {other}' END"""


def _plates(con: duckdb.DuckDBPyConnection) -> None:
    con.execute(
        """CREATE OR REPLACE TEMP TABLE placas AS
        SELECT placa_canonica, min(veiculo_id) AS veiculo_id, count(*) AS veiculos
        FROM extrato.veiculos WHERE placa_canonica IS NOT NULL GROUP BY placa_canonica"""
    )
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        WITH repetidas AS (
            SELECT placa_canonica, list(veiculo_id ORDER BY veiculo_id) AS donos
            FROM extrato.veiculos SEMI JOIN (FROM placas WHERE veiculos > 1) USING (placa_canonica)
            GROUP BY placa_canonica)
        SELECT 'veiculos', v.arquivo, v.linha, 'placa', v.placa,
            '{VINCULO}mesma placa nos veículos ' || array_to_string(donos[:10], ', ')
            || ': a placa não é ligada a nenhum', 'aviso'
        FROM extrato.veiculos v JOIN repetidas USING (placa_canonica)"""
    )
    _similar(con)
    for contract in _with_vehicle_and_plate():
        _resolve(con, contract.name)
    con.execute("DROP TABLE formas_semelhantes")
    con.execute("DROP TABLE placas")


def _with_vehicle_and_plate() -> Iterator[Contract]:
    return (c for c in contracts().values() if c.has_plate and "veiculo_id" in c.names and c.name != "veiculos")


def _folded(plate: str) -> str:
    """SQL: a plate with the letters that are typed for digits made alike."""
    return f"translate({plate}, 'IOB', '108')"


def _old_form(plate: str) -> str:
    return f"{plate}[1:4] || translate({plate}[5], 'ABCDEFGHIJ', '0123456789') || {plate}[6:]"


def _similar(con: duckdb.DuckDBPyConnection) -> None:
    """Every registered plate in both its forms, folded: what a slip of the typist would turn into."""
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE formas_semelhantes AS
        SELECT DISTINCT {_folded("forma")} AS forma, placa, veiculo_id FROM (
            SELECT unnest([placa, placa_canonica, {_old_form("placa_canonica")}]) AS forma, placa, veiculo_id
            FROM extrato.veiculos WHERE placa_canonica IS NOT NULL)"""
    )


def _undo(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """Take back the veiculo_id that a plate gave: its vehicle may be gone."""
    con.execute(
        f"""UPDATE extrato.{name} t SET veiculo_id = NULL FROM extrato.{_RESOLVED} r
        WHERE r.extrato = '{name}' AND r.arquivo = t.arquivo AND r.linha = t.linha"""
    )
    con.execute(f"DELETE FROM extrato.{_RESOLVED} WHERE extrato = '{name}'")


def _resolve(con: duckdb.DuckDBPyConnection, name: str) -> None:
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        SELECT '{name}', t.arquivo, t.linha, 'placa', t.placa,
            '{VINCULO}a placa é de outro veículo (' || p.veiculo_id || '); vale o veiculo_id', 'aviso'
        FROM extrato.{name} t JOIN placas p USING (placa_canonica)
        WHERE p.veiculos = 1 AND t.veiculo_id IS NOT NULL AND t.veiculo_id <> p.veiculo_id"""
    )
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        SELECT '{name}', t.arquivo, t.linha, 'placa', t.placa,
            '{VINCULO}placa de mais de um veículo: não foi ligada a nenhum', 'aviso'
        FROM extrato.{name} t JOIN placas p USING (placa_canonica)
        WHERE p.veiculos > 1 AND t.veiculo_id IS NULL"""
    )
    con.execute(
        f"""INSERT INTO extrato.{_RESOLVED}
        SELECT '{name}', t.arquivo, t.linha FROM extrato.{name} t JOIN placas p USING (placa_canonica)
        WHERE p.veiculos = 1 AND t.veiculo_id IS NULL"""
    )
    con.execute(
        f"""UPDATE extrato.{name} t SET veiculo_id = p.veiculo_id FROM placas p
        WHERE p.placa_canonica = t.placa_canonica AND p.veiculos = 1 AND t.veiculo_id IS NULL"""
    )
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        WITH perdidas AS (
            SELECT t.arquivo, t.linha, t.placa, upper(translate(t.placa, ' -.', '')) AS lida, t.placa_canonica
            FROM extrato.{name} t ANTI JOIN placas p USING (placa_canonica)
            WHERE t.placa IS NOT NULL),
        formas AS (
            SELECT DISTINCT placa, {_folded("forma")} AS forma FROM (
                SELECT placa, unnest([lida, placa_canonica, {_old_form("placa_canonica")}]) AS forma FROM perdidas)
            WHERE forma IS NOT NULL),
        sugestoes AS (
            SELECT f.placa, list(DISTINCT s.placa ORDER BY s.placa) AS parecidas
            FROM formas f JOIN formas_semelhantes s USING (forma) GROUP BY f.placa),
        rejeitadas AS ({_rejected("veiculos", "placa")})
        SELECT '{name}', arquivo, linha, 'placa', placa,
            '{VINCULO}' || coalesce({_put_right("veiculos", "placa")},
            'placa não está em veiculos' || CASE WHEN parecidas IS NULL
                THEN ': corrija a placa ou inclua o veículo em veiculos'
                ELSE '; parece ' || array_to_string(parecidas[:3], ' ou ')
                    || ' (não foi ligada): confira e corrija na origem' END),
            'aviso'
        FROM perdidas LEFT JOIN sugestoes USING (placa) LEFT JOIN rejeitadas r ON r.id = perdidas.placa_canonica"""
    )
