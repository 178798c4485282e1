"""Whose rows changed between the files two runs read: what tells a moved date from a changed record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

#: Columns that name a record, by kind of subject.
KINDS = ("permissionario", "veiculo", "alvara", "condutor", "auto", "linha")
#: (file name, sha256, encoding, delimiter) as the load recorded them.
File = tuple[str, str, str | None, str | None]


@dataclass(frozen=True)
class Touched:
    """What could be told: the pairs (extract, kind) known; their ids are in the temp table `diff_tocados`."""

    conhecidos: frozenset[tuple[str, str]]


def write_touched(
    con: duckdb.DuckDBPyConnection,
    folder: Path | None,
    before: dict[str, Sequence[File]],
    after: dict[str, Sequence[File]],
) -> Touched:
    """Fill the temp table `diff_tocados` (extrato, tipo, id) with the records whose rows differ between the sides.

    `folder` keeps the files by their sha256. An extract that can't be read again, or with rows that don't name the
    record, is left out: nothing is said of it.
    """
    con.execute("create or replace temp table diff_tocados (extrato varchar, tipo varchar, id varchar)")
    known: set[tuple[str, str]] = set()
    if folder is None or not folder.is_dir():
        return Touched(frozenset())
    for extract in sorted(before.keys() & after.keys()):
        old = [f for f in before[extract] if f[1] not in {g[1] for g in after[extract]}]
        new = [f for f in after[extract] if f[1] not in {g[1] for g in before[extract]}]
        if not old and not new:
            continue
        known |= {(extract, kind) for kind in _compare(con, extract, folder, old, new)}
    return Touched(frozenset(known))


def _compare(
    con: duckdb.DuckDBPyConnection, extract: str, folder: Path, old: Sequence[File], new: Sequence[File]
) -> list[str]:
    """The kinds of record told apart in one extract."""
    try:
        columns = [{c.lower() for c in _columns(con, folder, files)} for files in (old, new) if files]
        if any(c != columns[0] for c in columns):
            return []  # another shape of file: every row would look changed
        kinds = [kind for kind in KINDS if f"{kind}_id" in columns[0]]
        if not kinds:
            return []
        listed = ", ".join(f'"{c}"' for c in sorted(columns[0]))
        sides = [_relation(folder, files, listed) if files else None for files in (old, new)]
        empty = f"(select {listed} from {sides[0] or sides[1]} where false)"
        a, b = (side or empty for side in sides)
        con.execute(
            f"create or replace temp table diff_cruas as (from {a} except all from {b})"
            f" union all (from {b} except all from {a})"
        )
    except duckdb.Error:
        return []
    told = []
    for kind in kinds:
        named = f"nullif(trim({kind}_id), '')"
        if kind == "veiculo" and "placa" in columns[0] and not _plates(con):
            continue  # named by a plate: nobody knows whose row it is
        if kind == "veiculo" and "placa" in columns[0]:
            named = f"coalesce({named}, (select any_value(v.veiculo_id) from extrato.veiculos v"
            named += " where v.placa_canonica = forma_da_placa(r.placa)))"
        con.execute(
            f"insert into diff_tocados select distinct $x, $k, {named} as id from diff_cruas r where id is not null",
            {"x": extract, "k": kind},
        )
        told.append(kind)
    con.execute("drop table diff_cruas")
    return told


def _plates(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether this warehouse can put a plate in its canonical form."""
    return bool(con.execute("select 1 from duckdb_functions() where function_name = 'forma_da_placa'").fetchall())


def _relation(folder: Path, files: Sequence[File], columns: str) -> str:
    return "(" + " union all by name ".join(f"select {columns} from {_source(folder, f)}" for f in files) + ")"


def _columns(con: duckdb.DuckDBPyConnection, folder: Path, files: Sequence[File]) -> list[str]:
    names: list[str] = []
    for file in files:
        con.execute(f"select * from {_source(folder, file)} limit 0")
        names += [c[0] for c in con.description or ()]
    return list(dict.fromkeys(names))


def _source(folder: Path, file: File) -> str:
    """A kept file as a relation of texts; other formats than CSV and Parquet are not read again."""
    name, sha, encoding, delimiter = file
    path = str(folder / sha[:2] / sha).replace("'", "''")
    if name.endswith(".parquet"):
        return f"(select columns(*)::varchar from read_parquet('{path}'))"
    if not delimiter or delimiter == "'":
        raise duckdb.NotSupportedError(name)
    # Both sides are read alike: what latin-1 makes of a letter of windows-1252 does not matter.
    code = "utf-8" if (encoding or "utf-8").startswith("utf-8") else "latin-1"
    skip, names = _header(folder / sha[:2] / sha, delimiter, code)
    listed = ", ".join(f"'{n}': 'varchar'" for n in names)
    return (
        f"read_csv('{path}', auto_detect = false, columns = {{{listed}}}, header = false, skip = {skip + 1},"
        f" delim = '{delimiter}', quote = '\"', escape = '\"', strict_mode = false, null_padding = true,"
        f" encoding = '{code}')"
    )


def _header(path: Path, delimiter: str, encoding: str) -> tuple[int, list[str]]:
    """How many lines come before the names of the columns (`sep=;`, a title), and the names in lower case.

    Of the first lines, the one with most delimiters is it.
    """
    try:
        with path.open(encoding="utf-8-sig" if encoding == "utf-8" else encoding) as file:
            lines = [file.readline() for _ in range(10)]
    except (OSError, UnicodeDecodeError) as error:
        raise duckdb.IOException(str(error)) from error
    counts = [line.count(delimiter) for line in lines]
    at = counts.index(max(counts))
    names = [re.sub(r"\W", "", name.lower()) for name in lines[at].split(delimiter)]
    if not all(names) or len(set(names)) < len(names):
        raise duckdb.InvalidInputException("names of columns that can't be told apart")
    return at, names
