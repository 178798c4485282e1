"""The files of one extract into its table, and what is settled over all of them together."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from checks.extracts import duplicates, naming, raw_store, row_contract
from checks.extracts.columns import Contract
from checks.extracts.loading import load_rows
from checks.extracts.model import FileLoad, IngestRequest, UnreadableFile
from checks.extracts.reading import open_source
from checks.extracts.record import remark
from checks.extracts.staging import Target
from checks.extracts.typing.cell import Setting


@dataclass
class ExtractLoad:
    """The files of an extract loaded so far: each one's record and contract columns, and why it cannot be accepted."""

    contract: Contract
    loads: list[FileLoad] = field(default_factory=list)
    columns: dict[str, set[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def present(self) -> set[str]:
        """The contract columns that some file has."""
        return set().union(*self.columns.values())


def load_file(
    con: duckdb.DuckDBPyConnection,
    extract: ExtractLoad,
    path: Path,
    suffix: str,
    load: FileLoad,
    request: IngestRequest,
) -> None:
    """Read and type one file into `extrato.<name>`; a file that cannot be read becomes a problem of the extract."""
    extract.loads.append(load)
    try:
        _read(con, extract, path, suffix, load, request)
    except UnreadableFile as error:
        load.motivo = str(error)
        extract.problems.append(f"{load.arquivo}: {error}")
        remark(con, extract.contract.name, load.arquivo, str(error), "recusado")


def _read(
    con: duckdb.DuckDBPyConnection,
    extract: ExtractLoad,
    path: Path,
    suffix: str,
    load: FileLoad,
    request: IngestRequest,
) -> None:
    contract = extract.contract
    arquivo = load.arquivo or path.name
    try:
        fingerprint = raw_store.take(path, request.store)
    except OSError as error:
        raise UnreadableFile(f"o arquivo não pôde ser lido: {error.strerror or error}") from None
    load.sha256, load.bytes = fingerprint.sha256, fingerprint.bytes
    if request.store is not None:
        path = request.store.path(fingerprint.sha256)  # the very bytes hashed, whatever happens in the folder
    source = open_source(con, path, suffix, contract.name, fingerprint.utf8, lambda h: naming.score(h, contract))
    load.codificacao, load.delimitador = source.encoding, source.delimiter
    named = naming.match(source.header, contract)
    load.colunas_desconhecidas = list(named.unknown)
    extract.columns[arquivo] = set(named.positions)
    if named.repeated:
        raise UnreadableFile(f"coluna repetida no cabeçalho: {', '.join(named.repeated)}")
    if named.missing:
        one = len(named.missing) == 1
        lacking = "falta a coluna obrigatória" if one else "faltam as colunas obrigatórias"
        raise UnreadableFile(f"{lacking} {', '.join(named.missing)} no cabeçalho")
    setting = Setting(request.as_of, request.normas, source.excel)
    try:
        counts = load_rows(con, source, Target(contract, arquivo, named, setting))
    except UnreadableFile:
        con.execute(f"DELETE FROM extrato.{contract.name} WHERE arquivo = ?", [arquivo])
        con.execute("DELETE FROM extrato.rejeitos WHERE extrato = ? AND arquivo = ?", [contract.name, arquivo])
        raise
    load.lidas, load.carregadas = counts.lidas, counts.carregadas
    load.rejeitadas, load.ignoradas = counts.rejeitadas, counts.ignoradas
    for warning in source.warnings:
        remark(con, contract.name, arquivo, warning, "aviso")


def settle(con: duckdb.DuckDBPyConnection, extract: ExtractLoad, request: IngestRequest) -> None:
    """What needs all files of the extract: duplicates, the row contract, columns that only some files have."""
    contract, by_file = extract.contract, {load.arquivo: load for load in extract.loads}
    if not any(load.carregadas for load in extract.loads):
        return
    for arquivo, (collapsed, rejected) in duplicates.resolve(con, contract).items():
        by_file[arquivo].carregadas -= collapsed + rejected
        by_file[arquivo].duplicadas += collapsed
        by_file[arquivo].rejeitadas += rejected
    for arquivo, moved in row_contract.enforce(con, contract, Setting(request.as_of, request.normas)).items():
        by_file[arquivo].carregadas -= moved
        by_file[arquivo].rejeitadas += moved
    _mark_unknown(con, extract)


def _mark_unknown(con: duckdb.DuckDBPyConnection, extract: ExtractLoad) -> None:
    """A column that one file has and another lacks is unknown, not empty, in the rows of the other."""
    contract = extract.contract
    # A vehicle may be told by its plate or by its id: lacking one of the two hides nothing.
    either = {"veiculo_id", "placa"} if contract.has_plate else set()
    for arquivo, columns in extract.columns.items():
        lacking = [name for name in contract.names if name in extract.present - columns - either]
        if not lacking:
            continue
        con.execute(
            f"UPDATE extrato.{contract.name} SET desconhecidos = list_concat(coalesce(desconhecidos, []), ?) "
            "WHERE arquivo = ?",
            [lacking, arquivo],
        )
        one = len(lacking) == 1
        told = (
            f"{'falta a coluna' if one else 'faltam as colunas'} {', '.join(lacking)}, que outro arquivo de "
            f"{contract.name} tem: {'desconhecida' if one else 'desconhecidas'} nestas linhas"
        )
        remark(con, contract.name, arquivo, told, "aviso")
