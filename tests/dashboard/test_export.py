"""The spreadsheets, opened again and compared with achados."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime

import openpyxl
import pytest

from dashboard.recortes import COLUNAS, EXPORTED
from tests.dashboard.base import HOSTILE, client


def opened_csv(content):
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";"))


@pytest.fixture(scope="module")
def rows(truth):
    cursor = truth.execute(f"select {', '.join(EXPORTED)} from achados")
    return {r[0]: dict(zip(EXPORTED, r, strict=True)) for r in cursor.fetchall()}


def test_csv_equals_achados(page, rows):
    answer = page.get("/lista/todos/planilha.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="emdia-todos.csv"'
    told = opened_csv(answer.content)
    assert len(told) == len(rows)
    for line in told:
        for name, value in rows[line["achado_id"]].items():
            expected = "" if value is None else value.isoformat() if isinstance(value, date) else str(value)
            assert line[name] == expected, (line["achado_id"], name)


def test_xlsx_equals_achados_with_typed_cells(page, rows):
    book = openpyxl.load_workbook(io.BytesIO(page.get("/lista/todos/planilha.xlsx").content))
    sheet = book["Achados"]
    assert sheet.freeze_panes == "A2" and sheet.auto_filter.ref
    head = {c.rotulo: c.id for c in COLUNAS.values()}
    names = [head[cell.value] for cell in sheet[1]]
    lines = [dict(zip(names, row, strict=True)) for row in sheet.iter_rows(min_row=2, values_only=True)]
    assert len(lines) == len(rows)
    for line in lines:
        for name, value in rows[line["achado_id"]].items():
            got = line[name].date() if isinstance(line[name], datetime) else line[name]
            assert (float(value) if name == "valor" and value is not None else value) == got, (line["achado_id"], name)
    about = dict(book["Sobre"].iter_rows(min_row=2, values_only=True))
    assert about["Dados de"] == "09/03/2026" and about["Linhas"] == str(len(rows))


def test_the_filter_and_the_order_of_the_page_hold(page, rows):
    told = opened_csv(
        page.get(
            "/lista/multas/planilha.csv", params={"norma": "408/2009", "ordem": "valor", "sentido": "desc"}
        ).content
    )
    expected = [r for r in rows.values() if r["verificacao"] == "multa_vencida" and r["norma"] == "408/2009"]
    assert sorted(t["achado_id"] for t in told) == sorted(r["achado_id"] for r in expected)
    amounts = [float(t["valor"]) for t in told]
    assert amounts == sorted(amounts, reverse=True) and amounts


def test_no_name_becomes_a_formula(page):
    told = opened_csv(page.get("/lista/todos/planilha.csv").content)
    formula = HOSTILE[1]
    assert {t["nome"] for t in told if "HYPERLINK" in t["nome"]} == {f"'{formula}"}
    sheet = openpyxl.load_workbook(io.BytesIO(page.get("/lista/todos/planilha.xlsx").content))["Achados"]
    cells = [c for row in sheet.iter_rows() for c in row]
    assert all(c.data_type != "f" for c in cells)
    assert formula in {c.value for c in cells}


def test_a_list_too_long_is_refused_not_cut(published):
    answer = client(published, exporta_ate=5).get("/lista/todos/planilha.xlsx")
    assert answer.status_code == 413 and "vai até 5" in answer.text
    assert client(published, exporta_ate=5).get("/lista/todos/planilha.csv").status_code == 200
