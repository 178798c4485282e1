"""The published copy: missing, broken, old, swapped; and whether its data may be called today's."""

from __future__ import annotations

import os
import re
import shutil
import threading
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import duckdb
import pytest

from dashboard.conferencia import CopyProblem
from dashboard.config import PainelSettings
from dashboard.copia import Copia
from dashboard.relatorio import write_morning
from tests.dashboard.base import AS_OF, HOSTILE, client


def problem(page, words):
    answer = page.get("/")
    assert answer.status_code == 503 and answer.headers["retry-after"] == "30"
    assert words in answer.text and "Traceback" not in answer.text
    assert "nosniff" in answer.headers["x-content-type-options"]


def test_no_copy_yet_and_then_one(own_copy):
    kept = own_copy.read_bytes()
    own_copy.unlink()
    page = client(own_copy)
    problem(page, "Ainda não há cópia publicada")
    assert page.get("/versao").json() == {"versao": ""}
    own_copy.write_bytes(kept)
    assert page.get("/").status_code == 200


def test_garbage(own_copy):
    own_copy.write_bytes(b"PK\x03\x04" + b"x" * 9000)
    problem(client(own_copy), "danificada")
    own_copy.write_bytes(b"")
    problem(client(own_copy), "")


@pytest.mark.parametrize("missing", [1, 400_000])
def test_a_copy_cut_short(own_copy, missing):
    with own_copy.open("r+b") as file:
        file.truncate(own_copy.stat().st_size - missing)
    problem(client(own_copy), "pela metade")


def test_an_older_copy(own_copy):
    with duckdb.connect(str(own_copy)) as con:
        con.execute("drop view atos_historico; drop view atos; drop table atos_andamento")
    problem(client(own_copy), "versão anterior")


def test_a_newer_copy(own_copy):
    with duckdb.connect(str(own_copy)) as con:
        con.execute("update schema_versao set versao = 99")
    problem(client(own_copy), "mais nova")


def test_another_database(own_copy):
    own_copy.unlink()
    with duckdb.connect(str(own_copy)) as con:
        con.execute("create table x (y integer)")
    problem(client(own_copy), "não é uma cópia publicada")


def test_a_swap_is_seen_and_who_reads_the_old_one_goes_on(nights, published, tmp_path):
    first = nights.parent / "primeira.duckdb"
    path = tmp_path / "m.publicado.duckdb"
    shutil.copy(first, path)
    copia = Copia(path)
    page = client(path, today=date(2026, 3, 2))
    assert "02/03/2026" in page.get("/").text
    before = page.get("/versao").json()["versao"]
    with copia.read() as old:
        shutil.copy(published, tmp_path / "novo")
        (tmp_path / "novo").replace(path)
        with copia.read() as new:
            assert new.as_of == AS_OF and new.versao != old.versao
            count = "select count(*) from encerrados"
            assert new.con.execute(count).fetchall()[0][0] > old.con.execute(count).fetchall()[0][0] == 0
    assert page.get("/versao").json()["versao"] not in ("", before)
    assert "09/03/2026" in page.get("/").text
    assert [p.name for p in tmp_path.iterdir()] == ["m.publicado.duckdb"]


def test_a_folder_that_only_others_write(own_copy):
    """Where no hard link can be made, a private copy is opened."""
    original = os.link
    try:
        os.link = lambda *a, **k: (_ for _ in ()).throw(PermissionError(1, "no"))
        with Copia(own_copy).read() as reading:
            assert reading.as_of == AS_OF
    finally:
        os.link = original


def test_nothing_but_the_copy_can_be_read(published):
    with Copia(published).read() as reading:
        for sql in (
            "select * from read_csv('/etc/passwd')",
            "attach '/tmp/x.duckdb'",
            "set enable_external_access = true",
        ):
            with pytest.raises(duckdb.Error):
                reading.con.execute(sql).fetchall()


def test_a_query_too_long_is_stopped(published):
    with pytest.raises(CopyProblem, match="interrompida"), Copia(published).read(0.3) as reading:
        reading.con.execute(
            "select count(*) from range(10000000) a, range(10000000) b where hash(a.range) = hash(b.range)"
        ).fetchall()


def test_many_at_once(published):
    page = client(published)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(page.get("/lista/todos").status_code)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert answers == [200] * 8


STALE = "Estes dados não são de hoje"


def test_yesterday_is_never_shown_as_today(published):
    assert STALE not in client(published, today=AS_OF).get("/").text
    late = client(published, today=AS_OF + timedelta(1))
    for path in ("/", "/lista/cassacoes", "/fontes", "/cobertura", "/avisos"):
        assert STALE in late.get(path).text
    assert "(ontem)" in late.get("/").text
    weekend = client(published, today=AS_OF + timedelta(3), tolerancia_dias=3)
    assert STALE not in weekend.get("/").text and "há 3 dias" in weekend.get("/").text
    assert STALE in client(published, today=AS_OF + timedelta(4), tolerancia_dias=3).get("/").text
    assert "data futura" in client(published, today=AS_OF - timedelta(1)).get("/").text


def test_sources_that_are_not_of_the_night_are_at_the_top_of_every_page(own_copy):
    assert "fontes entregues são desta noite" in client(own_copy).get("/").text
    with duckdb.connect(str(own_copy)) as con:
        con.execute(
            "update carga set situacao = 'defasado', origem_as_of = date '2026-03-02' where as_of = date '2026-03-09'"
            " and extrato = 'autos'"
        )
        con.execute("update execucao set codigo_saida = 1 where as_of = date '2026-03-09'")
    text = client(own_copy).get("/lista/multas").text
    assert "1 fonte não é desta noite:" in text and "autos (defasado, de 02/03/2026)" in text
    assert "A última noite falhou em parte" in text


def test_a_night_done_again_says_that_there_is_a_later_one(own_copy):
    with duckdb.connect(str(own_copy)) as con:
        con.execute(
            "update execucao set as_of = date '2026-03-20', situacao = 'concluida' where as_of = date '2026-03-02'"
        )
    assert "noite refeita" in client(own_copy).get("/").text


def test_the_mailed_file_stands_alone(published, tmp_path):
    page = client(published)

    def write(names):
        out = tmp_path / "pasta" / "manha.html"
        moment = datetime(2026, 3, 9, 8, tzinfo=ZoneInfo("America/Bahia"))
        write_morning(published, out, moment, PainelSettings(), "Município", names)
        assert [p.name for p in out.parent.iterdir()] == ["manha.html"]
        return out.read_text(encoding="utf-8")

    text = write(False)
    assert (
        "<script" not in text
        and "<link" not in text
        and "src=" not in text
        and "http" not in text.replace("http-equiv", "")
    )
    assert 'href="/' not in text and "Ver cada fonte" not in text  # nothing looks like a link and leads nowhere
    style = re.search(r"<style>(.*?)</style>", text, re.S)[1]
    assert '"Segoe UI"' in style and "> *" in style and "&" not in style  # the browser reads it as it is written
    assert "As fontes desta noite" in text
    number = re.search(r'id="total-cassacoes">(\d+)<', text)[1]
    assert f'id="total-cassacoes">{number}<' in page.get("/").text
    assert "Permissionário 0" not in text and "Ávila" not in text
    named = write(True)
    assert "As mais antigas" in named and "&lt;script&gt;" in named and HOSTILE[0] not in named
