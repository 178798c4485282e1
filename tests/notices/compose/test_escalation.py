"""The lists of acts: what is in them, what left, what is blocked, and the spreadsheet."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest

from flows.cli import main
from notices.escalate import EscalationSettings, escalation_messages
from notices.model import Mensagem
from sql.warehouse import read_warehouse
from tests.notices.compose.base import AS_OF, HOSTILE, NORMS, by_recipient, run_night, told
from tests.notices.compose.conftest import _municipality

PREFEITO = "408/2009 Prefeito"
SECRETARIO = "825/2021 Secretário da SEOSP ou delegado"
CGF = "408/2009 CGF"
DEPOIS = AS_OF + timedelta(days=21)


def _lists(con: duckdb.DuckDBPyConnection, as_of: date = AS_OF, **settings: Any) -> Mapping[str, Mensagem]:
    return by_recipient(list(escalation_messages(con, as_of, EscalationSettings(**settings), NORMS)))


@pytest.fixture(scope="module")
def lists(warehouse: Path) -> Mapping[str, Mensagem]:
    with read_warehouse(warehouse) as con:
        return _lists(con)


def _later(warehouse: Path, pasta: Path, *, acervo: bool) -> Path:
    """Three weeks on the hostile permits have expired, and the inspections came as a header alone.

    With the raw store (`acervo`) Monday's inspections stay in force; without it there is nothing in their place.
    """
    shutil.copy(warehouse, pasta / "w.duckdb")
    if acervo:
        shutil.copytree(f"{warehouse}.bruto", pasta / "w.duckdb.bruto")
    extratos = _municipality(AS_OF).write(pasta / "extratos")
    cabecalho = (extratos / "vistorias.csv").read_text(encoding="utf-8").splitlines()[0]
    (extratos / "vistorias.csv").write_text(cabecalho + "\n", encoding="utf-8")
    run_night(extratos, pasta / "w.duckdb", DEPOIS)
    return pasta / "w.duckdb"


@pytest.fixture(scope="module")
def stale(warehouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A night on stale inspections."""
    with read_warehouse(_later(warehouse, tmp_path_factory.mktemp("defasado"), acervo=True)) as con:
        yield con


def _sheet(mensagem: Mensagem, nome: str) -> list[dict[str, Any]]:
    (planilha,) = mensagem.anexos
    folha = openpyxl.load_workbook(io.BytesIO(planilha.conteudo))[nome]
    cabecalho, *linhas = folha.iter_rows(values_only=True)
    return [dict(zip(cabecalho, linha, strict=True)) for linha in linhas]


def _flat(texto: str) -> str:
    return " ".join(texto.split())


def test_one_list_per_norm_and_authority(lists: Mapping[str, Mensagem]) -> None:
    assert {PREFEITO, SECRETARIO, CGF} <= set(lists)
    assert all(m.destinatario_email is None for m in lists.values())


def test_the_address_comes_from_the_settings(con: duckdb.DuckDBPyConnection) -> None:
    por = _lists(con, destinatarios={"408/2009": {"Prefeito": "gabinete@example.org"}})
    assert [k for k, m in por.items() if m.destinatario_email] == [PREFEITO]


def test_what_is_to_come_or_waived_waits_for_nobody(
    con: duckdb.DuckDBPyConnection, lists: Mapping[str, Mensagem]
) -> None:
    listados = {r["Achado"] for r in _sheet(lists[PREFEITO], "Atos")}
    vencidos = con.execute(
        "select achado_id, permissionario_id from achados where verificacao = 'alvara_vencido' and situacao = 'violacao'"
    ).fetchall()
    assert listados >= {a for a, _ in vencidos}
    outros = con.execute("select achado_id from achados where situacao in ('a_vencer', 'dispensado')").fetchall()
    assert outros and not listados & {a for (a,) in outros}


def test_a_penalty_says_why_it_is_not_ready_and_until_when(lists: Mapping[str, Mensagem]) -> None:
    pontos = next(r for r in _sheet(lists[SECRETARIO], "Atos") if r["Fundamento"] == "Limite de pontos atingido")
    assert pontos["Pronto?"] == "Não: o prazo de defesa corre até 09/12/2026"
    assert pontos["Etapa"] == "Prazo de defesa correndo"
    assert pontos["Prazo corre até"] == datetime(2026, 12, 9)  # noqa: DTZ001
    assert pontos["Processo"] == "PR1"
    assert "suspensão PR0: arquivada em 02/03/2025" in pontos["Atos anteriores"]
    assert pontos["Dispositivo"] == "arts. 33, § 2º, 35, par. único, e 40, II"
    assert "Pontos somados: 15" in pontos["Evidência"]
    assert "Não: falta instaurar o processo" in _sheet(lists[PREFEITO], "Atos")[0]["Pronto?"]


def test_only_a_final_and_overdue_fine_is_collected(lists: Mapping[str, Mensagem]) -> None:
    atos = [r for m in lists.values() for r in _sheet(m, "Atos")]
    cobrar = {r["Fundamento"] for r in atos if "cobrança" in r["Pronto?"] or r["Etapa"] == "Multa vencida, a cobrar"}
    assert cobrar == {"Multa vencida e não paga"}
    lavrar = [r for r in atos if r["Etapa"] == "Auto a lavrar"]
    assert "Vistoria vencida" in {r["Fundamento"] for r in lavrar}
    agente = "preposto da fiscalização ou servidor credenciado da CGF"
    for r in lavrar:
        assert r["Pronto?"] == f"Não: falta lavrar o auto (lavra: {agente}) e correr a defesa; nada há a cobrar ainda"
        assert r["Quem age agora"] == f"{agente}: lavrar o auto; depois corre a defesa"
    # One that is neither issued nor due never stands among the ready ones.
    assert "Multa: Vistoria vencida" not in lists[CGF].texto.split("AINDA NÃO PRONTOS")[0]


def test_what_left_says_why_and_the_counts_end_the_list(lists: Mapping[str, Mensagem]) -> None:
    prefeito = lists[PREFEITO]
    saiu = [r for r in _sheet(prefeito, "Saíram") if r["Cadastro"] == "CURADO"]
    assert [r["Por quê"] for r in saiu] == ["regularizado"] or [r["Por quê"] for r in saiu] == [
        "o sujeito saiu do cadastro"
    ]
    novos = {r["Cadastro"] for r in _sheet(prefeito, "Atos") if r["Na lista"] == "novo"}
    # On Friday these permits were still good.
    assert novos == {"K-1"}
    total = len(_sheet(prefeito, "Atos"))
    assert f"1 novo · {total - 1} persistem · 1 saiu" in prefeito.texto.splitlines()[-3]
    assert "SAÍRAM DA LISTA DESDE 27/11/2026 (1)" in prefeito.texto


def test_cells_are_typed_filtered_and_frozen(lists: Mapping[str, Mensagem]) -> None:
    (planilha,) = lists[SECRETARIO].anexos
    assert planilha.nome == "escalada-825-2021-secretario-da-seosp-ou-delegado-20261130.xlsx"
    livro = openpyxl.load_workbook(io.BytesIO(planilha.conteudo))
    folha = livro["Atos"]
    assert folha.freeze_panes == "A2" and folha.auto_filter.ref.startswith("A1:T")
    colunas = {c.value: c.column_letter for c in folha[1]}
    multa = next(r for r in range(2, folha.max_row + 1) if folha[f"{colunas['Ato']}{r}"].value == "Multa")
    assert folha[f"{colunas['Valor (R$)']}{multa}"].value == 150
    assert folha[f"{colunas['Desde']}{multa}"].value == datetime(2026, 10, 16)  # noqa: DTZ001
    assert folha[f"{colunas['Desde']}{multa}"].number_format == "dd/mm/yyyy"
    assert folha[f"{colunas['Documento']}{multa}"].value == "CPF ***.379.955-**"
    for aba in livro:
        assert not any(c.data_type == "f" for linha in aba.iter_rows() for c in linha)


def test_a_hostile_name_is_a_text(stale: duckdb.DuckDBPyConnection) -> None:
    prefeito = _lists(stale, DEPOIS, linhas_no_corpo=100)[PREFEITO]
    nomes = {r["Cadastro"]: r["Operador"] for r in _sheet(prefeito, "Atos")}
    assert set(HOSTILE) <= set(nomes)
    assert nomes["FORMULA"] == HOSTILE["FORMULA"]
    (planilha,) = prefeito.anexos
    livro = openpyxl.load_workbook(io.BytesIO(planilha.conteudo))
    assert not any(c.data_type == "f" for aba in livro for linha in aba.iter_rows() for c in linha)
    assert nomes["LINHA"] == "Ana Bcc: alvo@example.org Texto"
    assert "\u202e" not in "".join(map(str, nomes.values()))
    assert "<script" not in prefeito.html and "&lt;script&gt;" in prefeito.html


def test_only_what_was_never_told_is_an_item(con: duckdb.DuckDBPyConnection, lists: Mapping[str, Mensagem]) -> None:
    antes = lists[PREFEITO]
    assert antes.itens and {i.degrau for i in antes.itens} == {"escalada"}
    told(con, [(PREFEITO, i.achado_id, "escalada", i.reaberta) for i in antes.itens[1:]])
    depois = _lists(con)[PREFEITO]
    assert depois.itens == antes.itens[:1]
    # The same list of the same night is the same message, whatever was told meanwhile.
    assert depois.chave == antes.chave


def test_the_same_list_gives_the_same_bytes(con: duckdb.DuckDBPyConnection, lists: Mapping[str, Mensagem]) -> None:
    told(con, [])
    outra = _lists(con)
    assert {k: (m.chave, m.texto, m.html, m.anexos) for k, m in outra.items()} == {
        k: (m.chave, m.texto, m.html, m.anexos) for k, m in lists.items()
    }


def test_what_rests_on_a_stale_extract_is_blocked_and_said(
    stale: duckdb.DuckDBPyConnection, lists: Mapping[str, Mensagem]
) -> None:
    antes = {r["Cadastro"] for r in _sheet(lists[CGF], "Atos") if r["Fundamento"] == "Vistoria vencida"}
    assert "SEM_VISTORIA" in antes
    cgf = _lists(stale, DEPOIS)[CGF]
    bloqueados = _sheet(cgf, "Bloqueados")
    assert {"SEM_VISTORIA"} <= {r["Cadastro"] for r in bloqueados}
    assert {r["Extrato defasado"] for r in bloqueados} == {"vistorias"}
    assert "SEM_VISTORIA" not in {r["Cadastro"] for r in _sheet(cgf, "Atos")}
    assert (
        "1 ato está bloqueado: depende de extrato que não foi aceito nesta noite, vistorias (dados de 30/11/2026)"
        in _flat(cgf.texto)
    )
    # Blocked is not gone.
    assert not any(r["Cadastro"] == "SEM_VISTORIA" for r in _gone(cgf))


def test_blocked_too_where_nothing_took_the_place_of_the_extract(warehouse: Path, tmp_path: Path) -> None:
    with read_warehouse(_later(warehouse, tmp_path, acervo=False)) as con:
        cgf = _lists(con, DEPOIS)[CGF]
    assert "SEM_VISTORIA" in {r["Cadastro"] for r in _sheet(cgf, "Bloqueados")}
    assert not any(r["Cadastro"] == "SEM_VISTORIA" for r in _gone(cgf))
    assert "ATENÇÃO" in cgf.texto


def test_what_reads_other_extracts_goes_on(stale: duckdb.DuckDBPyConnection) -> None:
    prefeito = _lists(stale, DEPOIS)[PREFEITO]
    assert "K-1" in {r["Cadastro"] for r in _sheet(prefeito, "Atos")}
    assert "ATENÇÃO" not in prefeito.texto


def _gone(mensagem: Mensagem) -> Sequence[Mapping[str, Any]]:
    (planilha,) = mensagem.anexos
    livro = openpyxl.load_workbook(io.BytesIO(planilha.conteudo), read_only=True)
    return _sheet(mensagem, "Saíram") if "Saíram" in livro.sheetnames else []


def test_the_command_writes_the_lists(warehouse: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["escalate", "--warehouse", str(warehouse), "--out", str(tmp_path)]) == 0
    pasta = tmp_path / "escalada" / "2026-11-30"
    nomes = {p.name for p in pasta.iterdir()}
    assert "escalada-408-2009-prefeito-20261130.xlsx" in nomes
    assert {p.rsplit(".", 1)[1] for p in nomes} == {"xlsx", "html", "txt"}
    assert "Atos à espera (408/2009), Prefeito" in capsys.readouterr().out
    assert main(["escalate", "--warehouse", str(warehouse), "--out", str(tmp_path), "--as-of", "2026-11-27"]) == 2
    assert "são da noite de 30/11/2026" in capsys.readouterr().err
