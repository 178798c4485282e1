"""The ledger: tonight's findings against every earlier night, and what became of those that are gone."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import duckdb

from sql.layers import ROOT, run_file
from sql.run_record import DispensaSummary, LedgerSummary, RunRecord, run_id
from sql.warehouse import TIME_ZONE

__all__ = [
    "DispensaSummary",
    "LedgerError",
    "LedgerSummary",
    "RunRecord",
    "apply_dispensas",
    "finish_run",
    "record_interrupted",
    "record_run",
    "run_id",
]

LAYER = ROOT / "ledger"
#: Tables with one run's rows, emptied before the run is recorded again.
BY_RUN = (
    "carga",
    "rejeitos",
    "gate_resultado",
    "achados_historico",
    "encerrados_historico",
    "parametros_historico",
    "resumo_historico",
    "ressalvas_historico",
)
#: What is copied as it is: table kept, tonight's table, columns.
COPIES = (
    (
        "carga",
        "extrato.cargas",
        "extrato, arquivo, sha256, bytes, codificacao, delimitador, lidas, carregadas, rejeitadas,"
        " duplicadas,"
        " ignoradas, avisos, situacao, origem_as_of, motivo, colunas_desconhecidas",
    ),
    ("rejeitos", "extrato.rejeitos", "extrato, arquivo, linha, coluna, valor, motivo, nivel"),
    (
        "gate_resultado",
        "resultado.gate",
        "extrato, expectativa, descricao, severidade, sucesso, valor, observado, esperado, detalhe",
    ),
)

log = logging.getLogger("emdia.ledger")


class LedgerError(Exception):
    """The findings can't be recorded (Portuguese message): a check broke its contract."""


def apply_dispensas(con: duckdb.DuckDBPyConnection, as_of: date) -> DispensaSummary:
    """Turn the open findings of `resultado.achados` that a dispensa in force covers into `dispensado`.

    The only place where anything is waived. The finding stays; `evidencia.dispensa` says by which act and
    what it would have been. Applying it again changes nothing.
    """
    run_file(con, LAYER / "010_dispensas.sql", {"as_of": as_of})
    done = _scalar(con, "select count(*) from ledger_dispensa")
    unused = con.execute(
        "select dispensa_id from extrato.dispensas where $d between valida_de and valida_ate except"
        " select unnest(cast(json_extract_string(evidencia, '$.dispensa.dispensas[*]') as varchar[]))"
        " from resultado.achados where situacao = 'dispensado' order by 1",
        {"d": as_of},
    ).fetchall()
    con.execute("drop table ledger_dispensa")
    log.info("dispensas: %d achados dispensados, %d dispensas sem achado", done, len(unused))
    return DispensaSummary(done, tuple(row[0] for row in unused))


def record_run(con: duckdb.DuckDBPyConnection, run: RunRecord) -> LedgerSummary:
    """Write the run and its findings into the tables kept for ever, in one transaction.

    Reads `resultado.*` and `extrato.*` of tonight and the runs in force on earlier dates. A run with the same
    id is replaced, so recording twice changes nothing. The run becomes the one in force for its as-of.
    """
    _refuse_bad_findings(con)
    with _transaction(con):
        _replace_run(con, run, _situacao(run.codigo_saida))
        for table in BY_RUN:
            con.execute(f"delete from {table} where execucao_id = $id", {"id": run.execucao_id})
        _copy_loads(con, run)
        run_file(con, LAYER / "100_hoje.sql", {"as_of": run.as_of})
        previous_id, previous_as_of, stale = _previous(con)
        params = {
            "execucao_id": run.execucao_id,
            "as_of": run.as_of,
            "anterior_id": previous_id,
            "rever": stale,
        }
        for step in ("105_sujeitos", "110_anterior", "120_estado", "130_gravar", "140_encerrados"):
            run_file(con, LAYER / f"{step}.sql", params)
    for table in ("hoje", "vigentes", "anterior", "continua", "rever", "estado"):
        con.execute(f"drop table ledger_{table}")
    con.execute("drop view ledger_sujeitos; drop view ledger_recusados")
    return _summary(con, run.execucao_id, previous_id, previous_as_of)


def record_interrupted(con: duckdb.DuckDBPyConnection, run: RunRecord) -> str:
    """Remember a run that failed before it had findings; returns the id it is kept under.

    It is never in force, and never takes the place of a run of the same input that ended.
    """
    failed = replace(run, execucao_id=f"{run.execucao_id}~interrompida")
    with _transaction(con):
        _replace_run(con, failed, "interrompida")
    return failed.execucao_id


def finish_run(con: duckdb.DuckDBPyConnection, run: RunRecord) -> None:
    """Complete a recorded run with what is only known at its end: instant, exit code, summary."""
    con.execute(
        "update execucao set concluida_em = $fim, codigo_saida = $codigo, situacao = $situacao,"
        " resumo = $resumo, etapas = $etapas where execucao_id = $id",
        {
            "fim": _local(run.concluida_em),
            "codigo": run.codigo_saida,
            "situacao": _situacao(run.codigo_saida),
            "resumo": _json(dict(run.resumo)),
            "etapas": _json(list(run.etapas)),
            "id": run.execucao_id,
        },
    )


def _situacao(codigo_saida: int) -> str:
    return {0: "concluida", 3: "com_ressalva"}.get(codigo_saida, "com_falha")


def _replace_run(con: duckdb.DuckDBPyConnection, run: RunRecord, situacao: str) -> None:
    con.execute(
        "insert or replace into execucao by name select $id as execucao_id,"
        " 1 + coalesce((select max(ordem) from execucao), 0) as ordem, $as_of as as_of, $ini as iniciada_em,"
        " $fim as concluida_em, $entrada as entrada_hash, $normas as normas_hash, $versao as codigo_versao,"
        " $situacao as situacao, $codigo as codigo_saida, $resumo::json as resumo, $etapas::json as etapas",
        {
            "id": run.execucao_id,
            "as_of": run.as_of,
            "ini": _local(run.iniciada_em),
            "fim": _local(run.concluida_em),
            "entrada": run.entrada_hash,
            "normas": run.normas_hash,
            "versao": run.codigo_versao,
            "situacao": situacao,
            "codigo": run.codigo_saida,
            "resumo": _json(dict(run.resumo)),
            "etapas": _json(list(run.etapas)),
        },
    )


def _copy_loads(con: duckdb.DuckDBPyConnection, run: RunRecord) -> None:
    key = {"id": run.execucao_id, "as_of": run.as_of}
    for table, source, columns in COPIES:
        con.execute(
            f"insert into {table} by name select $id as execucao_id, $as_of as as_of, {columns} from {source}",
            key,
        )
    if run.parametros:
        pairs = sorted(run.parametros.items())
        con.execute(
            "insert into parametros_historico select $id, unnest($n), unnest($v), unnest($h)",
            {
                "id": run.execucao_id,
                "n": [pair[0] for pair, _ in pairs],
                "v": [pair[1] for pair, _ in pairs],
                "h": [digest for _, digest in pairs],
            },
        )


def _previous(con: duckdb.DuckDBPyConnection) -> tuple[str | None, date | None, bool]:
    """The run compared with, its date, and whether an earlier date was run again after it."""
    rows = con.execute(
        "select execucao_id, as_of, ordem < max(ordem) over () from ledger_vigentes order by as_of desc limit 1"
    ).fetchall()
    return rows[0] if rows else (None, None, False)


def _refuse_bad_findings(con: duckdb.DuckDBPyConnection) -> None:
    """One finding per check, norm and subject, each with its keys: anything else is a check's defect."""
    rows = con.execute(
        "select verificacao, norma, sujeito_tipo, sujeito_id, count(*) as n from resultado.achados"
        " group by all having n > 1 or verificacao is null or norma is null or sujeito_tipo is null or"
        " sujeito_id is null"
        " order by all limit 3"
    ).fetchall()
    if rows:
        listed = "; ".join(f"{v} da norma {n}, {t} {s} ({k} linhas)" for v, n, t, s, k in rows)
        raise LedgerError(
            "uma verificação devolveu mais de um achado para o mesmo sujeito, ou um achado sem sujeito: "
            f"{listed}. Corrija o check.sql; nada foi gravado."
        )


def _summary(
    con: duckdb.DuckDBPyConnection, execucao_id: str, previous_id: str | None, previous_as_of: date | None
) -> LedgerSummary:
    def counts(column: str, table: str, amount: str) -> dict[str, int]:
        rows = con.execute(
            f"select {column}, {amount} from {table} where execucao_id = $id group by 1 order by 1",
            {"id": execucao_id},
        ).fetchall()
        return {name: int(n) for name, n in rows}

    situacoes = counts("situacao", "resumo_historico", "sum(quantidade)")
    summary = LedgerSummary(
        execucao_id=execucao_id,
        achados=sum(situacoes.values()),
        estados=counts("estado", "resumo_historico", "sum(quantidade)"),
        situacoes=situacoes,
        encerrados=counts("causa", "encerrados_historico", "count(*)"),
        anterior_id=previous_id,
        anterior_as_of=previous_as_of,
    )
    log.info("execução %s: %d achados, %s", execucao_id, summary.achados, dict(summary.estados))
    return summary


@contextmanager
def _transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    con.execute("begin")
    try:
        yield
    except BaseException:
        con.execute("rollback")
        raise
    con.execute("commit")


def _local(instant: datetime | None) -> datetime | None:
    if instant is None or instant.tzinfo is None:
        return instant
    return instant.astimezone(ZoneInfo(TIME_ZONE)).replace(tzinfo=None)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)


def _scalar(con: duckdb.DuckDBPyConnection, sql: str) -> int:
    return con.execute(sql).fetchall()[0][0]
