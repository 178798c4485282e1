"""The rows that did not fit at once: read with patience, then loaded, rejected or ignored, always with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import duckdb

from checks.extracts import cited
from checks.extracts.columns import Column
from checks.extracts.reading.source import Source
from checks.extracts.staging import BROKEN, JUDGED, LOOKED, SUSPECT, Counts, Target, final_select, row_rules
from checks.extracts.typing.cell import quote
from checks.extracts.typing.dots import settle
from checks.extracts.typing.kinds import NUMBERS, cell_of

EMPTY = "campo obrigatório vazio"


@dataclass
class _Judgement:
    """SQL gathered over the columns: values and reasons, what rejects a row, what is unknown in it, what to report."""

    work: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    rejects: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def judge(con: duckdb.DuckDBPyConnection, source: Source, target: Target, counts: Counts) -> None:
    """Judge the suspect and broken rows of a file; `counts` is brought up to date."""
    numbers = [column for column in target.present if column.kind in NUMBERS]
    dots = settle(con, source, target.naming, numbers, SUSPECT)
    target = replace(target, setting=replace(target.setting, dots=dots))
    judgement = _judgement(target, _odd_columns(con, target))
    _judge_rows(con, target, judgement)
    footer = _footer(len(source.header), target)
    last = _last_row(con, target, footer)
    ignored = f"({footer} AND linha > {last})"
    _insert_good(con, target, judgement, counts)
    _report(con, target, judgement, ignored, last)
    _keep_subjects(con, target, ignored)
    _count(con, ignored, last, counts)


def _odd_columns(con: duckdb.DuckDBPyConnection, target: Target) -> set[str]:
    """Type the suspect rows at once again, into `LOOKED`; the columns where that left some cell unread.

    Most cells of a suspect row are as good as any. The SQL that reads with patience is long, and planning it for a
    column that does not need it costs more than the rows do.
    """
    names = [column.name for column in target.present]
    quick = ", ".join(
        f"{cell_of(column, column.name, target.setting, target.person('')).fast} AS f_{column.name}"
        for column in target.present
    )
    con.execute(f"CREATE OR REPLACE TEMP TABLE {LOOKED} AS SELECT *, {quick} FROM {SUSPECT}")
    odd = ", ".join(f"bool_or({_odd(name)})" for name in names)
    found = con.execute(f"SELECT {odd} FROM {LOOKED}").fetchall()[0]
    return {name for name, some in zip(names, found, strict=True) if some}


def _odd(name: str) -> str:
    return f"({name} IS NOT NULL AND f_{name} IS NULL)"


def _judgement(target: Target, odd: set[str]) -> _Judgement:
    found = _Judgement()
    for column in target.present:
        if column.name in odd:
            _judge_column(column, target, found)
        else:
            _accept_column(column, found)
    for rule in row_rules(target, "v_"):
        broken = f"{rule.holds} IS NOT TRUE"
        found.rejects.append(broken)
        found.remarks.append(
            f"SELECT linha, {quote(rule.column)}, NULL, {quote(rule.message)}, 'rejeitado' FROM {{rows}} AND {broken}"
        )
    return found


def _accept_column(column: Column, found: _Judgement) -> None:
    """A column whose cells were all read: only an empty one may be wrong."""
    name = column.name
    found.parts.append(f"f_{name} AS v_{name}")
    if column.required:
        found.rejects.append(f"{name} IS NULL")
        found.remarks.append(
            f"SELECT linha, '{name}', {name}, {quote(EMPTY)}, 'rejeitado' FROM {{rows}} AND {name} IS NULL"
        )


def _judge_column(column: Column, target: Target, found: _Judgement) -> None:
    name, odd = column.name, _odd(column.name)
    cell = cell_of(column, name, target.setting, target.person("")).working_on(f"w_{name}")
    absent = quote(EMPTY) if column.required else "NULL"
    found.work.append(f"CASE WHEN {odd} THEN {cell.work} END AS w_{name}")
    found.parts += [
        f"CASE WHEN {odd} THEN {cell.value} ELSE f_{name} END AS v_{name}",
        f"CASE WHEN {name} IS NULL THEN {absent} WHEN f_{name} IS NULL THEN {cell.error} END AS e_{name}",
        f"CASE WHEN {odd} THEN {cell.warning} END AS a_{name}",
    ]
    rejects = "false"
    if column.required:
        rejects = f"e_{name} IS NOT NULL" if cell.fatal else f"{name} IS NULL"
        found.rejects.append(rejects)
    if not (column.required and cell.fatal):
        found.unknown.append(name)
    found.remarks.append(
        f"SELECT linha, '{name}', {name}, coalesce(e_{name}, a_{name}), "
        f"CASE WHEN {rejects} THEN 'rejeitado' ELSE 'aviso' END FROM {{rows}} "
        f"AND (e_{name} IS NOT NULL OR a_{name} IS NOT NULL)"
    )


def _filled(columns: list[Column]) -> str:
    return " + ".join(f"({column.name} IS NOT NULL)::INTEGER" for column in columns) or "0"


def _judge_rows(con: duckdb.DuckDBPyConnection, target: Target, judgement: _Judgement) -> None:
    required = [column for column in target.present if column.required]
    work = "".join(f", {step}" for step in judgement.work)
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE {JUDGED} AS
        SELECT *, {" OR ".join(judgement.rejects) or "false"} AS ruim FROM (
            SELECT *, {", ".join(judgement.parts)},
                {_filled(target.present)} AS preenchidas, {_filled(required)} AS exigidas
            FROM (SELECT *{work} FROM {LOOKED}))"""
    )


def _footer(width: int, target: Target) -> str:
    """SQL: a row that looks like a footer padded to the full width (a total, a note): it would be rejected, most of its
    columns are empty, and so are half of the required ones."""
    required = sum(column.required for column in target.present)
    return f"(ruim AND preenchidas > 0 AND 2 * preenchidas < {width} AND 2 * exigidas <= {required})"


def _last_row(con: duckdb.DuckDBPyConnection, target: Target, footer: str) -> int:
    """The line of the file's last row that is no footer."""
    found = con.execute(
        f"""SELECT max(linha) FROM (
            SELECT max(linha) AS linha FROM extrato.{target.contract.name} WHERE arquivo = ?
            UNION ALL SELECT max(linha) FROM {JUDGED} WHERE preenchidas > 0 AND NOT {footer}
            UNION ALL SELECT max(linha) FROM {BROKEN} WHERE NOT curta)""",
        [target.arquivo],
    ).fetchall()
    return found[0][0] or 0


def _insert_good(con: duckdb.DuckDBPyConnection, target: Target, judgement: _Judgement, counts: Counts) -> None:
    unknown = "NULL"
    if judgement.unknown:
        names = ", ".join(f"CASE WHEN e_{name} IS NOT NULL THEN '{name}' END" for name in judgement.unknown)
        some = " OR ".join(f"e_{name} IS NOT NULL" for name in judgement.unknown)
        unknown = f"CASE WHEN {some} THEN list_filter([{names}], lambda u: u IS NOT NULL) END"
    counts.carregadas += con.execute(
        f"""INSERT INTO extrato.{target.contract.name}
        SELECT {final_select(target, "v_", unknown)} FROM {JUDGED} WHERE NOT ruim AND preenchidas > 0"""
    ).fetchall()[0][0]


def _report(con: duckdb.DuckDBPyConnection, target: Target, judgement: _Judgement, ignored: str, last: int) -> None:
    """Write the reasons to `extrato.rejeitos`."""
    where = f"{quote(target.contract.name)}, {quote(target.arquivo)}"
    texts = ", ".join(column.name for column in target.present)
    rows = f"{JUDGED} WHERE preenchidas > 0 AND NOT {ignored}"
    if judgement.remarks:
        remarks = " UNION ALL ".join(judgement.remarks).replace("{rows}", rows)
        con.execute(f"INSERT INTO extrato.rejeitos SELECT {where}, * FROM ({remarks})")
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        SELECT {where}, linha, NULL, left(concat_ws(' ', {texts}), 500), 'rodapé ignorado', 'aviso'
        FROM {JUDGED} WHERE {ignored}
        UNION ALL
        SELECT {where}, linha, NULL, valor, CASE WHEN curta AND linha > {last} THEN 'rodapé ignorado' ELSE motivo END,
            CASE WHEN curta AND linha > {last} THEN 'aviso' ELSE 'rejeitado' END
        FROM {BROKEN}"""
    )


def _keep_subjects(con: duckdb.DuckDBPyConnection, target: Target, ignored: str) -> None:
    """Remember whom the rejected rows speak of, where that much can be read."""
    cited.keep(
        con,
        target.contract,
        (column.name for column in target.present),
        "v_",
        quote(target.arquivo),
        f"FROM {JUDGED} WHERE ruim AND preenchidas > 0 AND NOT {ignored}",
    )


def _count(con: duckdb.DuckDBPyConnection, ignored: str, last: int, counts: Counts) -> None:
    ignoradas, rejeitadas = con.execute(
        f"""SELECT count(*) FILTER (ignorada), count(*) FILTER (NOT ignorada) FROM (
            SELECT curta AND linha > {last} AS ignorada FROM {BROKEN}
            UNION ALL
            SELECT preenchidas = 0 OR {ignored} FROM {JUDGED} WHERE ruim OR preenchidas = 0)"""
    ).fetchall()[0]
    counts.ignoradas += ignoradas
    counts.rejeitadas += rejeitadas
