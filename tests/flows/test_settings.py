"""Settings: where each value comes from, and who wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.erros import ErroDeUso
from flows.settings import load_settings


def test_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arquivo = tmp_path / "m.toml"
    arquivo.write_text('warehouse = "a.duckdb"\nout = "b"\nmunicipio = "Mata"\n', encoding="utf-8")
    monkeypatch.setenv("EMDIA_OUT", "c")
    monkeypatch.setenv("EMDIA_MUNICIPIO", "Januária")
    s = load_settings(arquivo, municipio="Jequié")
    assert s.municipio == "Jequié"  # the command line
    assert s.out == Path("c")  # the environment
    assert s.warehouse == tmp_path / "a.duckdb"  # the file, relative to itself
    assert s.agenda == "0 2 * * *"  # the default


def test_two_municipalities_do_not_meet(tmp_path: Path) -> None:
    for nome in ("a", "b"):
        (tmp_path / f"{nome}.toml").write_text(f'warehouse = "{nome}.duckdb"\n', encoding="utf-8")
    a, b = (load_settings(tmp_path / f"{nome}.toml") for nome in ("a", "b"))
    assert (a.warehouse, b.warehouse) == (tmp_path / "a.duckdb", tmp_path / "b.duckdb")


@pytest.mark.parametrize(
    ("texto", "diz"),
    [
        ("tentativas = -1\n", "tentativas"),
        ("threads = 0\n", "threads"),
        ("nada = 1\n", "nada: não existe"),
        ("isto não é toml", "não é um arquivo TOML válido"),
    ],
)
def test_a_bad_file_is_wrong_usage(tmp_path: Path, texto: str, diz: str) -> None:
    arquivo = tmp_path / "m.toml"
    arquivo.write_text(texto, encoding="utf-8")
    with pytest.raises(ErroDeUso, match=diz):
        load_settings(arquivo)
