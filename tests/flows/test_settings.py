"""Settings: where each value comes from, and who wins."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flows.arquivo_de_configuracao import line_of
from flows.erros import ErroDeUso
from flows.settings import Settings, load_settings


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
        ("tentativas = -1\n", "m.toml, linha 1: `tentativas`: deve ser no mínimo 0; está «-1»"),
        ("\n\nthreads = 0\n", "m.toml, linha 3: `threads`: deve ser no mínimo 1; está «0»"),
        ("max_rejeitos = 'muito'\n", "linha 1: `max_rejeitos`: deve ser um número decimal com ponto"),
        ("# a\nnada = 1\n", "m.toml, linha 2: nada: não existe; os nomes são municipio, fuso, extracts"),
        ("[envio]\nremetent = 'x'\n", "m.toml, linha 2: envio.remetent: não existe; os nomes são remetente, "),
        ("[portao]\n\nencolhimento_maximo = 3\n", "linha 3: `portao.encolhimento_maximo`: deve ser no máximo 1"),
        ("[portao]\naceitar_encolhimento = true\n", 'linha 2: `portao.aceitar_encolhimento`: deve ser uma lista ["a", "b"]; está «true»'),
        ("portao.aceitar_encolhimento = 1\n", "m.toml, linha 1: `portao.aceitar_encolhimento`: deve ser uma lista"),
        ("[portao]\najustes.'x' = 'muito'\n", "m.toml, linha 1: `portao.ajustes.x`: deve ser um número decimal"),
        ("[portao]\nencolhimento_maximo = 'x'\n", "linha 2: `portao.encolhimento_maximo`: deve ser um número decimal"),
        ("portao = 3\n", "m.toml, linha 1: `portao`: deve ser uma seção"),
        ("extracts = 3\n", "m.toml, linha 1: `extracts`: deve ser um caminho entre aspas"),
        ("fuso = 'America/Salvador'\n", "m.toml, linha 1: `fuso`: não é um fuso horário conhecido"),
        ("isto não é toml", "m.toml não é um arquivo TOML válido: linha 1, coluna 6: falta o sinal de igual"),
        ("a = [1,", "m.toml não é um arquivo TOML válido: linha 1, falta o valor depois do igual"),
    ],
)  # fmt: skip
def test_a_bad_file_is_wrong_usage(tmp_path: Path, texto: str, diz: str) -> None:
    arquivo = tmp_path / "m.toml"
    arquivo.write_text(texto, encoding="utf-8")
    with pytest.raises(ErroDeUso) as recusa:
        load_settings(arquivo)
    assert diz in str(recusa.value)


def test_the_example_file_is_valid_with_every_line_of_the_gate_in_use(tmp_path: Path) -> None:
    exemplo = Path(__file__).parents[2] / "deployments" / "municipio.exemplo.toml"
    portao = re.search(r"(# \[portao\]\n(?:# \w+ .*\n)+)", exemplo.read_text(encoding="utf-8"))
    assert portao is not None
    arquivo = tmp_path / "m.toml"
    arquivo.write_text(re.sub("^# ", "", portao[1], flags=re.M), encoding="utf-8")
    assert load_settings(exemplo).portao.aceitar_encolhimento == frozenset()
    assert load_settings(arquivo).portao.aceitar_encolhimento == {"taxas"}


def test_a_bad_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMDIA_THREADS", "0")
    with pytest.raises(ErroDeUso, match=r"variável EMDIA_THREADS: `threads`: deve ser no mínimo 1; está «0»"):
        load_settings()


def test_the_line_of_a_value() -> None:
    texto = 'a = 1\n[t]\na = 2\n[t.u]\n"c" = 3\n'
    assert line_of(texto, ["a"]) == 1
    assert line_of(texto, ["t", "a"]) == 3
    assert line_of(texto, ["t", "u", "c"]) == 5
    assert line_of(texto, ["t", "falta"]) == 2  # its table
    assert line_of(texto, ["falta"]) is None


def test_every_setting_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "operacao.md").read_text(encoding="utf-8")
    table = text[text.index("| nome | padrão | para quê |") : text.index("## Três formas de rodar")]
    names = {
        name
        for line in table.splitlines()[2:]
        for name in re.findall(r"`(\w+)`", line.split("|")[1] if "|" in line else "")
    }
    assert names == set(Settings.model_fields)
