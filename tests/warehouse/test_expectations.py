"""Great Expectations behind the gate: bounds, broken checks, and good manners."""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from checks.warehouse import gate
from checks.warehouse.expectations import Pergunta, Validador
from checks.warehouse.suites import Suite, load_suites
from tests.warehouse.base import D, usual


@pytest.fixture(scope="module")
def validador():
    return Validador()


@pytest.mark.parametrize(
    ("valor", "minimo", "maximo", "sucesso"),
    [
        (0, None, 0, True),
        (1, None, 0, False),
        (0.2, None, 0.2, True),
        (0.2000001, None, 0.2, False),
        (1, 1, None, True),
        (0, 1, None, False),
        (20_000_000, None, 19_999_999, False),
    ],
)
def test_bounds_are_inclusive(validador, valor, minimo, maximo, sucesso):
    question = Pergunta("m", "x", "critica", minimo, maximo)
    (answer,) = validador.ask(f"limites-{valor}-{minimo}-{maximo}", {"m": valor}, [question])
    assert (answer.sucesso, answer.observado, answer.quebrou) == (sucesso, valor, None)


def test_a_check_that_could_not_run_is_neither_pass_nor_failure(validador):
    frame = pd.DataFrame({"boa": [1.0], "texto": ["x"]})
    questions = [Pergunta(i, i, "critica", None, 1) for i in ("boa", "ausente", "texto")]
    good, absent, text = validador.ask_frame("quebra", frame, questions)
    assert (good.sucesso, good.quebrou) == (True, None)
    assert (absent.sucesso, text.sucesso) == (None, None)
    assert "ausente" in absent.quebrou
    assert text.quebrou


def test_a_measure_without_a_value_never_passes_in_silence(validador):
    (answer,) = validador.ask("nulo", {"m": float("nan")}, [Pergunta("m", "m", "critica", None, 1)])
    assert answer.sucesso is None
    assert answer.quebrou


def test_a_broken_measure_is_an_error_and_refuses_nothing(con, monkeypatch):
    usual(con)
    suites = dict(load_suites())
    broken = suites["autos"].model_dump()
    for x in broken["expectativa"]:
        if x["id"] == "valor_fora_da_faixa":
            x |= {"conta": "coluna_que_nao_existe > 0", "severidade": "critica"}
    suites["autos"] = Suite.model_validate(broken)
    monkeypatch.setattr(gate, "load_suites", lambda: suites)
    result = gate.run_gate(con, D)
    assert result.recusados == {}
    (error,) = result.erros
    assert error.startswith("autos.valor_fora_da_faixa: verificação do portão quebrou")
    by_id = {r.expectativa: r for r in result.rows if r.extrato == "autos"}
    assert by_id["valor_fora_da_faixa"].sucesso is None
    assert by_id["balanco"].sucesso is True
    kept = con.execute("select count(*) from resultado.gate where sucesso is null").fetchall()
    assert kept == [(1,)]


def test_a_library_failure_breaks_the_suite_and_refuses_nothing(con, monkeypatch):
    usual(con)

    def fail(*_args):
        raise RuntimeError("sem contexto")

    monkeypatch.setattr(Validador, "ask", fail)
    result = gate.run_gate(con, D)
    assert result.recusados == {}
    assert len(result.erros) == len(result.rows) > 50
    assert "RuntimeError: sem contexto" in result.erros[0]


ALONE = """
import socket, sys

def no_network(*_args, **_kwargs):
    raise AssertionError("network used")

socket.socket.connect = socket.getaddrinfo = no_network
from checks.warehouse import gate
assert "great_expectations" not in sys.modules, "imported too early"
thread = gate.warm_up()
from checks.warehouse.expectations import Pergunta, Validador
answers = Validador().ask("s", {"m": 2}, [Pergunta("m", "m", "aviso", None, 1)])
assert answers[0].sucesso is False
assert not thread.is_alive()
"""


def test_nothing_is_imported_early_written_or_sent(tmp_path):
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    env = os.environ | {
        "HOME": str(home),
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "TMPDIR": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    run = subprocess.run(
        [sys.executable, "-c", ALONE],
        cwd=work,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == ""
    assert "Calculating Metrics" not in run.stderr
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["home", "work"]
