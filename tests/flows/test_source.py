"""`emdia source check` says what a file would suffer, and writes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli import main

GOOD = "permissionario_id;norma;nome;tipo_pessoa;documento\nP1;825/2021;Ana;PF;529.982.247-25\n"


def run(tmp_path: Path, name: str, text: str, *args: str) -> int:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return main(["source", "check", str(path), "--as-of", "2026-03-02", *args])


def test_good_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "permissionarios-2026.csv", GOOD) == 0
    out = capsys.readouterr().out
    assert "extrato permissionarios, seria aceito" in out
    assert "delimitador «;»" in out
    assert [p.name for p in tmp_path.iterdir()] == ["permissionarios-2026.csv"]


def test_bad_rows_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "permissionarios.csv", GOOD + "P2;9/9999;Bia;PF;1\n", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["carga"]["rejeitadas"] == 1
    assert any(p["coluna"] == "norma" and p["exemplos"][0][0] == 3 for p in report["problemas"])


def test_refused_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "permissionarios.csv", GOOD.replace("norma", "lei")) == 3
    out = capsys.readouterr().out
    assert "SERIA RECUSADO" in out
    assert out.count("falta a coluna obrigatória norma") == 1
    assert "OBRIGATÓRIAS" not in out
    assert "sem avaliação" not in out


def test_what_is_no_extract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "planilha.csv", GOOD) == 3
    assert "não corresponde a nenhum extrato" in capsys.readouterr().out
    assert main(["source", "check", str(tmp_path / "nada.csv")]) == 2


def test_what_the_gate_would_refuse_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One row, unusable: too few for the reading's limit, but nothing is left of the file."""
    assert run(tmp_path, "permissionarios.csv", GOOD.replace("825/2021", "9/9999")) == 3
    out = capsys.readouterr().out
    assert "SERIA RECUSADO" in out
    assert "ao menos uma linha do arquivo foi aproveitada" in out
    assert "1 linha lida: 0 carregadas, 1 rejeitada," in out


def test_shrinking_is_compared_with_the_last_accepted_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = GOOD.splitlines()[0] + "\n"

    def rows(n: int) -> str:
        return header + "".join(f"P{i};825/2021;Ana {i};PF;529.982.247-25\n" for i in range(n))

    folder, warehouse = tmp_path / "entrada", tmp_path / "w.duckdb"
    folder.mkdir()
    (folder / "permissionarios.csv").write_text(rows(100), encoding="utf-8")
    night = ["run", "--direct", "--extracts", str(folder), "--as-of", "2026-03-01", "--warehouse", str(warehouse)]
    assert main([*night, "--out", str(tmp_path / "saida")]) == 0
    assert run(tmp_path, "permissionarios.csv", rows(80), "--warehouse", str(warehouse)) == 0
    assert run(tmp_path, "permissionarios.csv", rows(79)) == 0
    capsys.readouterr()
    assert run(tmp_path, "permissionarios.csv", rows(79), "--warehouse", str(warehouse)) == 3
    assert "não perdeu linhas demais" in capsys.readouterr().out
    assert run(tmp_path, "permissionarios.csv", GOOD, "--warehouse", str(tmp_path / "nada.duckdb")) == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("permissionario.csv", "Seria permissionarios.csv?"),
        ("auto-2026-11-30.csv", "Seria autos.csv?"),
        ("autos.ods", "O formato .ods não é lido: exporte em .csv, .parquet, .xlsx."),
        ("zzz.csv", "Os nomes são alvaras,"),
    ],
)
def test_nearest_name_is_suggested(name: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, name, GOOD) == 3
    assert says in capsys.readouterr().out


def test_a_norm_not_in_force_yet_is_told_and_no_question_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, "permissionarios.csv", GOOD) == 0
    assert "A conferência" not in capsys.readouterr().out
    (tmp_path / "permissionarios.csv").write_text(GOOD, encoding="utf-8")
    assert main(["source", "check", str(tmp_path / "permissionarios.csv"), "--as-of", "2021-01-01"]) == 0
    out = capsys.readouterr().out
    assert "está em vigor no sistema: 1 caso" in out and "quebrou" not in out


VEHICLES = "veiculo_id;permissionario_id;placa;tipo;ano_fabricacao\nV1;P1;ABC1234;van;2020\n"


def test_missing_columns_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "veiculos.csv", VEHICLES) == 0
    out = capsys.readouterr().out
    assert "Não vieram, e deixam verificações sem avaliação:" in out and "seguro_vence_em: seguro_vencido\n" in out
    assert "valem pelo padrão: tracao (combustao); funcao (operacao)." in out
    assert "Também não vieram, e nenhuma verificação deixa de ser feita por isso: " in out
    assert "chassi" in out.split("Também não vieram")[1]
    assert run(tmp_path, "veiculos.csv", VEHICLES, "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ausentes_exigidas"]["seguro_vence_em"] == ["seguro_vencido"]
    assert report["ausentes_com_padrao"]["tracao"] == "combustao"


def test_a_repeated_key_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repeated = VEHICLES + "V2;P1;ABC1235;van;2020\nV2;P1;ABC1236;van;2020\n"
    assert run(tmp_path, "veiculos.csv", repeated) == 0
    out = capsys.readouterr().out
    assert out.count("chave repetida") == 1 and "2 linhas rejeitadas: coluna veiculo_id" in out
    assert "linha 3: 'V2'" in out and "linha 4: 'V2'" in out


def test_several_files_or_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "permissionarios.csv").write_text(GOOD, encoding="utf-8")
    (tmp_path / "veiculos-a.csv").write_text(VEHICLES + "V2;P1;ABC1236;van;2020\n", encoding="utf-8")
    (tmp_path / "veiculos-b.csv").write_text(VEHICLES.replace("1234", "1235"), encoding="utf-8")
    (tmp_path / "leia-me.txt").write_text("nada", encoding="utf-8")
    command = ["source", "check", "--as-of", "2026-03-02", "--json"]
    assert main([*command, str(tmp_path)]) == 0
    said = capsys.readouterr()
    reports = json.loads(said.out)
    assert [r["arquivo"] for r in reports] == ["permissionarios.csv", "veiculos-a.csv", "veiculos-b.csv"]
    assert "leia-me.txt" in said.err
    # V1 in two files of one extract, with two plates: the files are one picture
    assert [(r["carga"]["lidas"], r["carga"]["rejeitadas"]) for r in reports] == [(1, 0), (2, 1), (1, 1)]
    assert "veja também veiculos-b.csv linha 2" in reports[1]["problemas"][0]["motivo"]
    (tmp_path / "veiculos-b.csv").write_text("veiculo_id\nV1\n", encoding="utf-8")
    assert main([*command, str(tmp_path / "permissionarios.csv"), str(tmp_path / "veiculos-b.csv")]) == 3
    assert [r["aceito"] for r in json.loads(capsys.readouterr().out)] == [True, False]
    assert main(["source", "check"]) == 2
    (tmp_path / "vazia").mkdir()
    assert main(["source", "check", str(tmp_path / "vazia")]) == 2
