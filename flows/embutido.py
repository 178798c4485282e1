"""Run the nightly flow in this process: on the server that is configured, else on Prefect's embedded one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from flows.erros import ErroConhecido
from flows.telemetry import prepare_prefect

if TYPE_CHECKING:
    from flows.noite import RunRequest
    from flows.progresso import Progresso
    from reports.resumo import Resumo


TERMINAL_QUIETO = {
    # The terminal shows our own progress; the run's log is in Prefect all the same.
    "PREFECT_LOGGING_LEVEL": "WARNING",
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    # The embedded server complains about the tasks it cancels when it is told to stop.
    "PREFECT_LOGGING_SERVER_LEVEL": "CRITICAL",
    "PREFECT_SERVER_LOGGING_LEVEL": "CRITICAL",
}


def run_flow(request: RunRequest, config: Path | None, progresso: Progresso) -> Resumo:
    """The night as a Prefect flow run; the summary comes back whatever the final state."""
    settings = request.settings
    prepare_prefect(settings.home(), settings.prefect_api_url)
    os.environ.update(TERMINAL_QUIETO)
    progresso.say(f"Prefect: {os.environ.get('PREFECT_API_URL', 'servidor embutido')}")

    from flows.nightly import OBSERVADOR, nightly

    marca = OBSERVADOR.set(progresso)
    try:
        estado = nightly(
            as_of=request.as_of,
            extracts=request.extracts.absolute(),
            warehouse=request.warehouse.absolute(),
            out=request.out.absolute(),
            overrides=request.overrides.absolute() if request.overrides else None,
            config=config.absolute() if config else None,
            dry_run=request.dry_run,
            esperar=request.esperar,
            return_state=True,
        )
    except RuntimeError as erro:
        if "API" not in str(erro):
            raise
        onde = os.environ.get("PREFECT_API_URL", "servidor embutido")
        raise ErroConhecido(f"o Prefect não respondeu ({onde}): {erro}. Use --direct para executar sem ele.") from erro
    finally:
        OBSERVADOR.reset(marca)
    return _summary(estado)


def _summary(estado: object) -> Resumo:
    from reports.resumo import Resumo

    dados = getattr(estado, "data", None)
    dados = getattr(dados, "result", dados)  # a result record wraps it when the state went through the engine
    if isinstance(dados, Resumo):
        return dados
    if isinstance(dados, ErroConhecido):
        raise dados
    raise ErroConhecido(f"o fluxo terminou sem resumo: {getattr(estado, 'message', estado)}")
