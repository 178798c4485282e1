"""What a rejected row may still change: not demanded of the operator, apart for the authority, told to the office."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from notices.compose import ComposeSettings, immediate_messages, weekly_messages
from notices.compose.facts import open_night
from notices.compose.gather import hold_back
from notices.delivery.queue import Queued
from notices.delivery.reading import held_back
from notices.delivery.run import Report
from notices.delivery.status import render_report
from notices.escalate import EscalationSettings, escalation_messages
from notices.model import Mensagem
from sql.warehouse import open_warehouse, read_warehouse
from tests.notices.compose.base import AS_OF, NORMS, Folder, by_recipient, holder, run_night, van

GONE = AS_OF - timedelta(days=40)
URGENT = ComposeSettings(imediato_consequencias=("apreensao",))


def _municipality(renewal_of: str | None, day: str = "31/02/2026") -> Folder:
    """K1 and K2 have no living permit for V1 and V2; a permit for one of them came, with its day of issue as given."""
    folder = Folder()
    folder.add("linhas", linha_id="L1", nome="Centro", categoria="urbana")
    for n in (1, 2):
        holder(folder, f"K{n}", "408/2009")
        van(folder, f"K{n}", f"V{n}", None)
    holder(folder, "K3", "408/2009")
    van(folder, "K3", "V3", AS_OF + timedelta(days=200))
    if renewal_of:
        folder.add(
            "alvaras",
            alvara_id="AX",
            permissionario_id=renewal_of.replace("V", "K"),
            veiculo_id=renewal_of,
            linha_id="L1",
            modalidade="alvara",
            emitido_em=day,
            valido_ate=AS_OF + timedelta(days=300),
        )
    return folder


def _night(pasta: Path, renewal_of: str | None, day: str = "31/02/2026") -> Path:
    run_night(_municipality(renewal_of, day).write(pasta / "x"), pasta / "w.duckdb", AS_OF)
    return pasta / "w.duckdb"


def _checks(mensagens: list[Mensagem]) -> dict[str, set[str]]:
    return {quem: {i.verificacao for i in m.itens} for quem, m in by_recipient(mensagens).items()}


@pytest.mark.parametrize(("day", "first"), [("31/02/2026", False), ("28/02/2026", False), (None, True)])
def test_what_may_change_is_not_demanded(tmp_path: Path, day: str | None, first: bool) -> None:
    """K1's permit was rejected, came right, or never came. K2's never came."""
    with read_warehouse(_night(tmp_path, "V1" if day else None, day or "")) as con:
        for compose in (weekly_messages, immediate_messages):
            told = _checks(list(compose(con, AS_OF, URGENT, NORMS)))
            assert ("veiculo_sem_alvara" in told.get("K1", set())) is first
            assert "veiculo_sem_alvara" in told["K2"]
        assert held_back(con) == (1 if day == "31/02/2026" else 0)


def test_the_authority_sees_it_apart(tmp_path: Path) -> None:
    with read_warehouse(_night(tmp_path, "V1")) as con:
        lists = list(escalation_messages(con, AS_OF, EscalationSettings(), NORMS))
    (found,) = [m for m in lists if "CONFERIR ANTES" in m.texto]
    before, doubts = found.texto.split("== CONFERIR ANTES: A CONCLUSÃO PODE MUDAR (1) ==")
    assert "cadastro K2" in before and "cadastro K1" not in before.replace("veiculo_nao", "")
    assert "cadastro K1" in doubts and "Não: conferir antes; a linha 3 de alvaras.csv foi rejeitada" in doubts
    assert "Conferir antes: a conclusão pode mudar (1)" in found.html
    rows = _sheet(found)
    ready = {r["Cadastro"]: r["Pronto?"] for r in rows if r["Ato"] == "Apreensão do veículo"}
    assert ready == {"K1": "Não: conferir antes; a linha 3 de alvaras.csv foi rejeitada", "K2": "Sim"}


def _sheet(m: Mensagem) -> list[Mapping[str, Any]]:
    heads, *rows = openpyxl.load_workbook(io.BytesIO(m.anexos[0].conteudo))["Atos"].iter_rows(values_only=True)
    return [dict(zip(map(str, heads), row, strict=True)) for row in rows]


def test_the_office_is_told_how_many() -> None:
    said = render_report(Report("semanal-20261130", AS_OF, Queued(), achados_retidos=2))
    assert (
        "  2 achados não são cobrados até se conferir uma linha rejeitada ou uma dispensa: veja ressalvas.csv" in said
    )
    assert not [x for x in render_report(Report("semanal-20261130", AS_OF)) if "ressalvas" in x]


def test_a_night_of_before_there_were_cautions(tmp_path: Path) -> None:
    warehouse = _night(tmp_path, "V1")
    with open_warehouse(warehouse) as con:
        con.execute("drop view ressalvas; drop table ressalvas_historico")
    with read_warehouse(warehouse) as con:
        hold_back(con, open_night(con, AS_OF))
        assert held_back(con) == 0
