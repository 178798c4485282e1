"""Whose rows changed between the files two runs read, and what in them: a moved date is not a changed record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from checks.extracts.contracts import contracts

#: Columns that name a record, by kind of subject.
KINDS = ("permissionario", "veiculo", "alvara", "condutor", "auto", "linha")
#: How to reach a person: no check judges by them.
CONTACT = ("nome", "email", "telefone", "endereco")
#: (file name, sha256, encoding, delimiter) as the load recorded them.
File = tuple[str, str, str | None, str | None]


@dataclass(frozen=True)
class Touched:
    """What could be told. The rows are in the temp table `diff_cruas`, the records they name in `diff_tocados`."""

    #: (extract, kind): the rows of the extract name this kind of record.
    conhecidos: frozenset[tuple[str, str]] = frozenset()
    #: extracts compared row by row, and of them those with rows that differ.
    lidos: frozenset[str] = frozenset()
    diferentes: frozenset[str] = frozenset()


def write_touched(
    con: duckdb.DuckDBPyConnection,
    folder: Path | None,
    before: Mapping[str, Sequence[File]],
    after: Mapping[str, Sequence[File]],
) -> Touched:
    """Fill `diff_cruas` (one line per row that changed, came or went) and `diff_tocados` (the records it names).

    `folder` keeps the files by their sha256. An extract that can't be read again is left out: nothing is said of it.
    """
    con.execute(
        "create or replace temp table diff_cruas (cru bigint, extrato varchar, tipo varchar, arquivo varchar,"
        " chave varchar, colunas struct(coluna varchar, antes varchar, depois varchar)[])"
    )
    con.execute("create or replace temp table diff_tocados (cru bigint, extrato varchar, tipo varchar, id varchar)")
    known: set[tuple[str, str]] = set()
    read: set[str] = set()
    if folder is None or not folder.is_dir():
        return Touched()
    for extract in sorted(before.keys() & after.keys()):
        old = [f for f in before[extract] if f[1] not in {g[1] for g in after[extract]}]
        new = [f for f in after[extract] if f[1] not in {g[1] for g in before[extract]}]
        if not old and not new:
            continue
        kinds = _compare(con, extract, folder, old, new)
        if kinds is not None:
            read.add(extract)
            known |= {(extract, kind) for kind in kinds}
    differ = {x for (x,) in con.execute("select distinct extrato from diff_cruas").fetchall()}
    return Touched(frozenset(known), frozenset(read), frozenset(differ))


def _compare(
    con: duckdb.DuckDBPyConnection, extract: str, folder: Path, old: Sequence[File], new: Sequence[File]
) -> list[str] | None:
    """The kinds of record that the rows of one extract name; None where the files can't be compared."""
    try:
        columns = [{c.lower() for c in _columns(con, folder, files)} for files in (old, new) if files]
        if any(c != columns[0] for c in columns):
            return None  # another shape of file: every row would look changed
        listed = ", ".join(f'"{c}"' for c in sorted(columns[0]))
        sides = [_relation(folder, files, listed) if files else None for files in (old, new)]
        empty = f"(select {listed} from {sides[0] or sides[1]} where false)"
        a, b = (side or empty for side in sides)
        con.execute(f"create or replace temp table diff_antes as (from {a} except all from {b})")
        con.execute(f"create or replace temp table diff_depois as (from {b} except all from {a})")
    except duckdb.Error:
        return None
    _pair(con, extract, sorted(columns[0]), old, new)
    told = []
    for kind in (k for k in KINDS if f"{k}_id" in columns[0]):
        if kind == "veiculo" and "placa" in columns[0] and not _plates(con):
            continue  # named by a plate: nobody knows whose row it is
        for side in ("antes", "depois"):
            con.execute(
                f"insert into diff_tocados select distinct cru, $x, $k, {_name(kind, side, columns[0])} as id"
                " from diff_pares where id is not null",
                {"x": extract, "k": kind},
            )
        told.append(kind)
    con.execute("drop table diff_antes; drop table diff_depois; drop table diff_pares")
    return told


def _name(kind: str, side: str, columns: set[str]) -> str:
    """SQL of the id of the record that a row names on one side."""
    named = f"nullif(trim({side}.{kind}_id), '')"
    if kind == "veiculo" and "placa" in columns:
        named = f"coalesce({named}, (select any_value(v.veiculo_id) from extrato.veiculos v"
        named += f" where v.placa_canonica = forma_da_placa({side}.placa)))"
    return named


def _pair(
    con: duckdb.DuckDBPyConnection, extract: str, columns: Sequence[str], old: Sequence[File], new: Sequence[File]
) -> None:
    """Each row of before beside its row of after, by key; what has no other side, or a key twice, came or went."""
    contract = contracts()[extract]
    key = [contract.key] if contract.key else [c.name for c in contract.columns if c.required or c.name.endswith("_id")]
    key = [c for c in key if c in columns] or list(columns)
    text = "concat_ws(' ', " + ", ".join(f"nullif(trim(\"{c}\"), '')" for c in key) + ")"
    changed = ", ".join(
        f'case when antes."{c}" is distinct from depois."{c}" then'
        f' struct_pack(coluna := \'{literal}\', antes := antes."{c}", depois := depois."{c}") end'
        for c, literal in ((c, c.replace("'", "''")) for c in columns)
    )
    file = {side: files[0][0] if len(files) == 1 else extract for side, files in (("antes", old), ("depois", new))}
    con.execute(
        f"""
        create or replace temp table diff_pares as
        with a as (
            select {text} as chave, if(count(*) over (partition by {text}) = 1, chave, null) as par, r as antes
            from diff_antes r
        ), b as (
            select {text} as chave, if(count(*) over (partition by {text}) = 1, chave, null) as par, r as depois
            from diff_depois r
        ), ultima as (
            select coalesce(max(cru), 0) as cru from diff_cruas
        ), juntos as (
            select coalesce(a.chave, b.chave) as chave, antes, depois from a full join b using (par)
        )
        -- those with two sides first: they say most
        select u.cru + row_number() over (order by antes is null or depois is null, chave, antes, depois) as cru, j.*
        from juntos j, ultima u
        """
    )
    con.execute(
        f"""
        insert into diff_cruas
        select cru, $x, case when antes is null then 'entrou' when depois is null then 'saiu' else 'mudou' end,
            case when depois is null then $antes else $depois end, chave,
            case when antes is null or depois is null then [] else list_filter([{changed}], lambda c: c is not null) end
        from diff_pares
        """,
        {"x": extract, **file},
    )
    # What no check judges by explains nothing.
    con.execute(
        f"delete from diff_cruas where tipo = 'mudou' and extrato = $x"
        f" and len(list_filter(colunas, lambda c: c.coluna not in {CONTACT})) = 0",
        {"x": extract},
    )
    con.execute("delete from diff_pares where cru not in (select cru from diff_cruas)")


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
