"""Keep the schedules alive on one machine: Prefect's server and UI on loopback, and the nightly runner."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from flows.erros import ErroConhecido, ErroDeUso
from flows.relogio import now
from flows.settings import Settings
from flows.telemetry import prepare_prefect

if TYPE_CHECKING:
    from prefect.deployments.runner import RunnerDeployment

PARTIDA = 180.0  # seconds: the first start migrates the server's database
ENCERRAMENTO = 15.0  # seconds the server has to leave by itself


def serve_schedules(
    municipios: Sequence[tuple[Path | None, Settings]],
    porta: int,
    agenda: str | None,
    dizer: Callable[[str], None],
) -> None:
    """Serve one nightly deployment per municipality until SIGTERM or Ctrl-C. Blocks.

    `municipios` pairs the settings file with what was read from it. `agenda` (cron) replaces theirs.
    Without a configured server, one is started on 127.0.0.1:`porta` and stopped at the end.
    """
    for _, settings in municipios:
        if settings.extracts is None:
            raise ErroDeUso(
                "falta a pasta dos extratos: --extracts PASTA, EMDIA_EXTRACTS ou `extracts` na configuração."
            )
    principal = municipios[0][1]
    prepare_prefect(principal.home(), principal.prefect_api_url)
    # The terminal has our own words; the runs' logs are in Prefect all the same.
    os.environ.setdefault("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "ERROR")
    # SIGTERM must unwind the stack, so that the server started here is stopped too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with _server(porta, dizer) as url:
        dizer(f"Prefect em {url.removesuffix('/api')}")
        try:
            _serve(municipios, agenda, dizer)
        finally:
            dizer("agendas encerradas.")


def _serve(
    municipios: Sequence[tuple[Path | None, Settings]], agenda: str | None, dizer: Callable[[str], None]
) -> None:
    from prefect import serve

    implantacoes = []
    for config, settings in municipios:
        noite, avisos = _deployment(config, settings, agenda or settings.agenda), notice_deployments(config, settings)
        listas = list_deployment(config, settings)
        implantacoes += [noite, *avisos, listas]
        dizer(f"noite/{noite.name}: {agenda or settings.agenda} ({settings.fuso})")
        envia = "envia" if settings.envio.agendado else "não envia"
        for aviso, quando in zip(avisos, (settings.agenda_avisos, settings.agenda_imediatos), strict=True):
            dizer(f"{aviso.flow_name}/{aviso.name}: {quando} ({settings.fuso}; {envia})")
        dizer(f"{listas.flow_name}/{listas.name}: {settings.agenda_listas} ({settings.fuso}; {envia})")
    for implantacao in implantacoes:
        perdidas = drop_missed(implantacao.name)
        if perdidas:
            dizer(f"{implantacao.name}: {perdidas} execuções perdidas enquanto parado; roda só a mais recente")
    # Prefect's own default pauses the schedules at every stop, and a restart would find them paused.
    serve(*implantacoes, pause_on_shutdown=False, print_starting_message=False)


def drop_missed(implantacao: str) -> int:
    """Forget the runs whose hour passed while nothing was served, but the latest; returns how many.

    Each would read today's folder and date: the same night, over and over.
    """
    from prefect import get_client
    from prefect.client.schemas.filters import (
        DeploymentFilter,
        DeploymentFilterName,
        FlowRunFilter,
        FlowRunFilterExpectedStartTime,
        FlowRunFilterState,
        FlowRunFilterStateType,
    )
    from prefect.client.schemas.objects import StateType
    from prefect.client.schemas.sorting import FlowRunSort

    with get_client(sync_client=True) as cliente:
        atrasadas = cliente.read_flow_runs(
            deployment_filter=DeploymentFilter(name=DeploymentFilterName(any_=[implantacao])),
            flow_run_filter=FlowRunFilter(
                state=FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.SCHEDULED])),
                expected_start_time=FlowRunFilterExpectedStartTime(before_=cast("Any", now("UTC"))),
            ),
            sort=FlowRunSort.EXPECTED_START_TIME_DESC,
        )
        for execucao in atrasadas[1:]:
            cliente.delete_flow_run(execucao.id)
    return max(len(atrasadas) - 1, 0)


def _deployment(config: Path | None, settings: Settings, agenda: str) -> RunnerDeployment:
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.deployments.runner import EntrypointType
    from prefect.schedules import Cron

    from flows.nightly import nightly

    implantacao = nightly.to_deployment(
        name=deployment_name(settings),
        description="Lê os extratos do dia, aplica as normas e publica os achados.",
        schedules=[Cron(agenda, timezone=settings.fuso)],
        paused=False,
        parameters=_parameters(config, settings),
        concurrency_limit=ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE),
        entrypoint_type=EntrypointType.MODULE_PATH,
        tags=["emdia"],
    )
    return cast("RunnerDeployment", implantacao)  # a coroutine only inside an event loop


def notice_deployments(config: Path | None, settings: Settings) -> list[RunnerDeployment]:
    """The week's notices and the immediate ones. They send only where `envio.agendado` says so."""
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.deployments.runner import EntrypointType
    from prefect.schedules import Cron

    from flows.notices import immediate_notices, weekly_notices

    caminhos = {"warehouse": settings.warehouse, "out": settings.out, "config": config}
    parametros = {nome: str(c.absolute()) for nome, c in caminhos.items() if c is not None}
    return [
        cast(
            "RunnerDeployment",
            fluxo.to_deployment(
                name=f"{deployment_name(settings)}-{nome}",
                description="Compõe os avisos aos permissionários; envia se `envio.agendado`.",
                schedules=[Cron(agenda, timezone=settings.fuso)],
                paused=False,
                parameters={**parametros, "send": settings.envio.agendado},
                concurrency_limit=ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE),
                entrypoint_type=EntrypointType.MODULE_PATH,
                tags=["emdia"],
            ),
        )
        for fluxo, nome, agenda in (
            (weekly_notices, "semanal", settings.agenda_avisos),
            (immediate_notices, "imediato", settings.agenda_imediatos),
        )
    ]


def list_deployment(config: Path | None, settings: Settings) -> RunnerDeployment:
    """The lists of acts, every morning. They are sent only where `envio.agendado` says so."""
    from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
    from prefect.deployments.runner import EntrypointType
    from prefect.schedules import Cron

    from flows.lists import escalation_lists

    caminhos = {"warehouse": settings.warehouse, "out": settings.out, "config": config}
    parametros: dict[str, Any] = {nome: str(c.absolute()) for nome, c in caminhos.items() if c is not None}
    implantacao = escalation_lists.to_deployment(
        name=f"{deployment_name(settings)}-listas",
        description="Escreve as listas dos atos que esperam cada autoridade; envia se `envio.agendado`.",
        schedules=[Cron(settings.agenda_listas, timezone=settings.fuso)],
        paused=False,
        parameters={**parametros, "send": settings.envio.agendado},
        concurrency_limit=ConcurrencyLimitConfig(limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE),
        entrypoint_type=EntrypointType.MODULE_PATH,
        tags=["emdia"],
    )
    return cast("RunnerDeployment", implantacao)


def _parameters(config: Path | None, settings: Settings) -> dict[str, Any]:
    """Absolute paths: the flow run starts elsewhere."""
    assert settings.extracts is not None
    caminhos = {
        "extracts": settings.extracts,
        "warehouse": settings.warehouse,
        "out": settings.out,
        "overrides": settings.overrides,
        "config": config,
    }
    return {nome: str(c.absolute()) for nome, c in caminhos.items() if c is not None}


def deployment_name(settings: Settings) -> str:
    """One deployment per municipality: its name, else its warehouse's."""
    return re.sub(r"[^\w-]+", "-", settings.municipio or settings.warehouse.stem).strip("-") or "emdia"


@contextlib.contextmanager
def _server(porta: int, dizer: Callable[[str], None]) -> Iterator[str]:
    """The address of the configured server, or of one started here for as long as the block lasts."""
    configurado = os.environ.get("PREFECT_API_URL")
    if configurado:
        yield configurado
        return
    url = f"http://127.0.0.1:{porta}/api"
    dizer("iniciando o servidor do Prefect (na primeira vez pode levar um minuto) ...")
    ambiente = {
        **os.environ,
        "PREFECT_SERVER_UI_API_URL": url,
        # The second UI asks a tracking service from the browser even with analytics off.
        "PREFECT_SERVER_UI_V2_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
    }
    comando = [
        sys.executable,
        "-m",
        "prefect",
        "server",
        "start",
        "--host",
        "127.0.0.1",
        "--port",
        str(porta),
    ]
    registro = Path(os.environ["PREFECT_HOME"]) / "servidor.log"
    with registro.open("ab") as saida:
        servidor = subprocess.Popen(comando, env=ambiente, stdout=saida, stderr=subprocess.STDOUT)
    try:
        _wait_for(url, servidor, registro)
        os.environ["PREFECT_API_URL"] = url
        yield url
    finally:
        servidor.terminate()
        try:
            servidor.wait(ENCERRAMENTO)
        except subprocess.TimeoutExpired:
            servidor.kill()


def _wait_for(url: str, servidor: subprocess.Popen[bytes], registro: Path) -> None:
    fim = time.monotonic() + PARTIDA
    while time.monotonic() < fim:
        if servidor.poll() is not None:
            raise ErroConhecido(f"o servidor do Prefect não subiu (veja {registro}). A porta está livre? Use --porta.")
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/health", timeout=2) as resposta:
            if resposta.status == 200:
                return
        time.sleep(0.5)
    raise ErroConhecido(f"o servidor do Prefect não respondeu em {PARTIDA:.0f} s; veja {registro}.")
