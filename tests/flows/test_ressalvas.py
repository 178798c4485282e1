"""A renewal that could not be read: the night says so everywhere people look, until the row is put right."""

from __future__ import annotations

import csv
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from flows.steps import run_nightly
from reports.console import render_summary
from tests.flows.base import AS_OF, EXTRATOS, request, write_folder


def _with_renewal(pasta: Path, day: str) -> Path:
    """A2 ended in 2025; its renewal came, issued on `day`."""
    return write_folder(pasta, alvaras=EXTRATOS["alvaras"] + f"A4;P2;{day};permissao;;31/12/2026;vigente\n")


def _cautions(out: Path) -> list[dict[str, str]]:
    with (out / "ressalvas.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, delimiter=";"))


@pytest.mark.parametrize("simulated", [False, True])
def test_a_rejected_renewal_is_told_until_it_is_put_right(tmp_path: Path, simulated: bool) -> None:
    pedido = replace(request(tmp_path, _with_renewal(tmp_path / "hoje", "31/02/2026")), dry_run=simulated)
    resumo = run_nightly(pedido)
    kept = _cautions(pedido.destino)
    assert ("alvara_vencido", "A2", "alvaras.csv", "5", "emitido_em", "31/02/2026") in [
        (r["verificacao"], r["sujeito_id"], r["arquivo"], r["linha"], r["coluna"], r["valor"]) for r in kept
    ]
    assert {r["permissionario_id"] for r in kept} == {"P2"}
    assert resumo.ressalvas == len({r["achado_id"] for r in kept})
    assert "ressalva: uma linha rejeitada nesta noite" in "\n".join(render_summary(resumo))
    page = (pedido.destino / "relatorio.html").read_text(encoding="utf-8")
    assert f"<strong>{resumo.ressalvas}</strong> com ressalva, a conferir antes" in page

    right = replace(pedido, extracts=_with_renewal(tmp_path / "amanha", "28/02/2026"), as_of=date(2026, 3, 17))
    resumo = run_nightly(right)
    assert resumo.ressalvas == 0 and _cautions(right.destino) == []
    assert "ressalva" not in "\n".join(x for x in render_summary(resumo) if "ressalvas.csv" not in x)
    assert "com ressalva" not in (right.destino / "relatorio.html").read_text(encoding="utf-8")


def test_findings_are_the_same_with_the_row_rejected_or_never_sent(tmp_path: Path) -> None:
    nights = []
    for name, pasta in (("a", _with_renewal(tmp_path / "a", "31/02/2026")), ("b", write_folder(tmp_path / "b"))):
        pedido = request(tmp_path / name, pasta, AS_OF)
        run_nightly(pedido)
        nights.append((pedido.destino / "achados.csv").read_bytes())
    assert nights[0] == nights[1]
