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
    assert "norma" in out


def test_what_is_no_extract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, "planilha.csv", GOOD) == 3
    assert "não corresponde a nenhum extrato" in capsys.readouterr().out
    assert main(["source", "check", str(tmp_path / "nada.csv")]) == 2
