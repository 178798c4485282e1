"""The lists on Prefect: the same files, on a schedule of their own, never sent unasked."""

from __future__ import annotations

import tomllib
from pathlib import Path

from flows.settings import Settings
from flows.telemetry import prepare_prefect

ROOT = Path(__file__).parents[3]


def test_the_flow_writes_the_lists(warehouse: Path, tmp_path: Path) -> None:
    prepare_prefect(tmp_path / "prefect")
    from flows.lists import escalation_lists

    estado = escalation_lists.fn(warehouse=warehouse, out=tmp_path)
    assert estado.is_completed() and estado.message.endswith(" listas")
    assert list((tmp_path / "escalada" / "2026-11-30").glob("*.xlsx"))
    estado = escalation_lists.fn(warehouse=tmp_path / "nada.duckdb", out=tmp_path)
    assert estado.is_failed() and "não existe" in estado.message


def test_served_every_morning(tmp_path: Path) -> None:
    prepare_prefect(tmp_path / "prefect")
    from flows.servico import list_deployment

    implantacao = list_deployment(None, Settings(municipio="Jequié", warehouse=tmp_path / "j.duckdb"))
    assert implantacao.name == "Jequié-listas"
    assert implantacao.schedules[0].schedule.cron == "30 6 * * *"
    assert implantacao.parameters["send"] is False


def test_lists_are_settings() -> None:
    texto = '[escalada.destinatarios."408/2009"]\nPrefeito = "gabinete@example.org"\n'
    settings = Settings(**tomllib.loads(texto))
    assert settings.escalada.address("408/2009", "Prefeito") == "gabinete@example.org"
    assert settings.escalada.address("408/2009", "CGF") is None
