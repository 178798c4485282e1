"""The night's extracts into the warehouse: read, typed, deduplicated, accepted or refused, linked."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import duckdb

from checks.extracts import files, links, refusal, tables
from checks.extracts.columns import Contract
from checks.extracts.contracts import contracts
from checks.extracts.load_files import ExtractLoad, load_file, settle
from checks.extracts.model import FileLoad, IngestError, IngestRequest, IngestResult, Limits
from checks.extracts.raw_store import RawStore
from checks.extracts.record import conclude, declare_columns, recorded, remark
from sql.lanes import side_by_side

__all__ = [
    "FileLoad",
    "IngestError",
    "IngestRequest",
    "IngestResult",
    "Limits",
    "RawStore",
    "fall_back",
    "ingest",
    "load_extract",
]

log = logging.getLogger("emdia.extracts")

#: Bytes of an extract up to which it is read beside others.
SMALL = 16 << 20


def ingest(con: duckdb.DuckDBPyConnection, request: IngestRequest) -> IngestResult:
    """Rebuild the schema `extrato` from the files in `request.folder`.

    Earlier loads are looked up in `main.carga`. Raises IngestError when the folder cannot be read or there is no
    `permissionarios` to work with, tonight's or earlier; `extrato.cargas` and `extrato.rejeitos` tell the rest.
    """
    if not request.folder.is_dir():
        raise IngestError(f"a pasta de extratos {request.folder} não existe ou não é uma pasta")
    tables.create(con)
    folder = files.list_folder(request.folder, contracts())
    loads = _load_all(con, folder.by_extract, request)
    for name in folder.unmatched:
        hint = files.suggestion(name, contracts())
        remark(con, None, name, f"o nome do arquivo não corresponde a nenhum extrato: não foi lido; {hint}", "aviso")
    return _finish(con, loads, folder.unmatched, request)


def fall_back(con: duckdb.DuckDBPyConnection, request: IngestRequest, extrato: str, motivo: str) -> IngestResult:
    """Refuse tonight's accepted load of `extrato` after the fact and put the last accepted one in force.

    `motivo` (Portuguese) is why. Raises IngestError when `permissionarios` is left without any load.
    """
    tables.create_macros(con)
    loads = recorded(con)
    tonight = [load for load in loads if load.extrato == extrato and load.situacao == "aceito"]
    replaced = {(extrato, "aceito"), (extrato, "defasado")}
    others = [load for load in loads if (load.extrato, load.situacao) not in replaced]
    changed = refusal.refuse(con, contracts()[extrato], tonight, motivo, request)
    _tell(changed, request)
    loads = others + changed
    unmatched = con.execute("SELECT arquivo FROM extrato.rejeitos WHERE extrato IS NULL ORDER BY arquivo").fetchall()
    return _finish(con, loads, tuple(row[0] for row in unmatched), request)


def load_extract(
    con: duckdb.DuckDBPyConnection, contract: Contract, paths: tuple[Path, ...], request: IngestRequest
) -> tuple[list[FileLoad], set[str]]:
    """Load all files of one extract, or refuse it and load the last accepted one.

    Gives its loads and the contract columns found in tonight's files.
    """
    if not paths:
        return [FileLoad(contract.name, None, situacao="ausente", motivo="nenhum arquivo na pasta")], set()
    extract = ExtractLoad(contract)
    for path in paths:
        load = FileLoad(contract.name, path.name, origem_as_of=request.as_of)
        load_file(con, extract, path, path.suffix.lower(), load, request)
    settle(con, extract, request)
    problem = "; ".join(extract.problems) or refusal.unacceptable(con, extract, request)
    if problem:
        return refusal.refuse(con, contract, extract.loads, problem, request), extract.present
    declare_columns(con, contract, extract.present)
    for load in extract.loads:
        log.info(
            "%s: %d lidas, %d carregadas, %d rejeitadas", load.arquivo, load.lidas, load.carregadas, load.rejeitadas
        )
    return extract.loads, extract.present


def _load_all(
    con: duckdb.DuckDBPyConnection, by_extract: Mapping[str, tuple[Path, ...]], request: IngestRequest
) -> list[FileLoad]:
    """Every extract's loads, in the order of the contracts: big extracts one by one, small ones side by side."""

    def load(own: duckdb.DuckDBPyConnection, contract: Contract) -> list[FileLoad]:
        return load_extract(own, contract, by_extract.get(contract.name, ()), request)[0]

    loads: dict[str, list[FileLoad]] = {}
    small = []
    for contract in contracts().values():
        if sum(_bytes(path) for path in by_extract.get(contract.name, ())) <= SMALL:
            small.append(contract)
            continue
        loads[contract.name] = load(con, contract)
        _tell(loads[contract.name], request)
    for contract, found in zip(small, side_by_side(con, small, load, tables.create_macros), strict=True):
        loads[contract.name] = found
        _tell(found, request)
    return [load for name in contracts() for load in loads[name]]


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # reading it will say why


def _tell(loads: list[FileLoad], request: IngestRequest) -> None:
    for load in loads:
        if request.on_file and load.arquivo:
            request.on_file(load)


def _finish(
    con: duckdb.DuckDBPyConnection, loads: list[FileLoad], unmatched: tuple[str, ...], request: IngestRequest
) -> IngestResult:
    links.link(con)
    result = conclude(con, loads, unmatched)
    if result.situacao("permissionarios") in ("recusado", "ausente"):
        reasons = [load.motivo for load in loads if load.extrato == "permissionarios" and load.arquivo and load.motivo]
        why = "; ".join(reasons) or f"não há arquivo permissionarios em {request.folder}"
        lacking = ", e não há carga anterior aceita" if reasons else ""
        raise IngestError(f"sem o extrato permissionarios nada pode ser verificado{lacking}: {why}")
    return result
