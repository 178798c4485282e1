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


def test_forecast_tells_its_dates_in_order_and_few(capsys: pytest.CaptureFixture[str]) -> None:
    from datetime import date, timedelta

    from flows.commands.forecast import Andamento

    inicio = date(2026, 11, 30)
    andamento = Andamento(inicio, 90)
    for dias in (0, 15, 1, 2, 30, 16, 17, 45, 60, 31, 75, 90, 76):
        andamento(inicio + timedelta(days=dias))
    ditas = [linha.split()[3] for linha in capsys.readouterr().err.splitlines()]
    assert ditas == ["30/11/2026", "30/12/2026", "29/01/2027", "28/02/2027"]


def test_report_needs_no_format_and_speaks_of_no_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--warehouse", str(tmp_path / "w.duckdb")]) == 1
    erro = capsys.readouterr().err
    assert "rode emdia run" in erro and "sozinha" not in erro


def test_coverage_in_a_pipe_cuts_no_name(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from data.coverage import load_coverage

    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(["norms", "coverage"]) == 0
    texto = capsys.readouterr().out
    nomes = {c for cobertura in load_coverage() for linha in cobertura.linhas for c in linha.verificacoes}
    assert nomes and not [n for n in nomes if n not in texto]


def test_hints_show_paths_without_detours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reports.dicas import command

    monkeypatch.delenv("EMDIA_CHAMADO", raising=False)
    assert command("diff", warehouse="./a/../b//w.duckdb") == "emdia diff --warehouse b/w.duckdb"
