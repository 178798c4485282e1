"""One file looked at by itself, before anybody drops it in the folder: what `emdia source check` shows."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from checks.extracts import files, ingest, links, tables
from checks.extracts.contracts import contracts
from checks.extracts.model import FileLoad, IngestRequest, Limits
from checks.extracts.record import conclude

if TYPE_CHECKING:
    from checks.warehouse.limits import CargaAnterior, GateLimits

_EXAMPLES = 3


@dataclass(frozen=True)
class Problem:
    """The same remark on several rows: how many, and the first of them as (line, value)."""

    coluna: str | None
    motivo: str
    nivel: str
    linhas: int
    exemplos: tuple[tuple[int | None, str | None], ...]


@dataclass(frozen=True)
class FileReport:
    """What was found in a file.

    extrato: the extract its name says, None when no extract is called so (nothing else is known then).
    carga: counts, encoding, delimiter, unknown columns, and in `motivo` why the file would be refused.
    sugestao: what to do about a name that is no extract's. conferencia: what the gate would only warn of.
    colunas: the contract columns it has. ausentes: those it lacks; obrigatorias_ausentes: of them, the required ones.
    """

    arquivo: str
    extrato: str | None
    carga: FileLoad | None = None
    colunas: tuple[str, ...] = ()
    ausentes: tuple[str, ...] = ()
    obrigatorias_ausentes: tuple[str, ...] = ()
    problemas: tuple[Problem, ...] = field(default=())
    conferencia: tuple[str, ...] = ()
    sugestao: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the file would be accepted."""
        return self.carga is not None and self.carga.situacao == "aceito"


def check_file(
    path: Path,
    as_of: date,
    normas: frozenset[str] | None = None,
    portao: GateLimits | None = None,
    anterior: Mapping[str, CargaAnterior] | None = None,
    limits: Limits | None = None,
) -> FileReport:
    """Read one file as the nightly run would, and put it to the gate, with no other extract beside it.

    `normas`: the known norm ids, None to take any. `anterior`: the last accepted loads to compare with
    (`checks.warehouse.gate.load_previous`), None for no comparison. Raises FileNotFoundError.
    """
    if not path.is_file():
        raise FileNotFoundError(path)
    extract = files.extract_of(path.name, contracts())
    if extract is None:
        return FileReport(path.name, None, sugestao=files.suggestion(path.name, contracts()))
    contract = contracts()[extract]
    with tempfile.TemporaryDirectory() as scratch, duckdb.connect(str(Path(scratch) / "exame.duckdb")) as con:
        tables.create(con)
        request = IngestRequest(
            path.parent, as_of, limits=replace(limits or Limits(), max_encolhimento=Decimal(1)), normas=normas
        )
        (load,), present = ingest.load_extract(con, contract, (path,), request)
        links.link(con)
        conclude(con, [load], ())
        warnings: tuple[str, ...] = ()
        if load.situacao == "aceito":
            earlier = {name: before for name, before in (anterior or {}).items() if name == extract}
            warnings = _ask_gate(con, load, as_of, portao, earlier)
        return FileReport(
            arquivo=path.name,
            extrato=extract,
            carga=load,
            colunas=tuple(name for name in contract.names if name in present),
            ausentes=tuple(name for name in contract.names if name not in present),
            obrigatorias_ausentes=tuple(c.name for c in contract.columns if c.required and c.name not in present),
            problemas=_problems(con),
            conferencia=warnings,
        )


def _ask_gate(
    con: duckdb.DuckDBPyConnection,
    load: FileLoad,
    as_of: date,
    portao: GateLimits | None,
    anterior: Mapping[str, CargaAnterior],
) -> tuple[str, ...]:
    """Refuse the load where the night's gate would; what it would only warn of comes back as texts."""
    from checks.warehouse.gate import run_gate  # its library takes seconds to import

    result = run_gate(con, as_of, portao, anterior)
    if load.extrato in result.recusados:
        load.situacao, load.motivo = "recusado", result.recusados[load.extrato]
    failed = [row for row in result.rows if row.severidade == "aviso" and row.sucesso is False]
    return (
        *(f"{row.descricao}: {row.observado}, esperado {row.esperado}. {row.detalhe}".strip() for row in failed),
        *result.erros,
    )


def _problems(con: duckdb.DuckDBPyConnection) -> tuple[Problem, ...]:
    rows = con.execute(
        f"""SELECT coluna, motivo, nivel, count(*), list((linha, valor) ORDER BY linha)[:{_EXAMPLES}]
        FROM extrato.rejeitos GROUP BY coluna, motivo, nivel ORDER BY nivel DESC, count(*) DESC, coluna, motivo"""
    ).fetchall()
    return tuple(
        Problem(coluna, motivo, nivel, linhas, tuple((line, value) for line, value in exemplos))
        for coluna, motivo, nivel, linhas, exemplos in rows
    )
