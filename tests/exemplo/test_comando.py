"""`emdia demo`, whole: three nights in a folder, the refused extract told, a finding to explain."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from flows.cli import main
from flows.commands.demo import MARCA


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "cidade"


def test_three_nights_from_extracts_to_findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--direct", "--operadores", "400", "--out", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "29/11/2026" in said and "30/11/2026" in said
    assert "extrato recusado ou defasado" in said
    example = re.search(r"emdia explain (\S+)", said)
    assert example is not None
    with duckdb.connect(str(folder / "emdia.publicado.duckdb"), read_only=True) as con:
        assert con.execute("select situacao from achados where achado_id = ?", [example.group(1)]).fetchall() == [
            ("violacao",)
        ]
        states = dict(con.execute("select estado, count(*) from achados group by all").fetchall())
        assert states["persiste"] > 20 and states["novo"] > 0
        assert con.execute("select count(*) from encerrados where causa = 'regularizado'").fetchall()[0][0] > 0
        kinds = {row[0] for row in con.execute("select distinct situacao from achados").fetchall()}
        assert {"violacao", "a_vencer", "para_decisao", "nao_avaliado", "dispensado"} <= kinds
    for night in ("2026-11-28", "2026-11-29", "2026-11-30"):
        assert (folder / "saida" / night / "achados.csv").is_file()


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "importante.txt"
    mine.write_text("não apague")
    assert main(["demo", "--direct", "--out", str(tmp_path)]) == 2
    assert mine.read_text() == "não apague" and not (tmp_path / MARCA).exists()
    assert "--out" in capsys.readouterr().err
