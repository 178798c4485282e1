"""What the law leaves for the municipality to say: untold nothing is affirmed, told by its act the same checks judge."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.loader import load_norms
from tests.law.casos import Case, build, catalogue

AJUSTE = """
[[ajuste]]
norma = "{norma}"
verificacao = "{check}"
parametro = "{parametro}"
valor = {valor}
vigente_de = 2020-01-01
ato = "Portaria 1/2020"
motivo = "o que a lei deixou por dizer"
"""
PJ = {"tipo_pessoa": "PJ", "documento": "11222333000181"}


def judge(
    tmp_path: Path, check: str, norma: str, dia: date, said: dict[str, str], rows: dict[str, list[dict[str, str]]]
) -> list[tuple]:
    """(situacao, devido_em, valor) of what the check says once the act says `said`."""
    overrides = tmp_path / "ajustes.toml"
    text = "".join(AJUSTE.format(norma=norma, check=check, parametro=p, valor=v) for p, v in said.items())
    overrides.write_text(text, encoding="utf-8")
    norms = load_norms(overrides=overrides, catalogue=catalogue())
    con = build([Case(check, "x", norma, dia, rows={e: [dict(r) for r in ls] for e, ls in rows.items()})], dia)
    run_checks(con, {check: catalogue()[check]}, parameter_rows(norms, catalogue(), dia), dia)
    found = con.execute("select situacao, devido_em, valor from resultado.achados order by all").fetchall()
    con.close()
    return found


def fleet(vehicles: int, running: int) -> dict[str, list[dict[str, str]]]:
    return {
        "veiculos": [{"veiculo_id": f"V{i}", "placa": f"ABC1D0{i}"} for i in range(vehicles)],
        "alvaras": [{"alvara_id": f"A{i}", "veiculo_id": f"V{i}", "emitido_em": "2026-01-10"} for i in range(vehicles)],
        "operacao": [
            {"data": "2026-03-01", "veiculo_id": f"V{i}", "viagens_realizadas": "5" if i < running else "0"}
            for i in range(vehicles)
        ],
    }


@pytest.mark.parametrize(
    ("running", "until", "expected"),
    [
        (2, "2026-03-01", [("violacao", date(2026, 3, 1), None)]),  # a Sunday counts: the stoppage was declared
        (3, "2026-03-01", []),
        (2, "2026-02-28", []),  # the stoppage was over
    ],
)
def test_minimum_fleet_in_a_declared_strike(tmp_path: Path, running: int, until: str, expected: list[tuple]) -> None:
    said = {"greve_de": "2026-02-25", "greve_ate": until}
    rows = fleet(7, running)
    assert judge(tmp_path, "frota_minima_em_greve", "408/2009", date(2026, 3, 2), said, rows) == expected


@pytest.mark.parametrize(
    ("bimensal", "entregues", "dia", "expected"),
    [
        # fifteen days after February: 15/03/2026 is a Sunday
        ('"a_cada_dois_meses"', ["2025-B6"], date(2026, 3, 16), [("a_vencer", date(2026, 3, 16), None)]),
        ('"a_cada_dois_meses"', ["2025-B6"], date(2026, 3, 17), [("violacao", date(2026, 3, 16), None)]),
        ('"a_cada_dois_meses"', ["2025-B6", "2026-B1"], date(2026, 3, 17), []),
        ('"a_cada_dois_meses"', ["2026-B1"], date(2026, 3, 17), [("violacao", date(2026, 1, 15), None)]),
        # the second half of December falls due on 15/01, the first one fell in 2025
        ('"duas_por_mes"', ["2026-01-Q1"], date(2026, 1, 15), [("a_vencer", date(2026, 1, 15), None)]),
    ],
)
def test_reports_by_the_period_the_act_gives(
    tmp_path: Path, bimensal: str, entregues: list[str], dia: date, expected: list[tuple]
) -> None:
    rows = {
        "permissionarios": [PJ],
        "obrigacoes": [
            {"tipo": "relatorio_operacional", "referencia": r, "entregue_em": "2026-01-10"} for r in entregues
        ],
    }
    said = {"bimensal": bimensal, "prazo_dias": "15"}
    found = judge(tmp_path, "relatorio_nao_entregue", "1854/1999", dia, said, rows)
    assert found == expected


@pytest.mark.parametrize(
    ("depositado", "modalidade", "expected"),
    [
        # 0.002 x 50,000 passengers x 4.56 x 2 vehicles = 912.00
        ("912.00", "concessao", []),
        ("911.99", "concessao", [("violacao", None, Decimal("0.01"))]),
        ("182.40", "autorizacao", []),
        ("182.39", "autorizacao", [("violacao", None, Decimal("0.01"))]),
    ],
)
def test_guarantee_from_the_estimated_revenue(
    tmp_path: Path, depositado: str, modalidade: str, expected: list[tuple]
) -> None:
    rows = {
        "permissionarios": [PJ],
        "veiculos": [{"veiculo_id": "V1"}, {"veiculo_id": "V2", "placa": "ABC1D02"}],
        "alvaras": [{"modalidade": modalidade, "emitido_em": "2025-12-01", "veiculo_id": "-", "linha_id": "L"}],
        "garantias": [{"movimento": "deposito", "data": "2025-12-01", "valor": depositado}],
    }
    said = {"passageiros_por_veiculo": "50000", "unidade": '"UPFM"'}  # any unit of the context stands for the fare
    assert judge(tmp_path, "garantia_insuficiente", "1343/1994", date(2026, 3, 2), said, rows) == expected


def test_guarantee_of_the_value_the_act_gives(tmp_path: Path) -> None:
    rows = {
        "permissionarios": [PJ],
        "alvaras": [{"modalidade": "concessao", "emitido_em": "2025-12-01", "veiculo_id": "-"}],
        "garantias": [{"movimento": "deposito", "data": "2025-12-01", "valor": "49999.99"}],
    }
    found = judge(tmp_path, "garantia_insuficiente", "1854/1999", date(2026, 3, 2), {"valor_exigido": "50000"}, rows)
    assert found == [("violacao", None, Decimal("0.01"))]


@pytest.mark.parametrize(("dia", "situacao"), [(date(2026, 3, 2), "a_vencer"), (date(2026, 3, 3), "violacao")])
def test_guarantee_put_back_in_the_term_the_body_gives(tmp_path: Path, dia: date, situacao: str) -> None:
    rows = {
        "permissionarios": [PJ],
        "garantias": [
            {"movimento": "deposito", "data": "2025-06-01", "valor": "1000"},
            {"movimento": "execucao", "data": "2026-02-01", "valor": "100", "notificado_em": "2026-02-10"},
        ],
    }
    found = judge(tmp_path, "garantia_nao_recomposta", "30258/1983", dia, {"prazo_dias": "20"}, rows)
    assert found == [(situacao, date(2026, 3, 2), Decimal("100.00"))]


@pytest.mark.parametrize(("dia", "situacao"), [(date(2026, 3, 2), "a_vencer"), (date(2026, 3, 3), "violacao")])
def test_withdrawal_communicated_in_the_term_the_body_gives(tmp_path: Path, dia: date, situacao: str) -> None:
    overrides = tmp_path / "ajustes.toml"
    text = AJUSTE.format(norma="1343/1994", check="comunicacao_em_atraso", parametro="prazo", valor=10)
    overrides.write_text(text.replace("parametro =", "chave = 1\nparametro ="), encoding="utf-8")
    norms = load_norms(overrides=overrides, catalogue=catalogue())
    check = "comunicacao_em_atraso"
    case = Case(
        check,
        "x",
        "1343/1994",
        dia,
        rows={"comunicacoes": [{"tipo": "baixa_de_veiculo", "ocorrido_em": "2026-02-20"}]},
    )
    con = build([case], dia)
    run_checks(con, {check: catalogue()[check]}, parameter_rows(norms, catalogue(), dia), dia)
    found = con.execute("select situacao, devido_em from resultado.achados").fetchall()
    con.close()
    assert found == [(situacao, date(2026, 3, 2))]
