"""The plain comparison of `source check` gives the verdicts of the night's judge, bound by bound."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

from checks.warehouse.bounds import Comparacao, Pergunta
from checks.warehouse.expectations import Validador
from checks.warehouse.gate import CargaAnterior, run_gate
from checks.warehouse.suites import load_suites
from tests.warehouse.base import AUTOS, PERMISSIONARIOS, D, fill, rows, usual


@pytest.fixture(scope="module")
def validador():
    return Validador()


def around(bound):
    """Values on, beside and far from a bound."""
    beside = {math.nextafter(bound, -math.inf), bound, math.nextafter(bound, math.inf)}
    return sorted(beside | {bound - 1.0, bound + 1.0, bound / 2, 0.0, 20_000_000.0})


@pytest.mark.parametrize("extrato", sorted(load_suites()))
def test_every_bound_of_every_suite_is_judged_alike(validador, extrato):
    medidas, perguntas = {}, []
    for x in load_suites()[extrato].expectativa:
        for bound in (x.minimo, x.maximo):
            for n, value in enumerate(around(bound) if bound is not None else ()):
                name = f"{x.id}-{bound}-{n}"
                medidas[name] = value
                perguntas.append(Pergunta(name, x.descricao, x.severidade, x.minimo, x.maximo))
    plain = Comparacao().ask(extrato, medidas, perguntas)
    assert plain == validador.ask(extrato, medidas, perguntas)
    assert {a.sucesso for a in plain} == {True, False}


def test_no_value_is_no_verdict_on_either_side(validador):
    question = [Pergunta("m", "m", "critica", None, 1)]
    assert Comparacao().ask("nulo", {"m": math.nan}, question) == validador.ask("nulo", {"m": math.nan}, question)


def test_a_whole_load_is_judged_alike(con):
    usual(con)
    fill(con, "autos", rows(AUTOS, 60))
    fill(con, "permissionarios", rows(PERMISSIONARIOS, 9), lidas=20, rejeitadas=11)
    before = {"autos": CargaAnterior(as_of=D, linhas=200, carregadas=200)}
    by_library = run_gate(con, D, anterior=before)
    plain = run_gate(con, D, anterior=before, juiz=Comparacao())
    assert set(by_library.recusados) == {"autos"}
    assert (plain.rows, plain.recusados, plain.erros) == (by_library.rows, by_library.recusados, by_library.erros)


def test_source_check_does_not_import_the_library(tmp_path):
    file = tmp_path / "permissionarios.csv"
    file.write_text("permissionario_id;norma;nome;tipo_pessoa;documento\nP1;825/2021;Ana;PF;529.982.247-25\n")
    code = (
        "import sys\nfrom flows.cli import main\n"
        f"assert main(['source', 'check', {str(file)!r}, '--as-of', '2026-03-02']) == 0\n"
        "assert 'great_expectations' not in sys.modules\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stderr
