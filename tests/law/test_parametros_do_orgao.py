"""Numbers the law leaves to the body: what the checks of fines and sanctions say once they are fixed."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from tests.law.casos import Case, build, catalogue, norms

AS_OF = date(2026, 11, 30)


def run(check: str, norma: str, autos: list[dict[str, str]], **fixed: Any) -> dict[str, tuple]:
    """Findings (situacao, valor, evidencia) per subject of one check, with some parameters of the norm fixed."""
    con = build([Case(check, "x", norma, AS_OF, {"autos": autos})], AS_OF)
    rows = [
        replace(row, valores={**row.valores, **fixed})
        for row in parameter_rows(norms(), catalogue(), AS_OF)[check]
        if row.norma == norma
    ]
    results = run_checks(con, {check: catalogue()[check]}, {check: rows}, AS_OF)
    assert [r.erro for r in results] == [None]
    found = {
        subject.rpartition("|")[2]: (situacao, valor, json.loads(evidencia))
        for subject, situacao, valor, evidencia in con.execute(
            "select sujeito_id, situacao, valor, evidencia from resultado.achados"
        ).fetchall()
    }
    con.close()
    return found


def autos(*lines: tuple[str, str], **common: str) -> list[dict[str, str]]:
    return [
        {"auto_id": f"I{n}", "codigo": codigo, "ocorrido_em": day, **common} for n, (codigo, day) in enumerate(lines, 1)
    ]


@pytest.mark.parametrize(
    ("last", "said", "edge"),
    [("2026-07-09", True, False), ("2026-07-10", True, True), ("2026-07-11", False, None)],
)
def test_systematic_occurrence_with_the_numbers_fixed(last: str, said: bool, edge: bool | None) -> None:
    rows = autos(("26-II", "2026-01-10"), ("28-XI", "2026-03-01"), ("26-II", last))
    found = run("ocorrencia_sistematica", "825/2021", rows, quantidade=3, meses=6)
    assert set(found) == ({"P"} if said else set())
    if said:
        situacao, _, evidencia = found["P"]
        assert (situacao, evidencia["no_limite"], evidencia["quantidade_autos"]) == ("para_decisao", edge, 3)


def test_systematic_occurrence_one_auto_short() -> None:
    rows = autos(("26-II", "2026-01-10"), ("28-XI", "2026-03-01"), ("26-XV", "2026-03-02"))
    assert run("ocorrencia_sistematica", "825/2021", rows, quantidade=3, meses=6) == {}


def test_third_occurrence_doubles_where_the_body_reads_it_so() -> None:
    """D16, with the option of the third occurrence."""
    rows = autos(("95-IV", "2026-01-10"), ("95-IV", "2026-02-20"), ("95-IV", "2026-04-15"), valor="18.24", linha_id="L")
    assert run("valor_divergente", "1854/1999", rows) == {}
    found = run("valor_divergente", "1854/1999", rows, reincidencia_repeticoes=2)
    assert {k: (v[0], str(v[1])) for k, v in found.items()} == {"I3": ("violacao", "36.48")}
    assert [a["auto_id"].rpartition("|")[2] for a in found["I3"][2]["anteriores"]] == ["I1", "I2"]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("2026-01-09", {"I2": ("violacao", "300.00")}),
        ("2026-01-10", {"I2": ("para_decisao", "300.00")}),
        ("2026-01-11", {}),
    ],
)
def test_window_of_recidivism_once_fixed(second: str, expected: dict[str, tuple[str, str]]) -> None:
    """A16: without a window only pointed out; with one it doubles inside it."""
    rows = autos(("AnII-06", "2025-01-10"), ("AnII-06", second), valor="150")
    found = run("valor_divergente", "408/2009", rows, reincidencia_prazo=12, reincidencia_unidade="meses")
    assert {k: (v[0], str(v[1])) for k, v in found.items()} == expected


def test_the_whole_sum_is_shown() -> None:
    rows = autos(("57-III-c", "2025-10-01"), ("57-III-c", "2026-02-01"), valor="80")
    _, valor, evidencia = run("valor_divergente", "30258/1983", rows)["I2"]
    assert (evidencia["quantidade"], evidencia["unidade"], evidencia["valor_unidade"]) == (0.8, "VRE", 100.0)
    assert (evidencia["fator"], evidencia["valor_norma"], float(valor), evidencia["diferenca"]) == (
        2,
        80.0,
        160.0,
        -80.0,
    )


def test_a_field_the_load_does_not_bring_is_said_once() -> None:
    con = build(
        [Case("auto_incompleto", "x", "1854/1999", AS_OF, {"autos": autos(("95-IV", "2026-03-01"), linha_id="L")})],
        AS_OF,
    )
    con.execute("delete from extrato.colunas where extrato = 'autos' and coluna in ('local', 'agente', 'condutor_id')")
    spec = catalogue()["auto_incompleto"]
    run_checks(con, {spec.id: spec}, parameter_rows(norms(), catalogue(), AS_OF), AS_OF)
    rows = con.execute("select situacao, sujeito_tipo, sujeito_id, evidencia from resultado.achados").fetchall()
    con.close()
    assert [r[:3] for r in rows] == [("nao_avaliado", "norma", "1854/1999")]
    assert json.loads(rows[0][3])["falta"] == ["autos.condutor_id", "autos.local", "autos.agente"]
