"""The command line: help in Portuguese, exit codes, and how little it takes to show help."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli import build_app, main

COMANDOS = [nome for nome in build_app() if not nome.startswith("-")]
INGLES = ("Usage", "Commands", "Parameters", "Arguments", "required]", "default:", "choices:", "Display ")


def run(capsys: pytest.CaptureFixture[str], *argumentos: str) -> tuple[int, str, str]:
    try:
        codigo = main(list(argumentos))
    except SystemExit as saida:
        codigo = int(saida.code or 0)
    lido = capsys.readouterr()
    return codigo, lido.out, lido.err


@pytest.mark.parametrize("comando", ["", *COMANDOS])
def test_help_is_portuguese(comando: str, capsys: pytest.CaptureFixture[str]) -> None:
    codigo, out, _ = run(capsys, *([comando] if comando else []), "--help")
    assert codigo == 0
    assert out.startswith("Uso: emdia")
    assert "Mostra esta ajuda" in out if not comando else "╭─" in out
    assert not [palavra for palavra in INGLES if palavra in out]


def test_every_command_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help")
    for comando in COMANDOS:
        linha = next(x for x in out.splitlines() if x.startswith(f"│ {comando} "))
        assert len(linha.strip("│ ").split(maxsplit=1)) == 2, linha


@pytest.mark.parametrize(
    ("argumentos", "diz"),
    [
        (["rum"], "comando desconhecido: rum. Seria run?"),
        (["run", "--extrats", "x"], "opção desconhecida: --extrats. Seria --extracts?"),
        (
            ["run", "--as-of", "31/12/2026"],
            "valor inválido para --as-of: «31/12/2026» não é uma data AAAA-MM-DD",
        ),
        (["run", "--as-of", "2026-02-30"], "valor inválido para --as-of"),
        (["run", "--as-of"], "falta --as-of"),
        (["run", "sobra"], "sobra"),
        (["run", "--as-of", "[/x]"], "«[/x]»"),
        (["run", "--extracts", "nao-existe"], "a pasta de extratos não existe: nao-existe"),
        (["run"], "diga a pasta dos extratos"),
        (
            ["run", "--extracts", ".", "--overrides", "nao.toml"],
            "o arquivo de parâmetros não existe: nao.toml",
        ),
        (["run", "--config", "nao.toml"], "não foi possível ler nao.toml: o caminho não existe"),
        (["run", "--extracts", __file__], "não é uma pasta: --extracts pede a pasta"),
        (["run", "--extracts", ".", "--out", f"{__file__}/sub"], "parte do caminho é um arquivo, não uma pasta"),
        (["run", "--extracts", ".", "--out", __file__], "já existe um arquivo com esse nome"),
        (["run", "--extracts", ".", "--as-of", "1890-01-01"], "confira o ano, que vai de 1950 a"),
        (["run", "--extracts", ".", "--as-of", "9999-01-01"], "confira o ano"),
        (["serve"], "falta a pasta dos extratos"),
    ],
)
def test_wrong_usage_is_code_2(
    argumentos: list[str],
    diz: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    codigo, out, err = run(capsys, *argumentos)
    assert codigo == 2
    assert diz in err
    assert "Traceback" not in err
    assert out == ""
    assert not list(tmp_path.iterdir()), "wrong usage must leave nothing behind"


def test_help_imports_nothing_heavy() -> None:
    codigo = (
        "import sys\nfrom flows.cli import main\nmain(['--help'])\n"
        "pesados = {'prefect', 'pandas', 'great_expectations', 'polars', 'duckdb', 'pandera', 'pydantic'}\n"
        "print(sorted(pesados & set(sys.modules)), file=sys.stderr)"
    )
    saida = subprocess.run([sys.executable, "-c", codigo], capture_output=True, text=True, check=True)
    assert saida.stderr.strip() == "[]"


def test_config_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arquivo = tmp_path / "m.toml"
    arquivo.write_text('extracts = "x"\nlimite = 3\n', encoding="utf-8")
    codigo, _, err = run(capsys, "run", "--config", str(arquivo))
    assert codigo == 2
    assert "limite: não existe" in err


def test_doctor_answers_as_data(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    codigo, out, _ = run(capsys, "doctor", "--json", "--warehouse", str(tmp_path / "w.duckdb"))
    respostas = {r["nome"]: r["situacao"] for r in json.loads(out)}
    assert respostas["Banco"] == "aviso"
    assert {"Python", "Pacotes", "Normas", "Calendário"} <= set(respostas)
    assert codigo == (1 if "erro" in respostas.values() else 0)


def test_doctor_refuses_what_is_no_warehouse(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "w.duckdb").write_text("isto não é um banco" * 500, encoding="utf-8")
    codigo, out, _ = run(capsys, "doctor", "--warehouse", str(tmp_path / "w.duckdb"))
    assert codigo == 1
    assert "[ ERRO  ] Banco" in out


@pytest.mark.parametrize("comando", [["escalate"], ["notify", "--weekly"]])
def test_norms_that_can_not_be_read_are_told(
    comando: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "ajustes.toml").write_text("[[ajuste]]\nnorma = 'nenhuma'\n", encoding="utf-8")
    config = tmp_path / "m.toml"
    config.write_text("overrides = 'ajustes.toml'\n", encoding="utf-8")
    codigo, _, err = run(capsys, *comando, "--config", str(config))
    assert codigo == 1
    assert "ajustes.toml, linha 1" in err
    assert "Traceback" not in err


def test_what_the_system_refuses_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "x"))

    monkeypatch.setattr("flows.saude.examine", refuse)
    codigo, _, err = run(capsys, "doctor")
    assert codigo == 1
    assert err == f"emdia: o sistema recusou uma leitura ou escrita ({tmp_path / 'x'}): o disco está cheio.\n"
