"""One file looked at by itself, before anybody drops it in the folder: what `emdia source check` shows."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import duckdb

from checks.extracts import files, ingest, links, tables
from checks.extracts.contracts import contracts
from checks.extracts.model import FileLoad, IngestRequest
from checks.extracts.record import conclude

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
    colunas: the contract columns it has. ausentes: those it lacks; obrigatorias_ausentes: of them, the required ones.
    """

    arquivo: str
    extrato: str | None
    carga: FileLoad | None = None
    colunas: tuple[str, ...] = ()
    ausentes: tuple[str, ...] = ()
    obrigatorias_ausentes: tuple[str, ...] = ()
    problemas: tuple[Problem, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether the file would be accepted."""
        return self.carga is not None and self.carga.situacao == "aceito"


def check_file(path: Path, as_of: date, normas: frozenset[str] | None = None) -> FileReport:
    """Read one file as the nightly run would, with no warehouse and no other extract beside it.

    `normas`: the known norm ids, None to take any. Raises FileNotFoundError.
    """
    if not path.is_file():
        raise FileNotFoundError(path)
    extract = files.extract_of(path.name, contracts())
    if extract is None:
        return FileReport(path.name, None)
    contract = contracts()[extract]
    with tempfile.TemporaryDirectory() as scratch, duckdb.connect(str(Path(scratch) / "exame.duckdb")) as con:
        tables.create(con)
        request = IngestRequest(path.parent, as_of, normas=normas)
        (load,), present = ingest.load_extract(con, contract, (path,), request)
        links.link(con)
        conclude(con, [load], ())
        return FileReport(
            arquivo=path.name,
            extrato=extract,
            carga=load,
            colunas=tuple(name for name in contract.names if name in present),
            ausentes=tuple(name for name in contract.names if name not in present),
            obrigatorias_ausentes=tuple(c.name for c in contract.columns if c.required and c.name not in present),
            problemas=_problems(con),
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
