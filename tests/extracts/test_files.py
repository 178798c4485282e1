"""Names, formats, and one file looked at by itself."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest
import xlsxwriter

from checks.extracts.check_file import check_file
from checks.extracts.contracts import contracts
from checks.extracts.files import extract_of
from tests.extracts.base import AS_OF, NORMAS, VEHICLES, autos, carga, load, put, remarks, rows, tally, values


@pytest.mark.parametrize(
    ("name", "extract"),
    [
        ("autos.csv", "autos"),
        ("AUTOS.CSV", "autos"),
        ("autos-2026-11-30.csv", "autos"),
        ("autos_parte_2.parquet", "autos"),
        ("valores_referencia.csv", "valores_referencia"),
        ("valores_referencia_2026.xlsx", "valores_referencia"),
        ("lista_espera.csv", "lista_espera"),
        ("calendario_licenciamento-ba.csv", "calendario_licenciamento"),
        ("autos2026.csv", None),
        ("autos.csv.bak", None),
        ("autos.txt", None),
        ("valores.csv", None),
        ("~$autos.xlsx", None),
    ],
)
def test_file_names(name: str, extract: str | None) -> None:
    assert extract_of(name, contracts()) == extract


def test_files_of_no_extract_are_named(tmp_path: Path) -> None:
    folder = put(tmp_path, veiculos=VEHICLES, frota="x\n1\n")
    (folder / "leia-me.txt").write_text("oi")
    (folder / ".oculto").write_text("oi")
    (folder / "pasta").mkdir()
    con, result = load(folder)
    assert result.arquivos_sem_extrato == ("frota.csv", "leia-me.txt")
    assert values(con, "SELECT arquivo FROM extrato.rejeitos WHERE extrato IS NULL ORDER BY 1") == [
        "frota.csv",
        "leia-me.txt",
    ]
    assert carga(result, "autos").situacao == "ausente"
    assert len(result.cargas) == len(contracts())


def test_formats_mix_and_a_column_lacking_in_one_file_is_unknown_there(tmp_path: Path) -> None:
    folder = put(tmp_path, autos=autos("A1;P1;26-I;2026-01-05;V1;;10,00;2026-02-01"))
    pl.DataFrame(
        {
            "auto_id": ["A2"],
            "permissionario_id": ["P1"],
            "codigo": ["26-I"],
            "ocorrido_em": [datetime.fromisoformat("2026-01-05 08:00")],
            "veiculo_id": ["V1"],
        }
    ).write_parquet(folder / "autos_b.parquet")
    con, result = load(folder)
    assert tally(result) == (2, 2, 0, 0, 0)
    assert rows(con, "SELECT auto_id, arquivo, desconhecidos FROM extrato.autos ORDER BY 1") == [
        ("A1", "autos.csv", None),
        ("A2", "autos_b.parquet", ["valor", "pago_em"]),
    ]
    assert any("faltam as colunas valor, pago_em" in r[3] for r in remarks(con))


def test_parquet_with_its_own_types(tmp_path: Path) -> None:
    when = datetime.fromisoformat("2026-01-05 08:15:30")
    pl.DataFrame(
        {
            "AUTO_ID": [1, 2, 3, 4],
            "permissionario_id": pl.Series(["P1", "P1", " P1 ", "P1"], dtype=pl.Categorical),
            "codigo": ["26-I"] * 4,
            "ocorrido_em": [when, when, when, datetime.fromisoformat("1949-12-31")],
            "pago_em": [date(2026, 2, 1), None, date(1899, 12, 30), None],
            "valor": [Decimal("10.50"), None, Decimal("-1"), None],
            "valor_pago": [1234.5, float("nan"), 1.234, None],
            "veiculo_id": [17.0, None, 1.5, None],
            "lavrado_em": ["05/01/2026", "-", "2026-01-05", ""],
        }
    ).write_parquet(tmp_path / "autos.parquet")
    con, result = load(tmp_path)
    assert tally(result) == (4, 3, 1, 0, 0)
    got = rows(
        con,
        "SELECT auto_id, permissionario_id, ocorrido_em, pago_em, valor, valor_pago, veiculo_id, lavrado_em, linha, "
        "desconhecidos FROM extrato.autos ORDER BY linha",
    )
    day = date(2026, 1, 5)
    assert got == [
        ("1", "P1", when, date(2026, 2, 1), Decimal("10.50"), Decimal("1234.50"), "17", day, 1, None),
        ("2", "P1", when, None, None, None, None, None, 2, None),
        ("3", "P1", when, None, None, Decimal("1.23"), "1.5", day, 3, ["valor", "pago_em"]),
    ]
    assert [(r[0], r[1], r[2]) for r in remarks(con)] == [
        (3, "pago_em", "aviso"),
        (3, "valor", "aviso"),
        (3, "valor_pago", "aviso"),
        (4, "ocorrido_em", "rejeitado"),
    ]


def test_a_broken_parquet_refuses(tmp_path: Path) -> None:
    tmp_path.joinpath("autos.parquet").write_bytes(b"PAR1 nada")
    _, result = load(tmp_path)
    assert "Parquet" in (carga(result).motivo or "")


def sheet(path: Path, cells: list[list[Any]], title: str = "Plan1") -> Path:
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.title = title
    for line in cells:
        page.append(line)
    book.save(path)
    return path


def test_spreadsheets(tmp_path: Path) -> None:
    header = ["auto_id", "permissionario_id", "codigo", "ocorrido_em", "pago_em", "valor", "soma"]
    sheet(
        tmp_path / "autos.xlsx",
        [
            [],
            header,
            ["0012", "P1", "26-I", datetime.fromisoformat("2026-01-05 08:15:30"), date(2026, 2, 1), 1234.56, "=1+1"],
            [13, "P1", "26-I", "05/01/2026 08:15", "2026-02-01", "1.234,56", None],
            [],
            ["A3", "P1", "26-I", 46027.5, 46054, 10, None],
            ["A4", "P1", "26-I", "x", None, None, None],
            ["TOTAL", None, None, None, None, None, 3],
        ],
    )
    con, result = load(tmp_path)
    assert tally(result) == (6, 3, 1, 0, 2)
    assert rows(con, "SELECT auto_id, ocorrido_em, pago_em, valor, linha FROM extrato.autos ORDER BY linha") == [
        ("0012", datetime.fromisoformat("2026-01-05 08:15:30"), date(2026, 2, 1), Decimal("1234.56"), 3),
        ("13", datetime.fromisoformat("2026-01-05 08:15"), date(2026, 2, 1), Decimal("1234.56"), 4),
        ("A3", datetime.fromisoformat("2026-01-05 12:00"), date(2026, 2, 1), Decimal("10.00"), 6),
    ]
    assert [(r[0], r[2]) for r in remarks(con)] == [(7, "rejeitado"), (8, "aviso")]
    assert carga(result).colunas_desconhecidas == ["soma"]


def test_a_formula_error_is_unknown_not_absent(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(str(tmp_path / "autos.xlsx"))
    page = book.add_worksheet()
    page.write_row(0, 0, ["auto_id", "permissionario_id", "codigo", "ocorrido_em", "pago_em", "condutor_id"])
    for row, errors in ((1, ()), (2, (4, 5)), (3, (3,))):
        page.write_row(row, 0, [f"A{row}", "P1", "26-I", "2026-01-05", "2026-02-01", "C1"])
        for column in errors:
            page.write_formula(row, column, "=1/0", None, "#DIV/0!")
    book.close()
    con, result = load(tmp_path)
    assert tally(result) == (3, 2, 1, 0, 0)
    assert rows(con, "SELECT auto_id, pago_em, condutor_id, desconhecidos FROM extrato.autos ORDER BY 1") == [
        ("A1", date(2026, 2, 1), "C1", None),
        ("A2", None, None, ["condutor_id", "pago_em"]),
    ]


def test_the_sheet_called_like_the_extract_is_read(tmp_path: Path) -> None:
    path = sheet(tmp_path / "linhas.xlsx", [["nada"], [1]])
    book = openpyxl.load_workbook(path)
    page = book.create_sheet("Linhas")
    for line in (["linha_id", "norma", "nome"], ["L1", "408/2009", "Praia do Forte"]):
        page.append(line)
    book.save(path)
    con, _ = load(tmp_path)
    assert values(con, "SELECT nome FROM extrato.linhas") == ["Praia do Forte"]
    assert any("só «Linhas» foi lida" in r[3] for r in remarks(con, "linhas"))


def test_a_file_that_is_no_workbook_refuses(tmp_path: Path) -> None:
    tmp_path.joinpath("autos.xlsx").write_bytes(b"nada")
    _, result = load(tmp_path)
    assert "planilha não pôde ser aberta" in (carga(result).motivo or "")


def test_check_one_file(tmp_path: Path) -> None:
    lines = ["A1;P1;26-I;2026-01-05;V1;;10,00;", "A2;P1;26-I;31/02/2026;V1;;x;", "A3;P1;26-I;30/02/2026;V1;;;"]
    report = check_file(put(tmp_path, autos=autos(*lines).encode("cp1252")) / "autos.csv", AS_OF, NORMAS)
    assert report.ok and report.extrato == "autos" and report.carga is not None
    assert (report.carga.lidas, report.carga.carregadas, report.carga.delimitador) == (3, 1, ";")
    assert report.carga.avisos == 1
    assert "pago_em" in report.colunas and "vence_em" in report.ausentes
    assert report.obrigatorias_ausentes == ()
    assert [(p.coluna, p.nivel, p.linhas) for p in report.problemas] == [
        ("ocorrido_em", "rejeitado", 2),
        ("valor", "aviso", 1),
    ]
    assert report.problemas[0].exemplos == ((3, "31/02/2026"), (4, "30/02/2026"))


def test_check_a_file_that_would_be_refused(tmp_path: Path) -> None:
    report = check_file(put(tmp_path, autos="auto_id;valor\nA1;1\n") / "autos.csv", AS_OF)
    assert not report.ok
    assert report.obrigatorias_ausentes == ("permissionario_id", "codigo", "ocorrido_em")
    assert report.colunas == ("auto_id", "valor")
    assert check_file(put(tmp_path, frota="a\n1\n") / "frota.csv", AS_OF).extrato is None
    with pytest.raises(FileNotFoundError):
        check_file(tmp_path / "nada.csv", AS_OF)


def test_check_tells_of_one_plate_on_two_vehicles(tmp_path: Path) -> None:
    vehicles = VEHICLES + "V4;P1;ABC1C34;van;2020\n"
    report = check_file(put(tmp_path, veiculos=vehicles) / "veiculos.csv", AS_OF)
    assert [(p.coluna, p.linhas) for p in report.problemas] == [("placa", 2)]
    assert report.carga is not None and report.carga.avisos == 2


def test_a_long_number_typed_in_a_cell_is_told(tmp_path: Path) -> None:
    put(tmp_path, veiculos=VEHICLES)
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["auto_id", "permissionario_id", "codigo", "ocorrido_em"])
    for key in (12345678901234567890, "12345678901234567891", 123456789012345, "A1"):
        sheet.append([key, "P1", "26-I", "2026-01-05"])
    book.save(tmp_path / "autos.xlsx")
    con, result = load(tmp_path)
    assert tally(result) == (4, 4, 0, 0, 0)
    told = [(linha, coluna, nivel) for linha, coluna, nivel, _ in remarks(con) if coluna == "auto_id"]
    assert told == [(2, "auto_id", "aviso")]
    assert "12345678901234567891" in values(con, "SELECT auto_id FROM extrato.autos")
