"""The notices as Prefect flows: the week's on Monday, what can't wait every morning.

Import only after `flows.telemetry.prepare_prefect`. `send` None, the default, is what `envio.agendado` says: unless it
does, the outbox is filled and nothing is sent.
"""

from __future__ import annotations

import logging
from datetime import date
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.artifacts import create_markdown_artifact
from prefect.runtime import flow_run
from prefect.states import Completed, Failed, State

from flows.avisos import composer, notify
from flows.erros import ErroConhecido
from flows.settings import load_settings
from notices.delivery.status import render_report, report_as_dict
from notices.model import IMEDIATO, SEMANAL
from reports.formats import count_br
from reports.markdown import artifact_key

ESPERA = 3600.0  # seconds for another sending to end: Monday's two start together


def _run_name() -> str:
    return f"{flow_run.flow_name}-{flow_run.parameters.get('as_of') or flow_run.scheduled_start_time.date()}"


@flow(name="avisos", flow_run_name=_run_name)
def weekly_notices(
    as_of: date | None = None,
    warehouse: Path | None = None,
    out: Path | None = None,
    config: Path | None = None,
    send: bool | None = None,
) -> State[dict[str, Any]]:
    """The notice of the week, one per permissionario. Ends Failed when a person has to act."""
    return _notices(SEMANAL, as_of, warehouse, out, config, send)


@flow(name="avisos-imediatos", flow_run_name=_run_name)
def immediate_notices(
    as_of: date | None = None,
    warehouse: Path | None = None,
    out: Path | None = None,
    config: Path | None = None,
    send: bool | None = None,
) -> State[dict[str, Any]]:
    """What can't wait for the week. Ends Failed when a person has to act."""
    return _notices(IMEDIATO, as_of, warehouse, out, config, send)


def _notices(
    tipo: str, as_of: date | None, warehouse: Path | None, out: Path | None, config: Path | None, send: bool | None
) -> State[dict[str, Any]]:
    logging.getLogger("emdia").setLevel(logging.INFO)
    log = logging.getLogger("emdia.avisos")
    try:
        settings = load_settings(config, warehouse=warehouse, out=out)
        report = notify(
            settings,
            tipo,
            composer(tipo, settings),
            as_of=as_of,
            send=settings.envio.agendado if send is None else send,
            esperar=ESPERA,
            dizer=log.info,
        )
    except ErroConhecido as erro:
        return Failed(message=str(erro))
    texto = "\n".join(render_report(report))
    create_markdown_artifact(
        f"```\n{texto}\n```", key=f"{artifact_key(settings.warehouse.stem)}-{tipo}", description="Avisos"
    )
    if report.codigo_saida:
        motivo = report.parada or "; ".join(report.motivos) or "há mensagens incertas"
        return Failed(message=f"{motivo} (emdia notify status)")
    return Completed(message=count_br(len(report.fila.prontas), "mensagem", "mensagens"), data=report_as_dict(report))
