"""What may change a finding is told first, with the file, the line and the value, in the copy as in the warehouse."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from checks.law.catalogue import load_catalogue
from checks.law.reads import readings
from reports.explain import explain, render_explanation
from reports.explain.cautions import load_cautions
from reports.publish import publish
from reports.snapshot import publish_snapshot
from sql.cautions import record_cautions
from tests.dashboard.base import client
from tests.sql.test_cautions import AS_OF, BROKEN, OLD, PERMITS, RUN, WAIVERS, doubts

SAID = "Linha 3 de alvaras.csv, rejeitada nesta noite: coluna emitido_em, valor «31/02/2026»; data inválida"
WAIVER = "D1;veiculo_acima_da_idade;veiculo;V3;MS 12;Juiz;liminar;2026-01-01;2026-12-31\n"


@pytest.fixture
def con(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    """A night with a permit rejected for its date, and a waiver for a like check."""
    permits = PERMITS + OLD + f"A2;P1;V2;alvara;{BROKEN};2027-01-01\n"
    return doubts(tmp_path, alvaras=permits, dispensas=WAIVERS + WAIVER)[0]


def _finding(con: duckdb.DuckDBPyConnection, check: str, subject: str) -> str:
    found = con.execute("select achado_id from achados where verificacao = ? and sujeito_id = ?", [check, subject])
    return str(found.fetchall()[0][0])


def _story(con: duckdb.DuckDBPyConnection, check: str, subject: str) -> str:
    return " ".join(render_explanation(explain(con, _finding(con, check, subject))).split())


def test_the_line_to_put_right_comes_first(con: duckdb.DuckDBPyConnection) -> None:
    text = _story(con, "veiculo_sem_alvara", "V2")
    assert text.index("ATENÇÃO: CONFIRA ANTES") < text.index(SAID) < text.index("O QUE SE PEDE")
    assert "O QUE FAZER Antes de tudo, confira o que está em ATENÇÃO." in text
    assert "ATENÇÃO" not in _story(con, "veiculo_sem_alvara", "V4")


def test_the_waiver_and_its_process(con: duckdb.DuckDBPyConnection) -> None:
    text = _story(con, "substituicao_vencida", "V3")
    assert "Dispensa D1, processo MS 12 (liminar), em vigor até 31/12/2026: é do mesmo sujeito, mas para" in text
    assert "«Veículo dentro da idade máxima»" in text


def test_the_copy_tells_the_same(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    finding = _finding(con, "veiculo_sem_alvara", "V2")
    copy = publish_snapshot(con, tmp_path / "w.duckdb")
    with duckdb.connect(str(copy), read_only=True) as reader:
        assert load_cautions(reader, RUN, finding) == load_cautions(con, RUN, finding) != ()
        said = reader.execute("select pronto, ressalva from atos where achado_id = ?", [finding]).fetchall()
        assert said == [(False, "a linha 3 de alvaras.csv foi rejeitada")]
    page = client(copy, AS_OF).get(f"/caso/{finding}").text
    assert "Conferir antes</h2>" in page and "coluna emitido_em, valor «31/02/2026»" in page
    other = client(copy, AS_OF).get(f"/caso/{_finding(con, 'veiculo_sem_alvara', 'V4')}").text
    assert "V4" in other and "Conferir antes</h2>" not in other


def test_the_list_of_the_office(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    (found,) = [f for f in publish(con, RUN, tmp_path / "out") if f.path.name == "ressalvas.csv"]
    assert found.rows == con.execute("select count(*) from ressalvas").fetchall()[0][0] > 1
    rows = duckdb.sql(f"from read_csv('{found.path}', delim = ';', all_varchar = true)")
    kept = (
        rows.filter("verificacao = 'veiculo_sem_alvara'")
        .project("sujeito_id, arquivo, linha, coluna, valor")
        .fetchall()
    )
    assert kept == [("V2", "alvaras.csv", "3", "emitido_em", BROKEN)]


def test_what_a_person_is_told_by_is_not_kept(con: duckdb.DuckDBPyConnection) -> None:
    finding = _finding(con, "veiculo_sem_alvara", "V2")
    con.execute("update extrato.rejeitos set coluna = 'nascido_em' where nivel = 'rejeitado'")
    record_cautions(con, RUN, AS_OF, readings(load_catalogue(), [], AS_OF), [])
    kept = con.execute("select coluna, valor, motivo is null from ressalvas where achado_id = ?", [finding]).fetchall()
    assert kept == [("nascido_em", None, False)]


def test_many_lines_are_counted(con: duckdb.DuckDBPyConnection) -> None:
    finding = _finding(con, "veiculo_sem_alvara", "V2")
    con.execute("update ressalvas_historico set total = 25 where achado_id = ?", [finding])
    assert load_cautions(con, RUN, finding)[-1] == "E mais 24, em ressalvas.csv."
