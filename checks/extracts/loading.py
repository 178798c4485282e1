"""One file into its table: whole batches typed in SQL, and a second look only at the rows that did not fit."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from checks.extracts.reading.ahead import ahead
from checks.extracts.reading.source import Batch, BrokenRow, Source
from checks.extracts.second_look import judge
from checks.extracts.staging import BATCH, BROKEN, SUSPECT, Counts, Target, final_select, row_rules
from checks.extracts.typing.absent import clean
from checks.extracts.typing.cell import quote, raw_text
from checks.extracts.typing.kinds import cell_of, native_value


def load_rows(con: duckdb.DuckDBPyConnection, source: Source, target: Target) -> Counts:
    """Insert the file's good rows into `extrato.<name>` and the others into `extrato.rejeitos`; say how many."""
    present = target.present
    con.execute(f"CREATE OR REPLACE TEMP TABLE {BROKEN} (linha BIGINT, valor VARCHAR, motivo VARCHAR, curta BOOLEAN)")
    texts = ", ".join(f"{column.name} VARCHAR" for column in present)
    con.execute(f"CREATE OR REPLACE TEMP TABLE {SUSPECT} (linha BIGINT, {texts})")
    counts = Counts()
    insert, suspects = _statements(source, target)
    for batch in ahead(source.batches([target.naming.positions[column.name] for column in present])):
        _load_batch(con, batch, insert, suspects, counts)
    if counts.carregadas + counts.ignoradas < counts.lidas:
        judge(con, source, target, counts)
    return counts


def _statements(source: Source, target: Target) -> tuple[str, str]:
    """SQL that inserts a batch's good rows, and SQL that keeps the text of the others."""
    texts, raws, values, good = [], [], [], []
    for column in target.present:
        name, position = column.name, target.naming.positions[column.name]
        native = source.types[position]
        raws.append(raw_text(f"c{position}", native))
        texts.append(f"{raws[-1]} AS r_{name}")
        typed = native_value(column, f"c{position}", native, target.setting)
        if typed is not None:
            texts.append(f"{typed} AS v_{name}")
            values.append(f"v_{name} AS t_{name}")
        else:
            values.append(f"{cell_of(column, f'r_{name}', target.setting, target.person('r_')).fast} AS t_{name}")
        good.append(f"(t_{name} IS NOT NULL{'' if column.required else f' OR r_{name} IS NULL'})")
    good += [rule.holds for rule in row_rules(target, "t_")]
    raw = ", ".join(f"r_{column.name}" for column in target.present)
    # Materialized: a filter pushed below the projection would make DuckDB type everything twice.
    rows = (
        f"WITH linhas AS MATERIALIZED (SELECT linha, {raw}, {', '.join(values)} "
        f"FROM (SELECT linha, {', '.join(texts)} FROM {BATCH}))"
    )
    condition, table = " AND ".join(good), f"extrato.{target.contract.name}"
    # The others are those whose line did not get in: telling them apart so is cheaper than typing all once more.
    loaded = f"SELECT linha FROM {table} WHERE arquivo = {quote(target.arquivo)} AND linha BETWEEN $first AND $last"
    return (
        f"INSERT INTO {table} {rows} SELECT {final_select(target, 't_', 'NULL')} FROM linhas WHERE {condition}",
        f"INSERT INTO {SUSPECT} SELECT linha, {', '.join(raws)} FROM {BATCH} ANTI JOIN ({loaded}) USING (linha)",
    )


def _load_batch(con: duckdb.DuckDBPyConnection, batch: Batch, insert: str, suspects: str, counts: Counts) -> None:
    counts.lidas += batch.blank + len(batch.broken)
    counts.ignoradas += batch.blank
    if batch.broken:
        _keep_broken(con, batch.broken)
    if batch.table is None:
        return
    con.register(BATCH, clean(batch.table))
    inserted = con.execute(insert).fetchall()[0][0]
    if inserted < batch.table.num_rows:
        lines = pc.min_max(batch.table["linha"]).as_py()
        con.execute(suspects, {"first": lines["min"], "last": lines["max"]})
    con.unregister(BATCH)
    counts.lidas += batch.table.num_rows
    counts.carregadas += inserted


def _keep_broken(con: duckdb.DuckDBPyConnection, broken: list[BrokenRow]) -> None:
    table = pa.table(
        {
            "linha": pa.array([b.linha for b in broken], pa.int64()),
            "valor": pa.array([b.valor for b in broken], pa.string()),
            "motivo": pa.array([b.motivo for b in broken], pa.string()),
            "curta": pa.array([b.short for b in broken], pa.bool_()),
        }
    )
    con.register(BATCH, table)
    con.execute(f"INSERT INTO {BROKEN} SELECT * FROM {BATCH}")
    con.unregister(BATCH)
