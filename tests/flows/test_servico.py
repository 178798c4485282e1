"""Serving schedules: what is deployed, and the nights missed while nothing was served."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from flows.erros import ErroDeUso
from flows.servico import _deployment, deployment_name, drop_missed, serve_schedules
from flows.settings import Settings


def test_one_deployment_per_municipality() -> None:
    assert deployment_name(Settings(municipio="Mata de São João")) == "Mata-de-São-João"
    assert deployment_name(Settings(warehouse=Path("var/jequie.duckdb"))) == "jequie"


def test_without_a_folder_nothing_is_started() -> None:
    with pytest.raises(ErroDeUso, match="pasta dos extratos"):
        serve_schedules([(None, Settings())], 4200, None, print)


@pytest.mark.prefect
@pytest.mark.usefixtures("prefect_server")
def test_schedule_and_parameters(tmp_path: Path) -> None:
    s = Settings(extracts=tmp_path / "e", warehouse=Path("w.duckdb"))
    d = _deployment(tmp_path / "m.toml", s, s.agenda)
    (agenda,) = d.schedules or []
    assert (agenda.schedule.cron, agenda.schedule.timezone) == ("0 2 * * *", "America/Bahia")
    assert d.parameters["extracts"] == str(tmp_path / "e")
    assert Path(d.parameters["warehouse"]).is_absolute()
    assert d.entrypoint == "flows.nightly.nightly"
    assert not d.paused


@pytest.mark.prefect
@pytest.mark.usefixtures("prefect_server")
def test_only_the_latest_missed_night_runs(tmp_path: Path) -> None:
    from prefect import get_client
    from prefect.states import Scheduled

    s = Settings(extracts=tmp_path, warehouse=tmp_path / "perdidas.duckdb")
    deployment_id = _deployment(None, s, s.agenda).apply()
    agora = datetime.now(UTC)
    horas = [agora - timedelta(days=3), agora - timedelta(days=2), agora - timedelta(hours=5)]
    with get_client(sync_client=True) as cliente:
        criadas = [
            cliente.create_flow_run_from_deployment(deployment_id, state=Scheduled(scheduled_time=hora))
            for hora in horas
        ]
        assert drop_missed("perdidas") == 2
        assert drop_missed("perdidas") == 0
        vivas = {r.id for r in cliente.read_flow_runs() if r.deployment_id == deployment_id}
    assert criadas[2].id in vivas
    assert not vivas & {criadas[0].id, criadas[1].id}
