"""CSV as systems write it: encodings, delimiters, quotes, lines that break."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.extracts.reading import csv_records
from tests.extracts.base import AUTOS_HEADER, HOLDERS, autos, carga, load, put, remarks, rows, tally, values

ROW = "A1;P1;26-I;2026-01-05 08:00;V1;;100,00;"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (HOLDERS.encode(), "utf-8"),
        (b"\xef\xbb\xbf" + HOLDERS.encode(), "utf-8-sig"),
        (HOLDERS.encode("cp1252"), "windows-1252"),
        (HOLDERS.replace("\n", "\r\n").encode("cp1252"), "windows-1252"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, encoding: str) -> None:
    con, result = load(put(tmp_path, permissionarios=data))
    assert carga(result, "permissionarios").codificacao == encoding
    assert values(con, "SELECT nome FROM extrato.permissionarios ORDER BY linha") == [
        "Viação Açaí Ltda",
        "José da Silva",
    ]


def test_windows_punctuation_survives(tmp_path: Path) -> None:
    text = autos(ROW, header=AUTOS_HEADER + ";descricao").replace("100,00;\n", "100,00;;“só” – €\n")
    con, _ = load(put(tmp_path, autos=text.encode("cp1252")))
    assert values(con, "SELECT descricao FROM extrato.autos") == ["“só” – €"]


def test_bytes_of_no_encoding_refuse_the_file_and_name_the_line(tmp_path: Path) -> None:
    bad = autos(ROW).encode("cp1252") + b"A2;P1;26-I;2026-01-05 08:00;V1;;1;\x81\n"
    _, result = load(put(tmp_path, autos=bad))
    assert carga(result).situacao == "recusado"
    assert "linha 3" in (carga(result).motivo or "")


def test_utf16_is_named_for_what_it_is(tmp_path: Path) -> None:
    _, result = load(put(tmp_path, autos=autos(ROW).encode("utf-16")))
    assert "exporte-o de novo em UTF-8" in (carga(result).motivo or "")


def test_mixed_encodings_are_told(tmp_path: Path) -> None:
    data = HOLDERS.encode().replace("Viação".encode(), "Viação".encode("cp1252"))
    con, _ = load(put(tmp_path, permissionarios=data))
    assert any("mistura" in r[3] for r in remarks(con, "permissionarios"))


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_delimiters(tmp_path: Path, delimiter: str) -> None:
    text = HOLDERS.replace(";", delimiter)
    _, result = load(put(tmp_path, permissionarios=text))
    assert carga(result, "permissionarios").delimitador == delimiter
    assert tally(result, "permissionarios") == (2, 2, 0, 0, 0)


def test_the_delimiter_is_decided_by_the_header_alone(tmp_path: Path) -> None:
    text = autos("A1;P1;26-I;2026-01-05 08:00;V1;;1,5;", header=AUTOS_HEADER.replace("placa", "placa,lida"))
    _, result = load(put(tmp_path, autos=text))
    assert carga(result).delimitador == ";"
    assert carga(result).colunas_desconhecidas == ["placa,lida"]


def test_excel_says_its_separator(tmp_path: Path) -> None:
    con, _ = load(put(tmp_path, autos="sep=;\n" + autos(ROW)))
    assert rows(con, "SELECT auto_id, linha FROM extrato.autos") == [("A1", 3)]


def test_headers_without_case_accents_and_blanks(tmp_path: Path) -> None:
    header = " AUTO_ID ; Permissionario_Id;CÓDIGO;Ocorrido_em;veiculo_id;placa;VALOR;pago_em; Observação ;"
    con, result = load(put(tmp_path, autos=autos(ROW + ";x;", header=header)))
    assert carga(result).colunas_desconhecidas == ["Observação", "(coluna 10 sem nome)"]
    assert values(con, "SELECT coluna FROM extrato.colunas WHERE extrato = 'autos'") == [
        *["auto_id", "permissionario_id", "codigo", "ocorrido_em", "veiculo_id", "placa", "valor", "pago_em"]
    ]


def test_absent_values(tmp_path: Path) -> None:
    lines = [
        f"A{i};P1;26-I;2026-01-05;V1;;1;{text}" for i, text in enumerate(["", " ", "-", "NULL", "null", "N/A", "n/a"])
    ]
    con, result = load(put(tmp_path, autos=autos(*lines)))
    assert tally(result) == (7, 7, 0, 0, 0)
    assert values(con, "SELECT DISTINCT pago_em FROM extrato.autos") == [None]
    assert values(con, "SELECT DISTINCT desconhecidos FROM extrato.autos") == [None]
    assert carga(result).avisos == 0


def test_quoted_fields_with_lines_inside_keep_physical_lines(tmp_path: Path) -> None:
    text = autos(
        'A1;P1;26-I;2026-01-05;V1;;1;;"Rua A; nº 1\r\nfundos ""B"""',
        "A2;P1;26-I;2026-01-05;V1;;1;;",
        "",
        'A3;P1;26-I;2026-01-05;V1;;1;;"x\ny\nz"',
        "A4;P1;26-I;2026-01-05;V1;;1;;fim",
        header=AUTOS_HEADER + ";local",
    )
    con, result = load(put(tmp_path, autos=text))
    assert rows(con, "SELECT auto_id, linha, local FROM extrato.autos ORDER BY linha") == [
        ("A1", 2, 'Rua A; nº 1\r\nfundos "B"'),
        ("A2", 4, None),
        ("A3", 6, "x\ny\nz"),
        ("A4", 9, "fim"),
    ]
    assert tally(result) == (5, 4, 0, 0, 1)


def test_stray_quotes_are_characters(tmp_path: Path) -> None:
    text = autos(
        'A1;P1;26-I;2026-01-05;V1;;1;;Bar "do Zé" Ltda',
        'A2;P1;26-I;2026-01-05;V1;;1;;pneu 15"',
        'A3;P1;26-I;2026-01-05;V1;;1;;"Bar" do Zé',
        header=AUTOS_HEADER + ";local",
    )
    con, _ = load(put(tmp_path, autos=text))
    assert values(con, "SELECT local FROM extrato.autos ORDER BY linha") == [
        'Bar "do Zé" Ltda',
        'pneu 15"',
        '"Bar" do Zé',
    ]


def test_a_broken_quote_costs_its_own_row_only(tmp_path: Path) -> None:
    lines = [f"A{i};P1;26-I;2026-01-05;V1;;1;;rua {i}" for i in range(40)]
    lines[3] = 'A3;P1;26-I;2026-01-05;V1;;1;;"rua 3'
    lines[20] = 'A20;P1;26-I;2026-01-05;V1;;1;;"rua 20"'
    con, result = load(put(tmp_path, autos=autos(*lines, header=AUTOS_HEADER + ";local")))
    assert tally(result) == (40, 39, 1, 0, 0)
    assert [(r[0], r[2]) for r in remarks(con)] == [(5, "rejeitado")]
    assert "aspas" in remarks(con)[0][3]


def test_ragged_rows_are_rejected_not_dropped(tmp_path: Path) -> None:
    con, result = load(
        put(tmp_path, autos=autos(ROW, ROW.replace("A1", "A2") + ";x", "A3;P1;26-I;2026;V1", ROW.replace("A1", "A4")))
    )
    assert tally(result) == (4, 2, 2, 0, 0)
    assert [(r[0], r[2]) for r in remarks(con)] == [(3, "rejeitado"), (4, "rejeitado")]
    assert values(con, "SELECT valor FROM extrato.rejeitos WHERE linha = 3") == [ROW.replace("A1", "A2") + ";x"]


def test_blank_lines_and_footers_at_the_end_are_ignored(tmp_path: Path) -> None:
    con, result = load(put(tmp_path, autos=autos(ROW, "", ";;;;;;;", "TOTAL;1", "", "", "emitido em 30/11/2026")))
    assert tally(result) == (7, 1, 0, 0, 6)
    assert [(r[0], r[2], r[3]) for r in remarks(con)] == [
        (5, "aviso", "rodapé ignorado"),
        (8, "aviso", "rodapé ignorado"),
    ]


def test_a_short_row_before_the_end_is_no_footer(tmp_path: Path) -> None:
    _, result = load(put(tmp_path, autos=autos("TOTAL;1", ROW)))
    assert tally(result) == (2, 1, 1, 0, 0)


def test_half_the_columns_is_no_footer(tmp_path: Path) -> None:
    _, result = load(put(tmp_path, autos=autos(ROW, "TOTAL;1;2;3")))
    assert tally(result) == (2, 1, 1, 0, 0)


def test_a_padded_footer_is_ignored_and_a_bad_last_row_is_not(tmp_path: Path) -> None:
    _, result = load(put(tmp_path / "a", autos=autos(ROW, "TOTAL;;;;;;;")))
    assert tally(result) == (2, 1, 0, 0, 1)
    _, result = load(put(tmp_path / "b", autos=autos(ROW, "A2;P1;26-I;31/02/2026;;;;")))
    assert tally(result) == (2, 1, 1, 0, 0)
    # two of the four required columns, two of eight: a footer; three of four: a row with something wrong
    _, result = load(put(tmp_path / "c", autos=autos(ROW, "TOTAL;30;;;;;;")))
    assert tally(result) == (2, 1, 0, 0, 1)
    _, result = load(put(tmp_path / "d", autos=autos(ROW, "A2;P1;26-I;;;;;")))
    assert tally(result) == (2, 1, 1, 0, 0)


def test_a_file_without_final_newline(tmp_path: Path) -> None:
    con, _ = load(put(tmp_path, autos=autos(ROW).rstrip("\n")))
    assert values(con, "SELECT auto_id FROM extrato.autos") == ["A1"]


def test_blocks_of_any_size_give_the_same_records() -> None:
    text = b'a;b\n1;"x\ny"\n\n2;z\r\n3;"q""q;"\n4;"broken\n5;w\n6;"ok"\n7;too;many\n8;"a\nb";c\n9;end "quoted" x\n10;"last"'
    whole = _records(text, len(text) + 1)
    assert [line for line, _ in whole] == sorted(line for line, _ in whole)
    for size in range(8, len(text)):
        assert _records(text, size) == whole, size


def _records(text: bytes, size: int) -> list[tuple[int, str]]:
    """(line, first byte or reason) of each record, read `size` bytes at a time."""
    found: list[tuple[int, str]] = []
    rest, line, position = b"", 1, 0
    while True:
        read = text[position : position + size]
        position += size
        final = position >= len(text)
        records = csv_records.cut(rest + read, ord(";"), 2, line, final)
        rest = (rest + read)[records.consumed :]
        line += records.consumed_lines
        good = records
        broken = list(records.broken)
        if len(records.lines):
            even = csv_records.split_ragged(records.clean, records.lines, ord(";"), 2)
            if even is None:
                good = csv_records.cut_by_line(records.clean, b";", 2, line - records.consumed_lines, True)
                broken = good.broken
            else:
                good, broken = even, broken + even.broken
        found += [(int(n), "ok") for n in good.lines] + [(b.linha, b.motivo[:5]) for b in broken]
        if final:
            return sorted(found)
