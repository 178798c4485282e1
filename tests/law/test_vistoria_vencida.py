"""Where the law gives no validity, the municipality's own act does: the same check then judges."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.loader import load_norms
from tests.law.casos import Case, build, catalogue

CHECK = "vistoria_vencida"
AJUSTE = """
[[ajuste]]
norma = "1343/1994"
verificacao = "vistoria_vencida"
parametro = "{parametro}"
valor = {valor}
vigente_de = 2020-01-01
ato = "Portaria 1/2020"
motivo = "validade do certificado"
"""


@pytest.mark.parametrize(
    ("dia", "expected"),
    [
        (date(2026, 3, 2), ("a_vencer", date(2026, 3, 2))),
        (date(2026, 3, 3), ("violacao", date(2026, 3, 2))),
    ],
)
def test_the_act_of_the_municipality_gives_the_validity(tmp_path: Path, dia: date, expected: tuple[str, date]) -> None:
    overrides = tmp_path / "ajustes.toml"
    overrides.write_text(
        AJUSTE.format(parametro="validade", valor=6) + AJUSTE.format(parametro="unidade", valor='"meses"'),
        encoding="utf-8",
    )
    norms = load_norms(overrides=overrides, catalogue=catalogue())
    case = Case(
        CHECK, "x", "1343/1994", dia, rows={"vistorias": [{"resultado": "aprovada", "realizada_em": "2025-09-02"}]}
    )
    con = build([case], dia)
    run_checks(con, {CHECK: catalogue()[CHECK]}, parameter_rows(norms, catalogue(), dia), dia)
    assert con.execute("select situacao, devido_em from resultado.achados").fetchall() == [expected]
    con.close()
