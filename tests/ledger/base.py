"""Small nights made by hand: the tables that the ledger reads, in a real DuckDB file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb

from sql.ledger import LedgerSummary, RunRecord, apply_dispensas, record_run
from sql.warehouse import open_warehouse

SUBJECTS = {
    "permissionario": "permissionarios",
    "veiculo": "veiculos",
    "alvara": "alvaras",
    "condutor": "condutores",
    "auto": "autos",
    "linha": "linhas",
}
PARAMS = {("408/2009", "alvara_vencido"): "h1", ("408/2009", "multa_vencida"): "h2"}


@dataclass(frozen=True)
class Row:
    """One finding as a check returns it."""

    sujeito_id: str
    situacao: str = "violacao"
    verificacao: str = "alvara_vencido"
    norma: str = "408/2009"
    sujeito_tipo: str = "alvara"
    devido_em: date | None = date(2026, 1, 10)
    valor: Decimal | None = None
    evidencia: str | None = '{"alvara_id":"x"}'


@dataclass(frozen=True)
class Dispensa:
    """One row of `extrato.dispensas`."""

    dispensa_id: str
    sujeito_id: str
    valida_de: date
    valida_ate: date
    verificacao: str | None = None
    sujeito_tipo: str = "alvara"
    desconhecidos: tuple[str, ...] | None = None


def new_warehouse(folder: Path) -> duckdb.DuckDBPyConnection:
    """An open warehouse with empty extracts and results."""
    con = open_warehouse(folder / "w.duckdb")
    con.execute("create schema extrato; create schema resultado")
    for kind, table in SUBJECTS.items():
        holder = "" if kind in ("permissionario", "linha") else ", permissionario_id varchar"
        con.execute(f"create table extrato.{table} ({kind}_id varchar{holder})")
    con.execute("insert into extrato.permissionarios values ('P1')")
    con.execute(
        "create table extrato.dispensas (dispensa_id varchar, verificacao varchar, sujeito_tipo varchar,"
        " sujeito_id varchar, processo varchar, autoridade varchar, motivo varchar, valida_de date,"
        " valida_ate date,"
        " desconhecidos varchar[])"
    )
    con.execute(
        "create table extrato.cargas (extrato varchar, arquivo varchar, sha256 varchar, bytes bigint,"
        " codificacao varchar, delimitador varchar, lidas bigint, carregadas bigint, rejeitadas bigint,"
        " duplicadas bigint, ignoradas bigint, avisos bigint, situacao varchar, origem_as_of date,"
        " motivo varchar,"
        " colunas_desconhecidas varchar[])"
    )
    con.execute(
        "create table extrato.sujeitos_rejeitados (extrato varchar, arquivo varchar, linha bigint,"
        " coluna varchar, tipo varchar, id varchar)"
    )
    con.execute(
        "create table extrato.rejeitos (extrato varchar, arquivo varchar, linha bigint, coluna varchar,"
        " valor varchar, motivo varchar, nivel varchar)"
    )
    con.execute(
        "create table resultado.achados (verificacao varchar, norma varchar, dispositivo varchar,"
        " situacao varchar,"
        " sujeito_tipo varchar, sujeito_id varchar, permissionario_id varchar, devido_em date,"
        " consequencia varchar,"
        " competente varchar, valor decimal(18,2), evidencia varchar)"
    )
    con.execute(
        "create table resultado.gate (extrato varchar, expectativa varchar, descricao varchar,"
        " severidade varchar,"
        " sucesso boolean, valor double, observado varchar, esperado varchar, detalhe varchar)"
    )
    con.execute(
        "create table resultado.verificacoes (verificacao varchar, norma varchar, situacao varchar,"
        " falta varchar[],"
        " erro varchar, achados bigint, linhas bigint, segundos double)"
    )
    return con


def set_night(
    con: duckdb.DuckDBPyConnection,
    rows: Iterable[Row],
    extract: Iterable[str] = ("A1", "A2", "A3"),
    dispensas: Iterable[Dispensa] = (),
    crashed: Iterable[tuple[str, str | None]] = (),
) -> None:
    """Put one night's findings and extracts in place of the last one's."""
    for table in ("resultado.achados", "resultado.verificacoes", "extrato.alvaras", "extrato.dispensas"):
        con.execute(f"delete from {table}")
    for r in rows:
        con.execute(
            "insert into resultado.achados values (?, ?, 'art. 1', ?, ?, ?, 'P1', ?, 'multa', 'Prefeito', ?, ?)",
            [
                r.verificacao,
                r.norma,
                r.situacao,
                r.sujeito_tipo,
                r.sujeito_id,
                r.devido_em,
                r.valor,
                r.evidencia,
            ],
        )
    for alvara in extract:
        con.execute("insert into extrato.alvaras values (?, 'P1')", [alvara])
    for d in dispensas:
        con.execute(
            "insert into extrato.dispensas values (?, ?, ?, ?, 'PA 12/2026', 'Prefeito', 'ordem judicial', ?, ?, ?)",
            [
                d.dispensa_id,
                d.verificacao,
                d.sujeito_tipo,
                d.sujeito_id,
                d.valida_de,
                d.valida_ate,
                list(d.desconhecidos) if d.desconhecidos is not None else None,
            ],
        )
    for check, norma in crashed:
        con.execute(
            "insert into resultado.verificacoes (verificacao, norma, situacao) values (?, ?, 'falhou')",
            [check, norma],
        )


def refuse(con: duckdb.DuckDBPyConnection, extract: str, key: str) -> None:
    """A row of tonight's load refused under a key that could be read."""
    kind = next(kind for kind, table in SUBJECTS.items() if table == extract)
    con.execute(
        "insert into extrato.sujeitos_rejeitados values (?, 'x.csv', 2, ?, ?, ?)", [extract, f"{kind}_id", kind, key]
    )


def run(execucao_id: str, as_of: date, params: Mapping[tuple[str, str], str] = PARAMS, code: int = 0) -> RunRecord:
    """A run record with fixed instants."""
    return RunRecord(
        execucao_id=execucao_id,
        as_of=as_of,
        iniciada_em=datetime(2026, 1, 1, 5, tzinfo=UTC),
        concluida_em=datetime(2026, 1, 1, 5, 5, tzinfo=UTC),
        entrada_hash="e",
        normas_hash="n",
        codigo_versao="1",
        codigo_saida=code,
        parametros=params,
    )


def night(
    con: duckdb.DuckDBPyConnection,
    day: int,
    rows: Iterable[Row],
    *,
    run_id: str | None = None,
    params: Mapping[tuple[str, str], str] = PARAMS,
    extract: Iterable[str] = ("A1", "A2", "A3"),
    dispensas: Iterable[Dispensa] = (),
    crashed: Iterable[tuple[str, str | None]] = (),
) -> LedgerSummary:
    """Run the ledger on one night of February 2026."""
    as_of = date(2026, 2, day)
    set_night(con, rows, extract, dispensas, crashed)
    apply_dispensas(con, as_of)
    return record_run(con, run(run_id or f"r{day}", as_of, params))


def states(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, date, int]]:
    """(estado, aberta_em, reaberta) by subject, of the last run."""
    rows = con.execute("select sujeito_id, estado, aberta_em, reaberta from achados").fetchall()
    return {s: (e, a, n) for s, e, a, n in rows}


def closed(con: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, date, date]]:
    """(causa, encerrado_em, visto_em) by subject, of the last run."""
    rows = con.execute("select sujeito_id, causa, encerrado_em, visto_em from encerrados").fetchall()
    return {s: (c, e, v) for s, c, e, v in rows}


def evidence(con: duckdb.DuckDBPyConnection, subject: str) -> dict:
    """The evidence of one subject's finding in the last run."""
    return json.loads(con.execute("select evidencia from achados where sujeito_id = ?", [subject]).fetchall()[0][0])
