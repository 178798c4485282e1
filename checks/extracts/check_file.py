"""Files looked at by themselves, before anybody drops them in the folder: what `emdia source check` shows."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
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
_NEEDS_NORMS = "cruzada.norma_conhecida"


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
    em_vigor: frozenset[str] | None = None,
) -> FileReport:
    """Read one file as the nightly run would (see `check_files`)."""
    return check_files([path], as_of, normas, portao, anterior, limits, em_vigor)[0]


def check_files(
    paths: Sequence[Path],
    as_of: date,
    normas: frozenset[str] | None = None,
    portao: GateLimits | None = None,
    anterior: Mapping[str, CargaAnterior] | None = None,
    limits: Limits | None = None,
    em_vigor: frozenset[str] | None = None,
) -> list[FileReport]:
    """Read files as the nightly run would, and put each extract to the gate with no other extract beside it.

    Files of one extract are parts of one picture: they are judged together. `normas`: the known norm ids, None to
    take any; `em_vigor`: those with effects on `as_of`, None to ask nothing about it. `anterior`: the last accepted
    loads to compare with (`checks.warehouse.gate.load_previous`), None for no comparison. Reports come in the order
    of `paths`. Raises FileNotFoundError.
    """
    for path in paths:
        if not path.is_file():
            raise FileNotFoundError(path)
    by_extract: dict[str, list[Path]] = {}
    found: dict[Path, FileReport] = {}
    for path in dict.fromkeys(paths):
        extract = files.extract_of(path.name, contracts())
        if extract is None:
            found[path] = FileReport(path.name, None, sugestao=files.suggestion(path.name, contracts()))
        else:
            by_extract.setdefault(extract, []).append(path)
    for extract, own in by_extract.items():
        request = IngestRequest(
            own[0].parent, as_of, limits=replace(limits or Limits(), max_encolhimento=Decimal(1)), normas=normas
        )
        earlier = {name: before for name, before in (anterior or {}).items() if name == extract}
        found |= zip(own, _check_extract(extract, own, request, portao, earlier, em_vigor), strict=True)
    return [found[path] for path in dict.fromkeys(paths)]


def _check_extract(
    extract: str,
    paths: Sequence[Path],
    request: IngestRequest,
    portao: GateLimits | None,
    anterior: Mapping[str, CargaAnterior],
    em_vigor: frozenset[str] | None,
) -> list[FileReport]:
    contract = contracts()[extract]
    with tempfile.TemporaryDirectory() as scratch, duckdb.connect(str(Path(scratch) / "exame.duckdb")) as con:
        tables.create(con)
        loads, present = ingest.load_extract(con, contract, tuple(paths), request)
        links.link(con)
        conclude(con, loads, ())
        warnings: tuple[str, ...] = ()
        if all(load.situacao == "aceito" for load in loads):
            warnings = _ask_gate(con, loads, request.as_of, portao, anterior, em_vigor)
        return [
            FileReport(
                arquivo=path.name,
                extrato=extract,
                carga=load,
                colunas=tuple(name for name in contract.names if name in present),
                ausentes=tuple(name for name in contract.names if name not in present),
                obrigatorias_ausentes=tuple(c.name for c in contract.columns if c.required and c.name not in present),
                problemas=_problems(con, path.name, alone=len(paths) == 1),
                conferencia=warnings,
            )
            for path, load in zip(paths, loads, strict=True)
        ]


def _ask_gate(
    con: duckdb.DuckDBPyConnection,
    loads: Sequence[FileLoad],
    as_of: date,
    portao: GateLimits | None,
    anterior: Mapping[str, CargaAnterior],
    em_vigor: frozenset[str] | None,
) -> tuple[str, ...]:
    """Refuse the loads where the night's gate would; what it would only warn of comes back as texts."""
    from checks.warehouse.bounds import Comparacao
    from checks.warehouse.gate import run_gate
    from checks.warehouse.limits import GateLimits

    portao = portao or GateLimits()
    if em_vigor is None:
        portao = portao.model_copy(update={"desligadas": portao.desligadas | {_NEEDS_NORMS}})
    else:
        con.execute("CREATE SCHEMA norma; CREATE TABLE norma.normas (norma VARCHAR)")
        con.execute("INSERT INTO norma.normas SELECT unnest(?)", [sorted(em_vigor)])
    result = run_gate(con, as_of, portao, anterior, Comparacao())
    for load in loads:
        if load.extrato in result.recusados:
            load.situacao, load.motivo = "recusado", result.recusados[load.extrato]
    failed = [row for row in result.rows if row.severidade == "aviso" and row.sucesso is False]
    return (
        *(f"{row.descricao}: {row.observado}, esperado {row.esperado}. {row.detalhe}".strip() for row in failed),
        *result.erros,
    )


def _problems(con: duckdb.DuckDBPyConnection, arquivo: str, alone: bool) -> tuple[Problem, ...]:
    # A repeated key says on each row where the others are: in a file alone its rows are listed together.
    rows = con.execute(
        f"""SELECT coluna, CASE WHEN ? THEN regexp_replace(motivo, '; veja também .*$', '') ELSE motivo END AS motivo,
            nivel, count(*),
            list((linha, valor) ORDER BY linha)[:{_EXAMPLES}]
        FROM extrato.rejeitos WHERE arquivo IS NULL OR arquivo = ?
        GROUP BY ALL ORDER BY nivel DESC, count(*) DESC, coluna, motivo""",
        [alone, arquivo],
    ).fetchall()
    return tuple(
        Problem(coluna, motivo, nivel, linhas, tuple((line, value) for line, value in exemplos))
        for coluna, motivo, nivel, linhas, exemplos in rows
    )
