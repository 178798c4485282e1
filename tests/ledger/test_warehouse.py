"""Opening the warehouse: made once, kept for ever, and every refusal says what to do."""

import subprocess
import sys

import duckdb
import pytest

from sql.warehouse import (
    SCHEMA_VERSION,
    WarehouseBusy,
    WarehouseInvalid,
    WarehouseTooNew,
    open_warehouse,
    published_path,
)


def test_made_with_its_folder_and_opened_again(tmp_path):
    path = tmp_path / "novo" / "w.duckdb"
    with open_warehouse(path) as con:
        con.execute("insert into parametros_historico values ('r', 'n', 'v', 'h')")
    with open_warehouse(path, memory_limit="1GB", threads=1) as con:
        assert con.execute("select count(*) from parametros_historico").fetchall() == [(1,)]
        assert con.execute("select versao from esquema").fetchall() == [(SCHEMA_VERSION,)]
        assert con.execute("select count(*) from achados").fetchall() == [(0,)]
        assert con.execute("select current_setting('threads')").fetchall() == [(1,)]


def test_settings_hold_for_cursors_too(tmp_path):
    with open_warehouse(tmp_path / "w.duckdb") as con:
        cursor = con.cursor()
        assert cursor.execute("select current_setting('TimeZone')").fetchall() == [("America/Bahia",)]
        assert cursor.execute("select current_setting('autoinstall_known_extensions')").fetchall() == [(False,)]
        assert cursor.execute("select current_setting('temp_directory')").fetchall() == [
            (f"{tmp_path / 'w.duckdb'}.tmp",)
        ]


def test_held_by_another_process(tmp_path):
    path = tmp_path / "w.duckdb"
    code = f"import duckdb, sys; c = duckdb.connect({str(path)!r});print('open', flush=True); sys.stdin.readline()"
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        other.stdout.readline()
        with pytest.raises(WarehouseBusy, match=rf"em uso .*processo {other.pid}.*w.publicado.duckdb"):
            open_warehouse(path)
    finally:
        other.communicate("\n", timeout=30)
    open_warehouse(path).close()


def test_held_by_this_process_otherwise(tmp_path):
    path = tmp_path / "w.duckdb"
    with duckdb.connect(str(path)), pytest.raises(WarehouseBusy):
        open_warehouse(path)


def test_not_a_database(tmp_path):
    path = tmp_path / "w.duckdb"
    path.write_bytes(b"achado_id;norma\n" * 1000)
    with pytest.raises(WarehouseInvalid, match="não é um arquivo do DuckDB"):
        open_warehouse(path)
    assert path.read_bytes() == b"achado_id;norma\n" * 1000


def test_a_folder(tmp_path):
    with pytest.raises(WarehouseInvalid, match="é uma pasta"):
        open_warehouse(tmp_path)


def test_no_way_to_write(tmp_path):
    (tmp_path / "arquivo").write_text("")
    with pytest.raises(WarehouseInvalid, match="não foi possível abrir"):
        open_warehouse(tmp_path / "arquivo" / "w.duckdb")


def test_of_a_later_version(tmp_path):
    path = tmp_path / "w.duckdb"
    with open_warehouse(path) as con:
        con.execute("update esquema set versao = versao + 1")
    with pytest.raises(WarehouseTooNew, match="versão mais nova do emdia"):
        open_warehouse(path)


def test_name_of_the_published_copy(tmp_path):
    assert published_path(tmp_path / "mata.duckdb") == tmp_path / "mata.publicado.duckdb"
