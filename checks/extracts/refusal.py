"""When an extract is refused as a whole, and the earlier load that takes its place."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb

from checks.extracts import accepted, cited, links
from checks.extracts.columns import Contract
from checks.extracts.load_files import ExtractLoad, load_file, settle
from checks.extracts.model import FileLoad, IngestRequest
from checks.extracts.record import declare_columns, remark

log = logging.getLogger("emdia.extracts")


def unacceptable(con: duckdb.DuckDBPyConnection, extract: ExtractLoad, request: IngestRequest) -> str | None:
    """Why the extract must be refused as a whole, or None."""
    limits, loads = request.limits, extract.loads
    rows = sum(load.lidas - load.ignoradas for load in loads)
    rejected = sum(load.rejeitadas for load in loads)
    loaded = sum(load.carregadas for load in loads)
    if rows == 0:
        return "só o cabeçalho: nenhuma linha de dados"
    if rejected >= limits.min_rejeitos and rejected > limits.max_rejeitos * rows:
        return f"{rejected} de {rows} linhas rejeitadas, mais que {_percent(limits.max_rejeitos)}"
    if limits.max_encolhimento >= 1:
        return None  # nothing can shrink by more
    last = accepted.last_accepted(con, extract.contract.name, request.as_of, before=True)
    if last and loaded < last.carregadas * (1 - limits.max_encolhimento):
        return (
            f"encolheu de {last.carregadas} linhas (carga de {last.as_of:%d/%m/%Y}) para {loaded}, "
            f"mais que {_percent(limits.max_encolhimento)}"
        )
    return None


def _percent(share: Decimal) -> str:
    return f"{(share * 100).normalize():f} %".replace(".", ",")


def refuse(
    con: duckdb.DuckDBPyConnection,
    contract: Contract,
    loads: list[FileLoad],
    motivo: str,
    request: IngestRequest,
) -> list[FileLoad]:
    """Empty the extract, mark its loads refused, and load the last accepted one where there is one."""
    name = contract.name
    con.execute(f"TRUNCATE extrato.{name}")
    con.execute("DELETE FROM extrato.colunas WHERE extrato = ?", [name])
    cited.forget(con, name)
    con.execute("DELETE FROM extrato.rejeitos WHERE extrato = ? AND starts_with(motivo, ?)", [name, links.VINCULO])
    remark(con, name, None, f"extrato recusado: {motivo}", "recusado")
    for load in loads:
        load.situacao = "recusado"
        load.motivo = load.motivo or motivo
    log.warning("%s recusado: %s", name, motivo)
    last = accepted.last_accepted(con, name, request.as_of)
    stale = _load_stale(con, contract, last, request) if last else []
    return [*loads, *stale]


def stale_label(arquivo: str, as_of: date) -> str:
    """How a file of an earlier night is called tonight."""
    return f"{arquivo} (carga de {as_of:%d/%m/%Y})"


def _load_stale(
    con: duckdb.DuckDBPyConnection, contract: Contract, last: accepted.AcceptedLoad, request: IngestRequest
) -> list[FileLoad]:
    """Load an earlier night's files from the raw store; [] when one of them is not there or cannot be read."""
    store, night = request.store, f"{last.as_of:%d/%m/%Y}"
    if store is None or not all(store.has(file.sha256) for file in last.files):
        remark(con, contract.name, None, f"a carga de {night} não está no acervo bruto: nada a pôr no lugar", "aviso")
        return []
    extract, within = ExtractLoad(contract), replace(request, store=None)
    for file in last.files:
        label = stale_label(file.arquivo, last.as_of)
        load = FileLoad(contract.name, label, situacao="defasado", origem_as_of=last.as_of)
        load_file(con, extract, store.path(file.sha256), Path(file.arquivo).suffix.lower(), load, within)
    if extract.problems:
        con.execute(f"TRUNCATE extrato.{contract.name}")
        cited.forget(con, contract.name)
        return []
    settle(con, extract, within)
    declare_columns(con, contract, extract.present)
    return extract.loads
