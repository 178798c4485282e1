"""Whatever the file, loads balance; whatever the order, parts and dialect, the rows are the same."""

from __future__ import annotations

import csv
import io
import random
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checks.extracts.reading.csv_source import CsvSource
from tests.extracts.base import AUTOS_HEADER, load, put, rows, tally, values

SLOW = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))

WIDTH = AUTOS_HEADER.count(";") + 1

TEXT = st.text(st.sampled_from("aZçÃ \"';|,\n–0"), max_size=8)
CELL = st.one_of(
    st.sampled_from(
        ["", "A1", "A2", "P1", "26-I", "2026-01-05", "31/02/2026", "05/01/2026 08:00", "-", "1.234", "x", "TOTAL"]
    ),
    TEXT,
)


@settings(SLOW, max_examples=20)
@given(
    st.one_of(
        st.lists(st.lists(CELL, min_size=WIDTH, max_size=WIDTH), max_size=15),
        st.lists(st.lists(CELL, min_size=1, max_size=10), max_size=15),
    ),
    st.sampled_from(";,|\t"),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_loads_balance_whatever_is_in_the_file(
    lines: list[list[str]], delimiter: str, newline: str, quoted: bool
) -> None:
    out = io.StringIO()
    out.write(AUTOS_HEADER.replace(";", delimiter) + newline)
    if quoted:
        csv.writer(out, delimiter=delimiter, lineterminator=newline).writerows(lines)
    else:
        out.writelines(delimiter.join(line) + newline for line in lines)
    with TemporaryDirectory() as folder:
        con, result = load(put(Path(folder), autos=out.getvalue()))  # load() asserts the balance
        lidas, carregadas, rejeitadas, _, ignoradas = tally(result)
        if not quoted:
            assert lidas <= out.getvalue().count("\n") - 1
        elif all(len(line) == WIDTH for line in lines):
            assert lidas == len(lines)
        rejected = "SELECT count(DISTINCT (arquivo, linha)) FROM extrato.rejeitos WHERE nivel = 'rejeitado'"
        assert values(con, rejected) == [rejeitadas]
        if result.situacao("autos") == "aceito":
            assert values(con, "SELECT count(*) FROM extrato.autos") == [carregadas]
        assert ignoradas <= lidas


@settings(max_examples=200, deadline=None)
@given(st.text('a;"\n\r ', max_size=30))
def test_every_line_is_in_some_record_or_told(body: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_bytes(f"a;b\n{body}".encode())
        seen: list[int] = []
        blank = 0
        for batch in CsvSource(path, True, len).batches([0, 1]):
            blank += batch.blank
            seen += [row.linha for row in batch.broken]
            if batch.table is not None:
                seen += batch.table["linha"].to_pylist()
        assert len(seen) == len(set(seen))
        lines = (body if body.endswith("\n") or not body else body + "\n").count("\n")
        assert all(2 <= line <= lines + 1 for line in seen)
        if '"' not in body:
            assert len(seen) + blank == lines


AUTO = st.fixed_dictionaries(
    {
        "permissionario_id": st.sampled_from(["P1", "P2", "0007"]),
        "codigo": st.sampled_from(["26-I", "28-VII"]),
        "ocorrido_em": st.dates(date(2020, 1, 1), date(2026, 11, 30)),
        "local": st.sampled_from(["", "Praça da Sé", 'Bar "do Zé"; fundos', "linha 1\nlinha 2", "a, b | c"]),
        "pago_em": st.one_of(st.none(), st.dates(date(2020, 1, 1), date(2026, 11, 30))),
        "valor": st.one_of(st.none(), st.integers(0, 10**7)),
        "situacao": st.sampled_from(["", "ativo", "cancelado"]),
    }
)


def write(folder: Path, name: str, autos: list[dict[str, Any]], brazilian: bool) -> None:
    """The same autos in either of the two dialects."""
    out = io.StringIO()
    columns = ["auto_id", *AUTO_COLUMNS]
    names = [f" {c.upper()} " for c in columns] if brazilian else columns
    writer = csv.writer(out, delimiter=";" if brazilian else ",", lineterminator="\r\n" if brazilian else "\n")
    writer.writerow(names)
    for auto in autos:
        writer.writerow([_cell(auto[c], brazilian) for c in columns])
    (folder / name).write_bytes(out.getvalue().encode("cp1252" if brazilian else "utf-8"))


AUTO_COLUMNS = ("permissionario_id", "codigo", "ocorrido_em", "local", "pago_em", "valor", "situacao")


def _cell(value: Any, brazilian: bool) -> str:
    if value is None:
        return "-" if brazilian else ""
    if isinstance(value, date):
        return f"{value:%d/%m/%Y}" if brazilian else value.isoformat()
    if isinstance(value, int):
        amount = f"{value / 100:.2f}"
        return f"R$ {value / 100:,.2f}".translate(str.maketrans(",.", ".,")) if brazilian else amount
    return str(value).upper() if brazilian and value in ("ativo", "cancelado") else str(value)


def typed(con: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return rows(con, "SELECT * EXCLUDE (arquivo, linha) FROM extrato.autos ORDER BY auto_id")


@SLOW
@given(st.lists(AUTO, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_order_parts_and_dialect_change_nothing(autos: list[dict[str, Any]], rng: random.Random) -> None:
    numbered = [{"auto_id": f"A{i:03}", **auto} for i, auto in enumerate(autos)]
    shuffled = rng.sample(numbered, len(numbered))
    middle = rng.randrange(len(numbered) + 1)
    with TemporaryDirectory() as name:
        root = Path(name)
        for part in ("plain", "split"):
            (root / part).mkdir()
        write(root / "plain", "autos.csv", numbered, brazilian=False)
        parts = [p for p in (shuffled[:middle], shuffled[middle:]) if p]
        for i, part in enumerate(parts):
            write(root / "split", f"autos-{i}.csv", part, brazilian=True)
        expected = typed(load(root / "plain")[0])
        assert len(expected) == len(numbered)
        assert typed(load(root / "split")[0]) == expected


@SLOW
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_duplicates_are_settled_whatever_the_order(picks: list[tuple[int, int]], rng: random.Random) -> None:
    lines = [f"A{key};P1;26-I;{date(2026, 1, 1) + timedelta(days=other)};V1;;1;" for key, other in picks]
    versions: dict[int, set[int]] = {}
    for key, other in picks:
        versions.setdefault(key, set()).add(other)
    kept = sorted(f"A{key}" for key, others in versions.items() if len(others) == 1)
    rejected = sum(len(versions[key]) > 1 for key, _ in picks)
    with TemporaryDirectory() as name:
        folder = put(Path(name), autos="\n".join([AUTOS_HEADER, *rng.sample(lines, len(lines))]) + "\n")
        con, result = load(folder)
        assert tally(result) == (len(lines), len(kept), rejected, len(lines) - len(kept) - rejected, 0)
        if result.situacao("autos") == "aceito":
            assert values(con, "SELECT auto_id FROM extrato.autos ORDER BY 1") == kept
