"""The files of the night, read back as anybody would read them."""

import csv
from datetime import date
from decimal import Decimal

import duckdb
import polars as pl
import pytest

from reports.publish import ACHADOS, ENCERRADOS, publish
from tests.ledger.base import Row, new_warehouse, night

HOSTILE = "=cmd|\" /C calc\"!A0;\r\n«ção»\t'x'"


@pytest.fixture
def con(tmp_path):
    connection = new_warehouse(tmp_path)
    yield connection
    connection.close()


def read(path):
    raw = path.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf") and raw.count(b"\xef\xbb\xbf") == 1
    with path.open(encoding="utf-8-sig", newline="") as f:
        return list(csv.DictReader(f, delimiter=";"))


def test_columns_and_values(con, tmp_path):
    night(con, 1, [Row("A2"), Row("A1", valor=Decimal("1234.50"), evidencia='{"a":"b;c","d":1.5}')])
    night(
        con,
        2,
        [Row("A1", valor=Decimal("1234.50"), evidencia='{"a":"b;c","d":1.5}'), Row("A3", "nao_avaliado")],
    )
    files = publish(con, "r2", tmp_path / "out")
    assert [(f.path.name, f.rows) for f in files] == [
        ("achados.csv", 2), ("achados.parquet", 2), ("encerrados.csv", 1), ("rejeitos.csv", 0),
        ("ressalvas.csv", 0),
    ]  # fmt: skip
    first, last = read(tmp_path / "out/achados.csv")
    assert tuple(first) == ACHADOS
    assert {k: first[k] for k in ("devido_em", "dias", "valor", "estado", "aberta_em", "reaberta")} == {
        "devido_em": "2026-01-10", "dias": "23", "valor": "1234.50", "estado": "persiste",
        "aberta_em": "2026-02-01", "reaberta": "0",
    }  # fmt: skip
    assert first["evidencia"] == '{"a":"b;c","d":1.5}'
    assert (last["sujeito_id"], last["devido_em"], last["dias"], last["valor"]) == ("A3", "", "", "")
    (gone,) = read(tmp_path / "out/encerrados.csv")
    assert tuple(gone) == ENCERRADOS
    assert (gone["causa"], gone["encerrado_em"], gone["visto_em"]) == (
        "regularizado",
        "2026-02-02",
        "2026-02-01",
    )


def test_parquet_is_typed(con, tmp_path):
    night(con, 1, [Row("A1", valor=Decimal("0.10"))])
    publish(con, "r1", tmp_path)
    frame = pl.read_parquet(tmp_path / "achados.parquet")
    assert tuple(frame.columns) == ACHADOS
    assert frame.schema["valor"] == pl.Decimal(18, 2) and frame.schema["devido_em"] == pl.Date
    assert frame["valor"].to_list() == [Decimal("0.10")] and frame["aberta_em"].to_list() == [date(2026, 2, 1)]


def test_hostile_text_comes_back_as_it_was(con, tmp_path):
    night(con, 1, [Row(HOSTILE)])
    con.execute(
        "insert into extrato.rejeitos values ('autos', 'autos.csv', 3, 'valor', $v, 'motivo; \"x\"', 'aviso')",
        {"v": HOSTILE},
    )
    night(con, 1, [Row(HOSTILE)])
    publish(con, "r1", tmp_path)
    assert read(tmp_path / "achados.csv")[0]["sujeito_id"] == HOSTILE
    assert read(tmp_path / "rejeitos.csv")[0]["valor"] == HOSTILE


def test_same_findings_same_bytes(con, tmp_path):
    rows = [Row(f"A{n}") for n in range(50)]
    night(con, 1, rows)
    publish(con, "r1", tmp_path / "a")
    night(con, 1, rows[::-1])
    publish(con, "r1", tmp_path / "b")
    for name in ("achados.csv", "achados.parquet", "encerrados.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_failure_leaves_yesterdays_files(con, tmp_path):
    night(con, 1, [Row("A1")])
    publish(con, "r1", tmp_path)
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.suffix in (".csv", ".parquet")}
    night(con, 2, [])
    con.execute("alter table rejeitos rename to rejeitos_longe")
    with pytest.raises(duckdb.Error):
        publish(con, "r2", tmp_path)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.suffix in (".csv", ".parquet")} == before
    assert not list(tmp_path.glob(".*tmp"))
