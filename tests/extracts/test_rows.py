"""Rows: rejected, loaded with something unknown, repeated, pointing nowhere."""

from __future__ import annotations

from pathlib import Path

import duckdb
import polars as pl
import pytest

from checks.extracts import row_contract
from checks.extracts.contracts import contracts
from checks.extracts.ingest import ingest
from checks.extracts.typing.cell import Setting
from tests.extracts.base import (
    AS_OF,
    HOLDERS,
    NORMAS,
    VEHICLES,
    autos,
    carga,
    load,
    put,
    remarks,
    rows,
    tally,
    values,
)


def auto(
    key: str, when: str = "2026-01-05", vehicle: str = "V1", plate: str = "", value: str = "1", paid: str = ""
) -> str:
    return f"{key};P1;26-I;{when};{vehicle};{plate};{value};{paid}"


def test_a_bad_required_value_rejects_the_row(tmp_path: Path) -> None:
    con, result = load(
        put(tmp_path, autos=autos(auto("A1"), auto("A2", when="31/02/2026"), auto("", when="2026-01-01")))
    )
    assert tally(result) == (3, 1, 2, 0, 0)
    assert remarks(con) == [
        (3, "ocorrido_em", "rejeitado", "data inválida: use dd/mm/aaaa ou aaaa-mm-dd"),
        (4, "auto_id", "rejeitado", "campo obrigatório vazio"),
    ]


def test_who_the_rejected_rows_speak_of_is_kept(tmp_path: Path) -> None:
    lines = (
        auto("A1"),
        auto("A2", when="31/02/2026"),
        auto("", when="2026-01-01"),
        auto("A3"),
        auto("A3", value="2"),
        auto("A4", value="x"),
        auto("A5"),
        auto("A5"),
    )
    con, _ = load(put(tmp_path, autos=autos(*lines)))
    told = rows(con, "SELECT linha, id FROM extrato.sujeitos_rejeitados WHERE coluna = 'auto_id' ORDER BY ALL")
    assert told == [(3, "A2"), (5, "A3"), (6, "A3")]


def test_a_bad_optional_value_is_unknown_not_absent(tmp_path: Path) -> None:
    con, result = load(put(tmp_path, autos=autos(auto("A1", paid="31/02/2026", value="x"), auto("A2"))))
    assert tally(result) == (2, 2, 0, 0, 0)
    assert rows(con, "SELECT auto_id, pago_em, valor, desconhecidos FROM extrato.autos ORDER BY auto_id")[0] == (
        "A1",
        None,
        None,
        ["valor", "pago_em"],
    )
    assert values(con, "SELECT desconhecidos FROM extrato.autos WHERE auto_id = 'A2'") == [None]
    assert [(r[1], r[2]) for r in remarks(con)] == [("pago_em", "aviso"), ("valor", "aviso")]
    assert carga(result).avisos == 2


def test_a_rejected_row_tells_all_its_faults(tmp_path: Path) -> None:
    con, _ = load(put(tmp_path, autos=autos(auto("1.2E+13", when="x", paid="y"))))
    assert [(r[1], r[2]) for r in remarks(con) if r[0]] == [
        ("auto_id", "rejeitado"),
        ("ocorrido_em", "rejeitado"),
        ("pago_em", "aviso"),
    ]


def test_a_lone_dot_is_settled_by_the_rest_of_the_column(tmp_path: Path) -> None:
    con, result = load(put(tmp_path / "a", autos=autos(auto("A1", value="1.234"), auto("A2", value="10,50"))))
    assert [str(v) for v in values(con, "SELECT valor FROM extrato.autos ORDER BY auto_id")] == ["1234.00", "10.50"]
    assert carga(result).avisos == 0
    units = "unidade;vigente_desde;valor\nUFP;2024-01-01;1.234\nUFP;2025-01-01;1.5\n"
    con, result = load(put(tmp_path / "b", valores_referencia=units))
    assert [float(v) for v in values(con, "SELECT valor FROM extrato.valores_referencia ORDER BY linha")] == [
        1.234,
        1.5,
    ]
    assert carga(result, "valores_referencia").avisos == 0
    con, result = load(put(tmp_path / "c", autos=autos(auto("A1", value="1.234"), auto("A2", value="574"))))
    assert [str(v) for v in values(con, "SELECT valor FROM extrato.autos ORDER BY auto_id")] == ["1234.00", "574.00"]
    assert carga(result).avisos == 1
    assert values(con, "SELECT desconhecidos FROM extrato.autos") == [None, None]


def test_identical_repeats_collapse_across_files_and_notations(tmp_path: Path) -> None:
    folder = put(
        tmp_path,
        autos=autos(auto("A1", plate="ABC-1234", value="10,00"), auto("A1", plate="ABC1C34", value="10.00")),
        autos__b=autos("A1;P1;26-I;05/01/2026;V1;abc1234;R$ 10,00;", auto("A2")),
    )
    con, result = load(folder)
    assert tally(result) == (4, 2, 0, 2, 0)
    assert [(c.arquivo, c.duplicadas) for c in result.cargas if c.extrato == "autos"] == [
        ("autos-b.csv", 0),
        ("autos.csv", 2),
    ]
    assert rows(con, "SELECT auto_id, arquivo, linha FROM extrato.autos ORDER BY 1") == [
        ("A1", "autos-b.csv", 2),
        ("A2", "autos-b.csv", 3),
    ]


def test_differing_repeats_are_all_rejected_with_each_others_lines(tmp_path: Path) -> None:
    folder = put(
        tmp_path,
        autos=autos(auto("A1"), auto("A1", value="2"), auto("A2")),
        autos__b=autos(
            auto("A1"), auto("A3", paid="x"), auto("A3", paid="y"), auto("A4", paid="x"), auto("A4", paid="x")
        ),
    )
    con, result = load(folder)
    assert tally(result) == (8, 2, 5, 1, 0)
    assert values(con, "SELECT auto_id FROM extrato.autos ORDER BY 1") == ["A2", "A4"]
    told = rows(
        con,
        "SELECT arquivo, linha, motivo FROM extrato.rejeitos WHERE motivo LIKE 'chave%' AND valor = 'A1' ORDER BY 1, 2",
    )
    assert [(r[0], r[1]) for r in told] == [("autos-b.csv", 2), ("autos.csv", 2), ("autos.csv", 3)]
    assert "autos.csv linha 2, autos.csv linha 3" in told[0][2]
    assert "autos-b.csv linha 2, autos.csv linha 3" in told[1][2]


def test_extracts_without_a_key_keep_identical_rows(tmp_path: Path) -> None:
    rows_ = "permissionario_id;movimento;data;valor\n" + "P1;deposito;2026-01-01;100\n" * 3
    _, result = load(put(tmp_path, garantias=rows_))
    assert tally(result, "garantias") == (3, 3, 0, 0, 0)


def test_holiday_of_a_state_or_town_must_say_which(tmp_path: Path) -> None:
    text = (
        "data;nome;escopo;uf;municipio\n2026-07-02;a;estadual;BA;\n2026-07-02;b;estadual;;\n"
        "2026-07-02;c;municipal;BA;Jequié\n2026-07-02;d;Municipal;BA;\n2026-07-02;e;nacional;;\n"
    )
    con, result = load(put(tmp_path, feriados=text))
    assert tally(result, "feriados") == (5, 3, 2, 0, 0)
    assert [(r[0], r[1], r[3]) for r in remarks(con, "feriados")] == [
        (3, "uf", "escopo estadual exige uf"),
        (5, "municipio", "escopo municipal exige municipio"),
    ]


def test_a_row_needs_a_vehicle_or_a_plate(tmp_path: Path) -> None:
    text = "vistoria_id;veiculo_id;placa\nI1;V1;\nI2;;DEF1G23\nI3;;\nI4;V9;\n"
    con, result = load(put(tmp_path, veiculos=VEHICLES, vistorias=text))
    assert tally(result, "vistorias") == (4, 3, 1, 0, 0)
    assert values(con, "SELECT veiculo_id FROM extrato.vistorias ORDER BY vistoria_id") == ["V1", "V2", "V9"]
    assert [r[:3] for r in remarks(con, "vistorias")] == [(4, "veiculo_id", "rejeitado"), (5, "veiculo_id", "aviso")]
    only_plates = "vistoria_id;placa\nI1;DEF1G23\n"
    con, result = load(put(tmp_path / "b", veiculos=VEHICLES, vistorias=only_plates))
    assert values(con, "SELECT veiculo_id FROM extrato.vistorias") == ["V2"]
    _, result = load(put(tmp_path / "c", vistorias="vistoria_id;itens\nI1;x\n"))
    assert "veiculo_id ou placa" in (carga(result, "vistorias").motivo or "")


def test_dangling_keys_are_loaded_and_told(tmp_path: Path) -> None:
    con, result = load(put(tmp_path, veiculos=VEHICLES, autos=autos("A1;P9;26-I;2026-01-05;V9;;1;")))
    assert tally(result) == (1, 1, 0, 0, 0)
    assert [(r[1], r[2]) for r in remarks(con)] == [("permissionario_id", "aviso"), ("veiculo_id", "aviso")]
    assert carga(result).avisos == 2
    con, _ = load(put(tmp_path / "b", autos=autos(auto("A1", vehicle="V9"))))
    assert remarks(con) == []  # no veiculos tonight: nothing to say about V9


def test_plates_lead_to_vehicles(tmp_path: Path) -> None:
    vehicles = VEHICLES + "V4;P1;KLM1B23;van;2020\nV5;P1;KLM-1123;van;2021\nV6;P1;XY1234;van;2021\n"
    lines = [
        auto("A1", vehicle="", plate="abc-1c34"),
        auto("A2", vehicle="V2", plate="ABC1234"),
        auto("A3", vehicle="", plate="KLM1123"),
        auto("A4", vehicle="", plate="DEFIG23"),
        auto("A5", vehicle="", plate="ZZZ0000"),
        auto("A6", vehicle="", plate="XY1234"),
        auto("A7", vehicle="", plate=""),
        auto("A8", vehicle="", plate="0EF1G23"),
    ]
    con, result = load(put(tmp_path, veiculos=vehicles, autos=autos(*lines)))
    assert tally(result) == (8, 8, 0, 0, 0)
    assert values(con, "SELECT veiculo_id FROM extrato.autos ORDER BY auto_id") == ["V1", "V2", *[None] * 6]
    told = {(r[0], r[3]) for r in remarks(con)}
    text = {line: " | ".join(m for n, m in told if n == line) for line in range(2, 10)}
    assert text[2] == "" and text[8] == ""
    assert "a placa é de outro veículo (V1); vale o veiculo_id" in text[3]
    assert "mais de um veículo" in text[4]
    assert "parece DEF1G23" in text[5]
    assert "não está em veiculos" in text[6] and "parece" not in text[6]
    assert "fora do formato" in text[7]
    assert "parece" not in text[9]
    assert sum("mesma placa" in r[3] for r in remarks(con, "veiculos")) == 2
    assert values(con, "SELECT placa FROM extrato.veiculos WHERE veiculo_id = 'V6'") == ["XY1234"]
    assert values(con, "SELECT desconhecidos FROM extrato.veiculos WHERE veiculo_id = 'V6'") == [["placa"]]


@pytest.mark.parametrize(
    ("typed", "registered"), [("AOC1234", "A0C1234"), ("ABC1B34", "ABC1834"), ("ABC1I34", "ABC1134")]
)
def test_the_slip_is_suggested_even_across_forms(tmp_path: Path, typed: str, registered: str) -> None:
    vehicles = f"veiculo_id;permissionario_id;placa;tipo;ano_fabricacao\nV1;P1;{registered};van;2020\n"
    con, _ = load(put(tmp_path, veiculos=vehicles, autos=autos(auto("A1", vehicle="", plate=typed))))
    linked = values(con, "SELECT veiculo_id FROM extrato.autos")[0]
    told = " ".join(r[3] for r in remarks(con))
    if registered == "A0C1234":  # no plate at all: nothing can be suggested from it
        assert linked is None
    else:
        assert linked is None and f"parece {registered}" in told


def test_unknown_norm_and_documents(tmp_path: Path) -> None:
    text = HOLDERS + "P3;999/2000;Fulano;PF;52998224725;\nP4;408/2009;Beltrano;PJ;52998224725;\nP5;408/2009;C;PF;1;\n"
    con, result = load(put(tmp_path, permissionarios=text))
    assert tally(result, "permissionarios") == (5, 4, 1, 0, 0)
    assert [(r[0], r[1], r[2]) for r in remarks(con, "permissionarios")] == [
        (4, "norma", "rejeitado"),
        (5, "documento", "aviso"),
        (6, "documento", "aviso"),
    ]
    assert values(con, "SELECT DISTINCT desconhecidos FROM extrato.permissionarios") == [None]


def test_the_pandera_contract_catches_what_typing_would_let_through(tmp_path: Path) -> None:
    con, _ = load(
        put(tmp_path, feriados="data;nome;escopo;uf;municipio\n2026-07-02;a;estadual;BA;\n2026-07-03;b;nacional;;\n")
    )
    contract, setting = contracts()["feriados"], Setting(AS_OF, NORMAS)
    assert row_contract.enforce(con, contract, setting) == {}
    con.execute("UPDATE extrato.feriados SET uf = NULL WHERE nome = 'a'")
    con.execute("INSERT INTO extrato.feriados VALUES ('1800-01-01', NULL, 'mundial', 'XX', NULL, 'f.csv', 9, NULL)")
    assert row_contract.enforce(con, contract, setting) == {"feriados.csv": 1, "f.csv": 1}
    assert values(con, "SELECT nome FROM extrato.feriados") == ["b"]
    told = rows(con, "SELECT linha, coluna FROM extrato.rejeitos WHERE motivo LIKE 'contrato%' ORDER BY ALL")
    assert {9} | {2} == {r[0] for r in told}
    assert {"data", "nome", "escopo", "uf"} <= {r[1] for r in told}


def test_every_contract_has_a_schema_that_takes_its_empty_table(tmp_path: Path) -> None:
    con, _ = load(tmp_path)
    for contract in contracts().values():
        names = ", ".join(contract.names)
        frame = con.sql(f"SELECT {names} FROM extrato.{contract.name} LIMIT 0").pl()
        assert isinstance(frame, pl.DataFrame)
        row_contract.schema_of(contract, Setting(AS_OF, NORMAS)).validate(frame, lazy=True)


def test_two_municipalities_in_one_process(tmp_path: Path) -> None:
    one, two = duckdb.connect(), duckdb.connect()
    load(put(tmp_path / "a", autos=autos(auto("A1"))), one)
    load(put(tmp_path / "b", autos=autos(auto("B1"))), two)
    assert values(one, "SELECT auto_id FROM extrato.autos") == ["A1"]
    assert values(two, "SELECT auto_id FROM extrato.autos") == ["B1"]
    assert ingest is not None
