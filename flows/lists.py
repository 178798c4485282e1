"""The lists for who decides as a Prefect flow, every morning after the night.

Import only after `flows.telemetry.prepare_prefect`. `send` None, the default, is what `envio.agendado` says: unless it
does, the files are written and nothing is sent.
"""

from __future__ import annotations

import logging
from datetime import date
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.states import Completed, Failed, State

from flows.erros import ErroConhecido
from flows.escalada import escalate
from flows.settings import load_settings
from reports.formats import count_br

ESPERA = 3600.0  # seconds for another sending to end


@flow(name="listas")
def escalation_lists(
    as_of: date | None = None,
    warehouse: Path | None = None,
    out: Path | None = None,
    config: Path | None = None,
    send: bool | None = None,
) -> State[dict[str, Any]]:
    """The acts that wait for each authority. Ends Failed when a person has to act."""
    logging.getLogger("emdia").setLevel(logging.INFO)
    try:
        settings = load_settings(config, warehouse=warehouse, out=out)
        feito = escalate(settings, as_of=as_of, send=settings.envio.agendado if send is None else send, esperar=ESPERA)
    except ErroConhecido as erro:
        return Failed(message=str(erro))
    if feito.entrega is not None and feito.entrega.codigo_saida:
        motivo = feito.entrega.parada or "; ".join(feito.entrega.motivos) or "há mensagens incertas"
        return Failed(message=f"{motivo} (emdia notify status)")
    return Completed(
        message=count_br(len(feito.listas), "lista", "listas"),
        data={"pasta": str(feito.pasta), "listas": len(feito.listas)},
    )
