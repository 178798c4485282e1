"""The night's extracts into the warehouse: read, typed, deduplicated, accepted or refused, linked."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import date
from pathlib import Path

import duckdb

from checks.extracts import accepted, duplicates, files, links, naming, raw_store, row_contract, tables
from checks.extracts.columns import Contract
from checks.extracts.contracts import contracts
from checks.extracts.loading import load_rows
from checks.extracts.model import (
    FileLoad,
    IngestError,
    IngestRequest,
    IngestResult,
    Limits,
    UnreadableFile,
)
from checks.extracts.raw_store import RawStore
from checks.extracts.reading import open_source
from checks.extracts.staging import Target
from checks.extracts.typing.cell import Setting

__all__ = ["IngestError", "IngestRequest", "IngestResult", "Limits", "RawStore", "fall_back", "ingest"]

log = logging.getLogger("emdia.extracts")


def ingest(con: duckdb.DuckDBPyConnection, request: IngestRequest) -> IngestResult:
    """Rebuild the schema `extrato` from the files in `request.folder`.

    Earlier loads are looked up in `main.carga`. Raises IngestError when the folder cannot be read or there is no
    `permissionarios` to work with, tonight's or earlier; `extrato.cargas` and `extrato.rejeitos` tell the rest.
    """
    if not request.folder.is_dir():
        raise IngestError(f"a pasta de extratos {request.folder} não existe ou não é uma pasta")
    tables.create(con)
    folder = files.list_folder(request.folder, contracts())
    loads: list[FileLoad] = []
    for contract in contracts().values():
        found = folder.by_extract.get(contract.name, ())
        loads += _load_extract(con, contract, found, request)
    for name in folder.unmatched:
        _remark(con, None, name, "o nome do arquivo não corresponde a nenhum extrato: não foi lido", "aviso")
    links.link(con)
    result = _conclude(con, loads, folder.unmatched, request)
    if result.situacao("permissionarios") in ("recusado", "ausente"):
        raise IngestError(_without_holders(result, request))
    return result


def fall_back(con: duckdb.DuckDBPyConnection, request: IngestRequest, extrato: str, motivo: str) -> IngestResult:
    """Refuse tonight's accepted load of `extrato` after the fact and put the last accepted one in force.

    `motivo` (Portuguese) is why. Raises IngestError when `permissionarios` is left without any load.
    """
    tables.create_macros(con)
    loads = _recorded(con)
    kept = [load for load in loads if load.extrato != extrato or load.situacao == "recusado"]
    refused = [load for load in loads if load.extrato == extrato and load.situacao == "aceito"]
    contract = contracts()[extrato]
    kept += _refuse(con, contract, refused, motivo, request)
    links.link(con)
    unmatched = con.execute("SELECT arquivo FROM extrato.rejeitos WHERE extrato IS NULL ORDER BY arquivo").fetchall()
    result = _conclude(con, kept, tuple(row[0] for row in unmatched), request)
    if result.situacao("permissionarios") in ("recusado", "ausente"):
        raise IngestError(_without_holders(result, request))
    return result


def _without_holders(result: IngestResult, request: IngestRequest) -> str:
    reasons = [c.motivo for c in result.cargas if c.extrato == "permissionarios" and c.motivo]
    why = f": {'; '.join(reasons)}" if reasons else f": não há arquivo permissionarios em {request.folder}"
    return f"sem o extrato permissionarios nada pode ser verificado, e não há carga anterior aceita{why}"


def _load_extract(
    con: duckdb.DuckDBPyConnection, contract: Contract, paths: tuple[Path, ...], request: IngestRequest
) -> list[FileLoad]:
    if not paths:
        return [FileLoad(contract.name, None, situacao="ausente", motivo="nenhum arquivo na pasta")]
    loads, problems, present = [], [], set()
    for path in paths:
        load = FileLoad(contract.name, path.name, origem_as_of=request.as_of)
        loads.append(load)
        try:
            present |= _load_file(con, contract, path, path.suffix.lower(), load, request)
        except UnreadableFile as error:
            load.motivo = str(error)
            problems.append(f"{path.name}: {error}")
            _remark(con, contract.name, path.name, str(error), "recusado")
    _settle(con, contract, loads, request)
    if not problems:
        problem = _unacceptable(con, contract, loads, request)
        problems += [problem] if problem else []
    if problems:
        return _refuse(con, contract, loads, "; ".join(problems), request)
    _declare_columns(con, contract, present)
    for load in loads:
        log.info(
            "%s: %d lidas, %d carregadas, %d rejeitadas", load.arquivo, load.lidas, load.carregadas, load.rejeitadas
        )
        if request.on_file:
            request.on_file(load)
    return loads


def _load_file(
    con: duckdb.DuckDBPyConnection,
    contract: Contract,
    path: Path,
    suffix: str,
    load: FileLoad,
    request: IngestRequest,
) -> set[str]:
    """Read and type one file; give the contract columns it has. `load` is filled on the way."""
    assert load.arquivo is not None
    try:
        print_ = raw_store.take(path, request.store)
    except OSError as error:
        raise UnreadableFile(f"o arquivo não pôde ser lido: {error.strerror or error}") from None
    load.sha256, load.bytes = print_.sha256, print_.bytes
    source = open_source(con, path, suffix, contract.name, print_.utf8, lambda h: naming.score(h, contract))
    load.codificacao, load.delimitador = source.encoding, source.delimiter
    named = naming.match(source.header, contract)
    load.colunas_desconhecidas = list(named.unknown)
    if named.repeated:
        raise UnreadableFile(f"coluna repetida no cabeçalho: {', '.join(named.repeated)}")
    if named.missing:
        raise UnreadableFile(f"falta a coluna obrigatória {', '.join(named.missing)} no cabeçalho")
    setting = Setting(request.as_of, request.normas, source.excel)
    try:
        counts = load_rows(con, source, Target(contract, load.arquivo, named, setting))
    except UnreadableFile:
        con.execute(f"DELETE FROM extrato.{contract.name} WHERE arquivo = ?", [load.arquivo])
        raise
    load.lidas, load.carregadas = counts.lidas, counts.carregadas
    load.rejeitadas, load.ignoradas = counts.rejeitadas, counts.ignoradas
    for warning in source.warnings:
        _remark(con, contract.name, load.arquivo, warning, "aviso")
    return set(named.positions)


def _settle(con: duckdb.DuckDBPyConnection, contract: Contract, loads: list[FileLoad], request: IngestRequest) -> None:
    """Duplicates and the row contract, over all files of the extract."""
    if not any(load.carregadas for load in loads):
        return
    by_file = {load.arquivo: load for load in loads}
    for arquivo, (collapsed, rejected) in duplicates.resolve(con, contract).items():
        load = by_file[arquivo]
        load.carregadas -= collapsed + rejected
        load.duplicadas += collapsed
        load.rejeitadas += rejected
    for arquivo, moved in row_contract.enforce(con, contract, Setting(request.as_of, request.normas)).items():
        by_file[arquivo].carregadas -= moved
        by_file[arquivo].rejeitadas += moved


def _unacceptable(
    con: duckdb.DuckDBPyConnection, contract: Contract, loads: list[FileLoad], request: IngestRequest
) -> str | None:
    """Why the extract must be refused as a whole, or None."""
    limits = request.limits
    rows = sum(load.lidas - load.ignoradas for load in loads)
    rejected = sum(load.rejeitadas for load in loads)
    loaded = sum(load.carregadas for load in loads)
    if rows == 0:
        return "só o cabeçalho: nenhuma linha de dados"
    if rejected >= limits.min_rejeitos and rejected > limits.max_rejeitos * rows:
        return f"{rejected} de {rows} linhas rejeitadas, mais que {_percent(limits.max_rejeitos)}"
    last = accepted.last_accepted(con, contract.name, request.as_of, before=True)
    if last and loaded < last.carregadas * (1 - limits.max_encolhimento):
        return (
            f"encolheu de {last.carregadas} linhas (carga de {last.as_of:%d/%m/%Y}) para {loaded}, "
            f"mais que {_percent(limits.max_encolhimento)}"
        )
    return None


def _percent(share: object) -> str:
    return f"{float(str(share)) * 100:g} %".replace(".", ",")


def _refuse(
    con: duckdb.DuckDBPyConnection,
    contract: Contract,
    loads: list[FileLoad],
    motivo: str,
    request: IngestRequest,
) -> list[FileLoad]:
    """Empty the extract, mark its loads refused, and load the last accepted one if there is one."""
    con.execute(f"TRUNCATE extrato.{contract.name}")
    con.execute("DELETE FROM extrato.colunas WHERE extrato = ?", [contract.name])
    con.execute(
        "DELETE FROM extrato.rejeitos WHERE extrato = ? AND starts_with(motivo, ?)", [contract.name, links.VINCULO]
    )
    _remark(con, contract.name, None, f"extrato recusado: {motivo}", "recusado")
    for load in loads:
        load.situacao = "recusado"
        load.motivo = load.motivo or motivo
    log.warning("%s recusado: %s", contract.name, motivo)
    last = accepted.last_accepted(con, contract.name, request.as_of)
    stale = _load_stale(con, contract, last, request) if last else []
    for load in [*loads, *stale]:
        if request.on_file:
            request.on_file(load)
    return [*loads, *stale]


def _load_stale(
    con: duckdb.DuckDBPyConnection, contract: Contract, last: accepted.AcceptedLoad, request: IngestRequest
) -> list[FileLoad]:
    """Load an earlier night's files from the raw store; [] when one of them is not there or cannot be read."""
    store = request.store
    lost = [f.arquivo for f in last.files if store is None or not store.has(f.sha256)]
    if store is None or lost:
        _remark(con, contract.name, None, f"carga de {last.as_of:%d/%m/%Y} não está mais no acervo bruto", "aviso")
        return []
    loads, present = [], set()
    within = replace(request, store=None)
    for file in last.files:
        label = stale_label(file.arquivo, last.as_of)
        load = FileLoad(contract.name, label, situacao="defasado", origem_as_of=last.as_of)
        try:
            suffix = Path(file.arquivo).suffix.lower()
            present |= _load_file(con, contract, store.path(file.sha256), suffix, load, within)
        except UnreadableFile as error:
            con.execute(f"TRUNCATE extrato.{contract.name}")
            _remark(con, contract.name, label, str(error), "recusado")
            return []
        loads.append(load)
    _settle(con, contract, loads, within)
    _declare_columns(con, contract, present)
    return loads


def stale_label(arquivo: str, as_of: date) -> str:
    """How a file of an earlier night is called tonight."""
    return f"{arquivo} (carga de {as_of:%d/%m/%Y})"


def _declare_columns(con: duckdb.DuckDBPyConnection, contract: Contract, present: set[str]) -> None:
    for name in contract.names:
        if name in present:
            con.execute("INSERT INTO extrato.colunas VALUES (?, ?)", [contract.name, name])


def _remark(con: duckdb.DuckDBPyConnection, extrato: str | None, arquivo: str | None, motivo: str, nivel: str) -> None:
    con.execute("INSERT INTO extrato.rejeitos VALUES (?, ?, NULL, NULL, NULL, ?, ?)", [extrato, arquivo, motivo, nivel])


_FIELDS = tuple(FileLoad.__dataclass_fields__)


def _recorded(con: duckdb.DuckDBPyConnection) -> list[FileLoad]:
    rows = con.execute(f"SELECT {', '.join(_FIELDS)} FROM extrato.cargas").fetchall()
    return [FileLoad(**dict(zip(_FIELDS, row, strict=True))) for row in rows]


def _conclude(
    con: duckdb.DuckDBPyConnection, loads: list[FileLoad], unmatched: tuple[str, ...], request: IngestRequest
) -> IngestResult:
    """Count the warnings and write `extrato.cargas`."""
    rows = con.execute(
        "SELECT extrato, arquivo, count(*) FROM extrato.rejeitos WHERE nivel = 'aviso' GROUP BY ALL"
    ).fetchall()
    warned = {(extrato, arquivo): count for extrato, arquivo, count in rows}
    con.execute("DELETE FROM extrato.cargas")
    for load in loads:
        load.avisos = warned.get((load.extrato, load.arquivo), 0)
        con.execute(
            f"INSERT INTO extrato.cargas VALUES ({', '.join('?' * len(_FIELDS))})",
            [getattr(load, name) for name in _FIELDS],
        )
    return IngestResult(tuple(loads), unmatched)
