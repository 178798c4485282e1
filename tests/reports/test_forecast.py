"""The forecast says, for each finding to come, the first date on which the same night would show it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import duckdb
import pytest

from checks.law.catalogue import load_catalogue
from data.loader import load_norms
from flows.cli import main
from flows.steps import run_nightly
from reports.forecast import Forecast, forecast
from reports.forecast_text import render_forecast
from tests.flows.base import EXTRATOS, request, write_folder

AS_OF = date(2026, 3, 16)
DAYS = 40
SEVEN = (
    "alvara_vencido", "renovacao_pre_detran", "veiculo_acima_da_idade", "declaracao_substituicao",
    "substituicao_vencida", "multa_vencida", "pontos_cassacao",
)  # fmt: skip
#: 3+3+3+3 points, the last auto still under defence until 31/03: the count is proved on 1 April, with no date of its own.
AUTOS = EXTRATOS["autos"].splitlines()[0] + "\n" + "".join(
    f"{auto};P1;{codigo};{dia} 10:00;V1;{dia};{dia};100,00;;;;;;;;;{pago};\n"
    for auto, codigo, dia, pago in [
        ("N1", "26-XIV", "05/01/2026", "06/01/2026"),
        ("N2", "27-I", "02/02/2026", "06/02/2026"),
        ("N3", "27-III", "03/02/2026", "06/02/2026"),
        ("N4", "28-I", "16/03/2026", ""),
    ]
)  # fmt: skip


@pytest.fixture(scope="module")
def noite(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Forecast]:
    raiz = tmp_path_factory.mktemp("previsao")
    alvaras = EXTRATOS["alvaras"].replace("10/12/2026", "11/04/2026")
    pasta = write_folder(raiz / "entrada", autos=AUTOS, alvaras=alvaras)
    assert run_nightly(request(raiz, pasta, AS_OF)).codigo_saida == 0
    catalogue = {name: spec for name, spec in load_catalogue().items() if name in SEVEN}
    return raiz, forecast(raiz / "w.duckdb", load_norms(), catalogue, AS_OF, DAYS)


def test_first_dates_by_hand(noite: tuple[Path, Forecast]) -> None:
    _, result = noite
    assert {(p.verificacao, p.sujeito_id): p.data for p in result.previstos} == {
        ("alvara_vencido", "A3"): date(2026, 4, 12),
        ("multa_vencida", "N4"): date(2026, 4, 1),
        ("pontos_cassacao", "P1"): date(2026, 4, 1),
    }
    assert result.falhas == ()


def test_a_gap_is_asked_only_until_all_is_dated(noite: tuple[Path, Forecast]) -> None:
    asked: list[date] = []
    catalogue = {name: spec for name, spec in load_catalogue().items() if name in SEVEN}
    again = forecast(noite[0] / "w.duckdb", load_norms(), catalogue, AS_OF, DAYS, on_date=asked.append)
    assert again == noite[1]
    # the points alone have no date of their own, and are seen on 1 April
    assert asked == [AS_OF, date(2026, 3, 31), date(2026, 4, 15), date(2026, 4, 1), date(2026, 4, 25)]


def test_a_night_run_on_those_dates_agrees(noite: tuple[Path, Forecast], tmp_path: Path) -> None:
    raiz, result = noite
    for p in result.previstos:
        for day, there in ((p.data, True), (p.data - timedelta(days=1), False)):
            out = f"{p.verificacao}-{day}"
            night = request(raiz, raiz / "entrada", day, out)
            run_nightly(type(night)(**{**night.__dict__, "warehouse": tmp_path / f"{out}.duckdb"}))
            found = duckdb.sql(
                f"select count(*) from '{night.out}/achados.parquet' where verificacao = '{p.verificacao}'"
                f" and sujeito_id = '{p.sujeito_id}' and situacao in ('violacao', 'para_decisao')"
            ).fetchall()
            assert (found[0][0] == 1) is there, (p, day)


def test_warehouse_is_only_read(
    noite: tuple[Path, Forecast], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    banco = noite[0] / "w.duckdb"
    before = banco.read_bytes()
    args = [
        "forecast",
        "--warehouse",
        str(banco),
        "--days",
        "10",
        "--verificacao",
        "multa_vencida",
        "--out",
        str(tmp_path),
    ]
    assert main(args) == 0
    assert "Se ninguém agir" in capsys.readouterr().out
    assert (tmp_path / "previsao.csv").exists()
    assert banco.read_bytes() == before
    assert main(["forecast", "--warehouse", str(banco), "--verificacao", "nenhuma"]) == 2


def test_the_settings_overrides_count_as_on_the_night(
    noite: tuple[Path, Forecast], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "ajustes.toml").write_text("[[ajuste]]\nnorma = 'nenhuma'\n", encoding="utf-8")
    config = tmp_path / "municipio.toml"
    config.write_text(f"warehouse = '{noite[0] / 'w.duckdb'}'\noverrides = 'ajustes.toml'\n", encoding="utf-8")
    assert main(["forecast", "--days", "1", "--verificacao", "multa_vencida", "--config", str(config)]) == 2
    assert "ajustes.toml, linha 1" in capsys.readouterr().err


def test_one_finding_is_said_in_the_singular(noite: tuple[Path, Forecast]) -> None:
    one = replace(noite[1], previstos=noite[1].previstos[:1])
    assert next(render_forecast(one, 0)).endswith(": 1 achado novo.")
    assert next(render_forecast(noite[1], 0)).endswith(": 3 achados novos.")
