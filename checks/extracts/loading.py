"""One file into its table: whole batches typed in SQL, and a second look only at the rows that did not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import duckdb
import pyarrow as pa

from checks.extracts.columns import Column, Contract
from checks.extracts.naming import Naming
from checks.extracts.reading.source import Batch, BrokenRow, Source
from checks.extracts.second_look import settle
from checks.extracts.tables import typed_columns
from checks.extracts.typing.cell import Setting, quote, raw_text
from checks.extracts.typing.kinds import NUMBERS, cell_of, native_value

_BATCH = "lote_do_extrato"
_SUSPECT = "linhas_suspeitas"
_BROKEN = "linhas_quebradas"


@dataclass
class Counts:
    """Rows of one file by what became of them."""

    lidas: int = 0
    carregadas: int = 0
    rejeitadas: int = 0
    ignoradas: int = 0


@dataclass(frozen=True)
class Target:
    """Where a file goes: its contract, the name it is reported under, and what typing depends on."""

    contract: Contract
    arquivo: str
    naming: Naming
    setting: Setting


def load_rows(con: duckdb.DuckDBPyConnection, source: Source, target: Target) -> Counts:
    """Insert the file's good rows into `extrato.<name>` and the others into `extrato.rejeitos`; say how many."""
    contract, naming = target.contract, target.naming
    present = [c for c in contract.columns if c.name in naming.positions]
    con.execute(f"CREATE OR REPLACE TEMP TABLE {_BROKEN} (linha BIGINT, valor VARCHAR, motivo VARCHAR, curta BOOLEAN)")
    raw = ", ".join(f"{c.name} VARCHAR" for c in present)
    con.execute(f"CREATE OR REPLACE TEMP TABLE {_SUSPECT} (linha BIGINT, {raw})")
    counts = Counts()
    plan = _Plan(target, source, present)
    for batch in source.batches([naming.positions[c.name] for c in present]):
        _load_batch(con, batch, plan, counts)
    last_good = _last_good(con, target)
    if counts.carregadas + counts.ignoradas < counts.lidas:
        _second_look(con, source, target, present, counts, last_good)
    return counts


class _Plan:
    """The SQL of a file's batches."""

    def __init__(self, target: Target, source: Source, present: list[Column]) -> None:
        contract, naming = target.contract, target.naming
        texts, natives, values, good = [], [], {}, []
        for column in present:
            position = naming.positions[column.name]
            native, raw = source.types[position], f"r_{column.name}"
            texts.append(f"{raw_text(f'c{position}', native)} AS {raw}")
            typed = native_value(column, f"c{position}", native, target.setting)
            if typed:
                natives.append(f"{typed} AS v_{column.name}")
                values[column.name] = f"v_{column.name}"
            else:
                person = "upper(r_tipo_pessoa)" if _has_person(contract, naming) else None
                values[column.name] = cell_of(column, raw, target.setting, person).fast
        for column in present:
            value = f"t_{column.name} IS NOT NULL"
            good.append(value if column.required else f"({value} OR r_{column.name} IS NULL)")
        good += [f"({rule})" for rule in _row_rules(contract, naming, "t_")]
        typed_list = ", ".join(f"{sql} AS t_{name}" for name, sql in values.items())
        raw_list = ", ".join(f"r_{c.name}" for c in present)
        self._from = (
            f"(SELECT linha, {raw_list}, {typed_list} FROM (SELECT linha, {', '.join(texts + natives)} FROM {{batch}}))"
        )
        self._good = " AND ".join(good)
        self._select = _final_select(contract, {c.name: f"t_{c.name}" for c in present}, target.arquivo, "NULL")
        self._table = f"extrato.{contract.name}"
        self._raw_list = raw_list

    def _rows(self, batch: str) -> str:
        # Not str.format: the patterns in the SQL have braces of their own.
        return self._from.replace("{batch}", batch)

    def insert(self, batch: str) -> str:
        """SQL that inserts the batch's good rows."""
        return f"INSERT INTO {self._table} SELECT {self._select} FROM {self._rows(batch)} WHERE {self._good}"

    def suspects(self, batch: str) -> str:
        """SQL that keeps the text of the others."""
        return (
            f"INSERT INTO {_SUSPECT} SELECT linha, {self._raw_list} FROM {self._rows(batch)} "
            f"WHERE ({self._good}) IS NOT TRUE"
        )


def _has_person(contract: Contract, naming: Naming) -> bool:
    return "tipo_pessoa" in contract.names and "tipo_pessoa" in naming.positions


def _row_rules(contract: Contract, naming: Naming, prefix: str) -> Iterator[str]:
    """SQL that holds for the rows that keep the contract's rules over several columns."""
    if contract.any_of:
        filled = [f"{prefix}{name} IS NOT NULL" for name in contract.any_of if name in naming.positions]
        yield " OR ".join(filled)
    for rule in contract.required_when:
        value = f"{prefix}{rule.column}" if rule.column in naming.positions else "NULL"
        yield f"{prefix}{rule.other} IS DISTINCT FROM {quote(rule.value)} OR {value} IS NOT NULL"


def _final_select(contract: Contract, values: dict[str, str], arquivo: str, unknown: str) -> str:
    plate = f"placa_canonica({values['placa']})" if "placa" in values else "NULL"
    extra = {
        "arquivo": quote(arquivo),
        "linha": "linha",
        "placa_canonica": plate,
        "desconhecidos": unknown,
    }
    return ", ".join(values.get(name) or extra.get(name) or "NULL" for name, _ in typed_columns(contract))


def _load_batch(con: duckdb.DuckDBPyConnection, batch: Batch, plan: _Plan, counts: Counts) -> None:
    counts.lidas += batch.blank + len(batch.broken)
    counts.ignoradas += batch.blank
    if batch.broken:
        _keep_broken(con, batch.broken)
    if batch.table is not None:
        con.register(_BATCH, batch.table)
        rows, name = batch.table.num_rows, _BATCH
    elif batch.sql:
        name = batch.sql
        rows = con.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
    else:
        return
    inserted = con.execute(plan.insert(name)).fetchall()[0][0]
    if inserted < rows:
        con.execute(plan.suspects(name))
    counts.lidas += rows
    counts.carregadas += inserted
    if batch.table is not None:
        con.unregister(_BATCH)


def _keep_broken(con: duckdb.DuckDBPyConnection, broken: list[BrokenRow]) -> None:
    table = pa.table(
        {
            "linha": pa.array([b.linha for b in broken], pa.int64()),
            "valor": pa.array([b.valor for b in broken], pa.string()),
            "motivo": pa.array([b.motivo for b in broken], pa.string()),
            "curta": pa.array([b.short for b in broken], pa.bool_()),
        }
    )
    con.register(_BATCH, table)
    con.execute(f"INSERT INTO {_BROKEN} SELECT * FROM {_BATCH}")
    con.unregister(_BATCH)


def _last_good(con: duckdb.DuckDBPyConnection, target: Target) -> int:
    found = con.execute(
        f"SELECT max(linha) FROM extrato.{target.contract.name} WHERE arquivo = ?", [target.arquivo]
    ).fetchall()
    return found[0][0] or 0


def _second_look(
    con: duckdb.DuckDBPyConnection,
    source: Source,
    target: Target,
    present: list[Column],
    counts: Counts,
    last_good: int,
) -> None:
    """Judge the suspect and broken rows: insert those with no error, explain the others."""
    contract, naming = target.contract, target.naming
    dots = settle(con, source, naming, [c for c in present if c.kind in NUMBERS], _SUSPECT)
    target = replace(target, setting=replace(target.setting, dots=dots))
    person = "upper(tipo_pessoa)" if _has_person(contract, naming) else None
    parts, remarks, fatal, unknown = [], [], [], []
    for column in present:
        name = column.name
        cell = cell_of(column, name, target.setting, person)
        absent = "'campo obrigatório vazio'" if column.required else "NULL"
        parts += [
            f"CASE WHEN {name} IS NOT NULL THEN {cell.value} END AS v_{name}",
            f"CASE WHEN {name} IS NULL THEN {absent} ELSE {cell.error} END AS e_{name}",
            f"CASE WHEN {name} IS NOT NULL THEN {cell.warning} END AS a_{name}",
        ]
        rejects = column.required and cell.fatal
        level = (
            f"CASE WHEN e_{name} IS NOT NULL AND {'true' if rejects else f'({name} IS NULL AND {column.required})'} "
            "THEN 'rejeitado' ELSE 'aviso' END"
        )
        remarks.append(f"{{coluna: '{name}', valor: {name}, motivo: coalesce(e_{name}, a_{name}), nivel: {level}}}")
        if rejects:
            fatal.append(f"e_{name} IS NOT NULL")
        else:
            if column.required:
                fatal.append(f"{name} IS NULL")
            unknown.append(f"CASE WHEN e_{name} IS NOT NULL THEN '{name}' END")
    for rule, column_name, message in _rule_remarks(contract, naming):
        remarks.append(
            f"{{coluna: '{column_name}', valor: NULL::VARCHAR, motivo: CASE WHEN NOT ({rule}) THEN {quote(message)} END, "
            "nivel: 'rejeitado'}"
        )
        fatal.append(f"NOT ({rule})")
    filled = " + ".join(f"({c.name} IS NOT NULL)::INTEGER" for c in present)
    required = [c for c in present if c.required]
    required_filled = " + ".join(f"({c.name} IS NOT NULL)::INTEGER" for c in required) or "0"
    con.execute(
        f"""CREATE OR REPLACE TEMP TABLE linhas_julgadas AS
        SELECT *, coalesce({" OR ".join(fatal) or "false"}, false) AS ruim FROM (
            SELECT *, {", ".join(parts)}, {filled} AS preenchidas, {required_filled} AS exigidas FROM {_SUSPECT})"""
    )
    width, wanted = len(source.header), len(required)
    footer = f"ruim AND preenchidas > 0 AND 2 * preenchidas < {width} AND 2 * exigidas < {wanted}"
    last = con.execute(
        f"""SELECT max(linha) FROM (
            SELECT {last_good} AS linha
            UNION ALL SELECT max(linha) FROM linhas_julgadas WHERE preenchidas > 0 AND NOT ({footer})
            UNION ALL SELECT max(linha) FROM {_BROKEN} WHERE NOT curta)"""
    ).fetchall()[0][0]
    values = {c.name: f"v_{c.name}" for c in present}
    unknown_list = f"nullif(list_filter([{', '.join(unknown)}], lambda u: u IS NOT NULL), [])" if unknown else "NULL"
    select = _final_select(contract, values, target.arquivo, unknown_list)
    inserted = con.execute(
        f"INSERT INTO extrato.{contract.name} SELECT {select} FROM linhas_julgadas WHERE NOT ruim AND preenchidas > 0"
    ).fetchall()[0][0]
    where = [contract.name, target.arquivo]
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        SELECT ?, ?, linha, r.coluna, r.valor, r.motivo, r.nivel FROM (
            SELECT linha, unnest(list_filter([{", ".join(remarks)}], lambda m: m.motivo IS NOT NULL)) AS r
            FROM linhas_julgadas WHERE preenchidas > 0 AND NOT ({footer} AND linha > {last}))""",
        where,
    )
    con.execute(
        f"""INSERT INTO extrato.rejeitos
        SELECT ?, ?, linha, NULL, valor, CASE WHEN curta AND linha > {last} THEN 'rodapé ignorado' ELSE motivo END,
            CASE WHEN curta AND linha > {last} THEN 'aviso' ELSE 'rejeitado' END FROM {_BROKEN}
        UNION ALL SELECT ?, ?, linha, NULL, concat_ws(' ', {", ".join(c.name for c in present)}), 'rodapé ignorado',
            'aviso' FROM linhas_julgadas WHERE {footer} AND linha > {last}""",
        where * 2,
    )
    ignored, rejected = con.execute(
        f"""SELECT count(*) FILTER (ignorada), count(*) FILTER (NOT ignorada) FROM (
            SELECT curta AND linha > {last} AS ignorada FROM {_BROKEN}
            UNION ALL SELECT preenchidas = 0 OR ({footer} AND linha > {last}) FROM linhas_julgadas
                WHERE ruim OR preenchidas = 0)"""
    ).fetchall()[0]
    counts.carregadas += inserted
    counts.ignoradas += ignored
    counts.rejeitadas += rejected


def _rule_remarks(contract: Contract, naming: Naming) -> Iterator[tuple[str, str, str]]:
    rules = list(_row_rules(contract, naming, "v_"))
    if contract.any_of:
        yield rules.pop(0), contract.any_of[0], f"preencha {' ou '.join(contract.any_of)}"
    for rule, sql in zip(contract.required_when, rules, strict=True):
        yield sql, rule.column, f"{rule.other} {rule.value} exige {rule.column}"
