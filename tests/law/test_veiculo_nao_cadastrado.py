"""A vehicle that is missing because its row was refused is not accused; nor is a plate that two vehicles share."""

from __future__ import annotations

import json
from datetime import date

import pytest

from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from tests.law.casos import Case, build, catalogue, norms

CHECK = "veiculo_nao_cadastrado"
DIA = date(2026, 3, 2)
DONO = {"norma": "408/2009"}


def _findings(rows: dict[str, list[dict[str, str]]], *statements: str) -> list[tuple]:
    case = Case(CHECK, "x", "408/2009", DIA, rows=rows)
    con = build([case], DIA)
    for statement in statements:
        con.execute(statement)
    run_checks(con, {CHECK: catalogue()[CHECK]}, parameter_rows(norms(), catalogue(), DIA), DIA)
    found = con.execute(
        "select sujeito_tipo, sujeito_id, situacao, norma, evidencia from resultado.achados order by all"
    ).fetchall()
    con.close()
    return [(tipo, sujeito.rpartition("|")[2], s, n, json.loads(e)["falta"]) for tipo, sujeito, s, n, e in found]


def _refused(column: str, value: str) -> str:
    return (
        "insert into extrato.rejeitos values"
        f" ('veiculos', 'veiculos.csv', 7, '{column}', '{value}', 'motivo', 'rejeitado')"
    )


OPERACAO = {"permissionarios": [DONO], "operacao": [{"veiculo_id": "V9", "data": "2026-02-25"}]}
CHAVE = f"{CHECK}|x|V9"


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ((), "violacao"),
        ((_refused("ano_fabricacao", "20I9"),), "nao_avaliado"),  # any refused row may be this vehicle's
        ((_refused("veiculo_id", CHAVE),), "nao_avaliado"),  # the key repeated with other contents
        ((_refused("veiculo_id", "outro"),), "violacao"),  # the refused row is another vehicle's
        ((_refused("placa", "x").replace("'rejeitado'", "'aviso'"),), "violacao"),  # a warning refuses nothing
    ],
)
def test_a_refused_row_is_not_an_unknown_vehicle(statements: tuple[str, ...], expected: str) -> None:
    [(tipo, sujeito, situacao, norma, falta)] = _findings(OPERACAO, *statements)
    assert (tipo, sujeito, situacao, norma) == ("veiculo", "V9", expected, "408/2009")
    assert falta == (["veiculos.linhas_rejeitadas"] if expected == "nao_avaliado" else None)


def test_a_plate_of_two_vehicles_is_not_unknown() -> None:
    vehicles = [{"veiculo_id": v, "placa": "ABC-1234"} for v in ("V1", "V2")]
    trip = {"veiculo_id": "-", "placa": "abc1c34", "data": "2026-02-25"}
    assert _findings({"permissionarios": [DONO], "veiculos": vehicles, "operacao": [trip]}) == []
    assert (
        len(_findings({"permissionarios": [DONO], "veiculos": vehicles, "operacao": [trip | {"placa": "ABC1D34"}]}))
        == 1
    )


@pytest.mark.parametrize("extract", ["autos", "operacao"])
def test_an_absent_extract_is_said_and_the_other_still_speaks(extract: str) -> None:
    found = _findings(OPERACAO, f"delete from extrato.colunas where extrato = '{extract}'")
    assert ("norma", "408/2009", "nao_avaliado", "408/2009", [extract]) in found
    assert ("veiculo", "V9", "violacao", "408/2009", None) in found
