"""The prontuario of an operator, from a real night: what it shows, and that nothing in it can do harm."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import duckdb
import pytest

from flows.cli import main
from flows.steps import run_nightly
from reports.prontuario import Prontuario, ProntuarioError, Secao, prontuario, render_html, render_text
from reports.prontuario.render import page_rows
from sql.warehouse import read_warehouse
from tests.flows.base import EXTRATOS, request, write_folder

AS_OF = date(2026, 7, 20)
HOSTILE = "<script>alert(1)</script> =cmd|' /C calc'!A0 ‮virado " + "x" * 300
AUTOS = EXTRATOS["autos"].splitlines()[0] + "\n" + "".join(
    f"{auto};P1;{codigo};{dia} 10:00;V1;{dia};{dia};100,00;;;;;;;;;;\n"
    for auto, codigo, dia in [
        ("N1", "26-XIV", "19/03/2026"),
        ("N2", "26-XIV", "20/03/2026"),
        ("N3", "26-I", "20/11/2025"),
        ("N4", "27-I", "15/07/2026"),
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def banco(tmp_path_factory: pytest.TempPathFactory) -> Path:
    raiz = tmp_path_factory.mktemp("prontuario")
    pessoas = EXTRATOS["permissionarios"].replace("Ana de Teste", HOSTILE)
    pasta = write_folder(raiz / "entrada", permissionarios=pessoas, autos=AUTOS)
    assert run_nightly(request(raiz, pasta, AS_OF)).codigo_saida == 0
    return raiz / "w.duckdb"


@pytest.fixture(scope="module")
def pagina(banco: Path) -> Prontuario:
    with read_warehouse(banco) as con:
        return prontuario(con, "P1")


def section(page: Prontuario, titulo: str) -> list[dict[str, object]]:
    found = next(s for s in page.secoes if s.titulo == titulo)
    return [dict(zip(found.colunas, linha, strict=True)) for linha in found.linhas]


def test_points_now_and_how_they_fall(pagina: Prontuario) -> None:
    """20/07: window of 4 months reaches 20/03. N1 is out of it, but doubled N2; N4 is still under defence."""
    today = {
        r["Janela (meses)"]: (r["Pontos"], r["Faltam"], r["Com os em defesa"]) for r in section(pagina, "Pontos hoje")
    }
    assert today == {4: (6, 6, 9), 8: (10, 8, 13), 12: (10, 12, 13)}
    falls = {r["Auto"]: (r["Pontos"], r["Cai da maior janela em"]) for r in section(pagina, "Como os pontos caem")}
    assert falls == {
        "N3": (1, date(2026, 11, 21)),
        "N1": (3, date(2027, 3, 20)),
        "N2": (6, date(2027, 3, 21)),
    }


def test_every_section_of_the_operator_and_of_nobody_else(pagina: Prontuario) -> None:
    assert [r["Veículo"] for r in section(pagina, "Veículos")] == ["V1"]
    assert [r["Título"] for r in section(pagina, "Alvarás e permissões")] == ["A1"]
    assert {r["Auto"] for r in section(pagina, "Autos de infração")} == {"N1", "N2", "N3", "N4"}
    assert pagina.documento.startswith("***")


def test_hostile_names_stay_text(pagina: Prontuario) -> None:
    html = render_html(pagina)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "http" not in html
    assert "529.982" not in html + render_text(pagina)


def test_states_are_told_as_they_stand(pagina: Prontuario) -> None:
    """N4's term of defence is open and nobody has answered; N1 is past it."""
    autos = {r["Auto"]: r for r in section(pagina, "Autos de infração")}
    term = autos["N4"]["Defesa até"]
    assert isinstance(term, date) and term >= AS_OF
    assert autos["N4"]["Estado"] == f"no prazo de defesa até {term:%d/%m/%Y}"
    assert autos["N1"]["Estado"] == "confirmado"


@pytest.mark.parametrize(("fim", "dito"), [("19/07/2026", "vencido"), ("20/07/2026", "vigente")])
def test_a_permit_past_its_end_is_not_in_force(tmp_path: Path, fim: str, dito: str) -> None:
    """The last day still counts; the night is that of 20/07."""
    head = "alvara_id;permissionario_id;veiculo_id;modalidade;emitido_em;valido_ate\n"
    pasta = write_folder(tmp_path / "entrada", alvaras=head + f"A1;P1;;permissao;20/07/2025;{fim}\n")
    assert run_nightly(request(tmp_path, pasta, AS_OF)).codigo_saida == 0
    with read_warehouse(tmp_path / "w.duckdb") as con:
        page = prontuario(con, "P1")
    assert [r["Situação"] for r in section(page, "Alvarás e permissões")] == [dito]


def test_page_names_checks_and_never_breaks_a_date(pagina: Prontuario) -> None:
    secao = Secao(
        "Pendências",
        ("Verificação", "Sujeito", "Agir até", "Valor (R$)", "Dispositivo", "Achado"),
        (("multa_vencida", "auto N1", date(2026, 8, 4), None, "art. 1", "x1"),),
        "",
    )
    heads, rows = page_rows(secao)
    assert heads == ["Verificação", "Sujeito", "Agir até"]  # the empty one is gone, narrow ones lie below the check
    assert [(c.texto, c.tipo, c.detalhes) for c in rows[0]] == [
        ("Multa vencida", "texto", ("art. 1", "x1")),
        ("auto N1", "texto", ()),
        ("04/08/2026", "data", ()),
    ]
    html = render_html(pagina)
    assert ".data, .numero { white-space: nowrap; }" in html
    for section_ in pagina.secoes:
        for check in (
            r[section_.colunas.index("Verificação")] for r in section_.linhas if "Verificação" in section_.colunas
        ):
            assert f"<span>{check}<" not in html


def test_command_writes_the_page(banco: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prontuario", "P1", "--html", "--warehouse", str(banco), "--out", str(tmp_path)]) == 0
    assert (tmp_path / "prontuario-P1.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main(["prontuario", "P9", "--warehouse", str(banco)]) == 2
    assert "P9 não está no cadastro" in capsys.readouterr().err


def test_unknown_operator(banco: Path) -> None:
    with read_warehouse(banco) as con, pytest.raises(ProntuarioError, match="não está no cadastro"):
        prontuario(con, "P404")


def test_a_night_of_another_version_says_what_to_do(banco: Path, tmp_path: Path) -> None:
    copia = Path(shutil.copy(banco, tmp_path / "w.duckdb"))
    with duckdb.connect(str(copia)) as con:
        con.execute("alter table fatos.autos rename column fim_defesa to outra")
    with read_warehouse(copia) as con, pytest.raises(ProntuarioError, match="outra versão do emdia: rode emdia run"):
        prontuario(con, "P1")
