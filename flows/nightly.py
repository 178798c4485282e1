"""The nightly job as a Prefect flow: it orders the steps of flows/steps.py as tasks, and nothing else.

Import only after `flows.telemetry.prepare_prefect`. Parameters are plain values: a deployment can hold them.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from datetime import date
from pathlib import Path
from typing import Any

from prefect import flow, task
from prefect.artifacts import create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE
from prefect.runtime import flow_run
from prefect.states import Completed, Failed, State

from flows.erros import ErroConhecido
from flows.noite import Evento, Noite, OnStep, Passo, RunRequest, is_ours
from flows.relogio import day_of, today
from flows.settings import load_settings
from flows.steps import run_nightly
from reports.console import DESFECHO
from reports.formats import count_br
from reports.markdown import artifact_key, check_rows, render_markdown
from reports.resumo import Resumo

OBSERVADOR: ContextVar[OnStep | None] = ContextVar("observador", default=None)
"""Who watches the steps when the flow runs inside the command line's own process."""

ESPERA_ENTRE_TENTATIVAS = 10  # seconds


def _run_name() -> str:
    """`noite-2026-11-30`; a scheduled run goes by the day it was scheduled for."""
    as_of = flow_run.parameters.get("as_of")
    if not as_of:
        fuso = load_settings(flow_run.parameters.get("config")).fuso
        as_of = day_of(flow_run.scheduled_start_time, fuso)
    return f"noite-{as_of}"


@flow(name="noite", flow_run_name=_run_name)
def nightly(
    as_of: date | None = None,
    extracts: Path | None = None,
    warehouse: Path | None = None,
    out: Path | None = None,
    overrides: Path | None = None,
    config: Path | None = None,
    dry_run: bool = False,
    esperar: float = 0,
) -> State[Resumo]:
    """Run one night. Without `as_of`, today where the municipality is; the rest defaults to the settings.

    Ends Failed when anything failed, `Defasada` (completed) when an extract was refused or is stale,
    else Completed.
    """
    logging.getLogger("emdia").setLevel(logging.INFO)
    settings = load_settings(config, extracts=extracts, warehouse=warehouse, out=out, overrides=overrides)
    if settings.extracts is None:
        return Failed(message="Falta a pasta dos extratos: parâmetro extracts, ou EMDIA_EXTRACTS.")
    request = RunRequest(
        extracts=settings.extracts,
        as_of=as_of or today(settings.fuso),
        warehouse=settings.warehouse,
        out=settings.out,
        settings=settings,
        overrides=settings.overrides,
        dry_run=dry_run,
        esperar=esperar,
        config=config,
    )
    try:
        resumo = run_nightly(request, on_step=OBSERVADOR.get(), call=_as_task)
    except ErroConhecido as erro:
        _tell(request, str(erro))
        return Failed(message=str(erro), data=erro)
    _publish_artifacts(resumo)
    estado = _state(resumo)
    _tell(request, f"{DESFECHO.get(resumo.codigo_saida, 'FALHOU').lower()}: {estado.message}")
    return estado


def _tell(request: RunRequest, texto: str) -> None:
    """One line a night on the terminal of `emdia serve`; `emdia run` writes its own summary."""
    if OBSERVADOR.get() is None:
        print(f"noite de {request.as_of:%d/%m/%Y}: {texto}", flush=True)


def _as_task(passo: Passo, noite: Noite) -> int | None:
    """One step as one task. The state stays out of the task's inputs: Prefect would walk all of it."""

    def executar() -> int | None:
        try:
            return passo.fn(noite)
        except Exception as erro:
            if is_ours(erro) or isinstance(erro, OSError):
                raise
            # Prefect keeps a failed task's whole exception; a library's may quote a row of the registry.
            nome = type(erro).__name__
        raise ErroConhecido(f"erro inesperado ({nome}); com --direct, o terminal mostra o texto dele")

    etapa = task(
        name=passo.nome,
        task_run_name=passo.nome,
        description=passo.titulo,
        cache_policy=NO_CACHE,
        retries=noite.request.settings.tentativas if passo.io else 0,
        retry_delay_seconds=ESPERA_ENTRE_TENTATIVAS,
        retry_condition_fn=_worth_retrying,
    )(executar)
    return etapa()


def _worth_retrying(_task: Any, _run: Any, state: State[Any]) -> bool:
    """A disk or network hiccup may pass; a refusal with a reason won't."""
    try:
        state.result()
    except OSError:
        return True
    except Exception:
        return False
    return False


def _publish_artifacts(resumo: Resumo) -> None:
    key = artifact_key(Path(resumo.warehouse).stem)
    create_markdown_artifact(render_markdown(resumo), key=key, description="Resumo da noite")
    create_table_artifact(check_rows(resumo), key=f"{key}-verificacoes", description="Achados por verificação")


def _state(resumo: Resumo) -> State[Resumo]:
    contas = f"{count_br(resumo.total('violacao'), 'violação', 'violações')}, {resumo.total('a_vencer')} a vencer"
    if resumo.codigo_saida == 1:
        return Failed(message="; ".join(resumo.erros)[:2000], data=resumo)
    if resumo.codigo_saida == 3:
        return Completed(name="Defasada", message=f"Extrato recusado ou defasado. {contas}", data=resumo)
    return Completed(message=contas, data=resumo)


__all__ = ["OBSERVADOR", "Evento", "nightly"]
