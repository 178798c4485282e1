"""`emdia dashboard`: serves what management sees, from the published copy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from dashboard.config import Painel


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(dashboard)


def dashboard(
    *,
    warehouse: Annotated[
        Path | None,
        Parameter(help="Arquivo do banco do município; lê-se a cópia publicada ao lado. Sem ele, var/emdia.duckdb."),
    ] = None,
    port: Annotated[int | None, Parameter(help="Porta. Sem ela, 8408.")] = None,
    host: Annotated[
        str | None, Parameter(help="Endereço em que atender. Sem ele, 127.0.0.1; outro exige login em [painel].")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
) -> int:
    """Abre o painel das cassações pendentes, que lê só a cópia publicada e nunca trava a noite.

    Segredos vêm do ambiente: EMDIA_PAINEL_SEGREDO (do proxy ou do provedor de login) e EMDIA_PAINEL_CHAVE (sessões).
    """
    import logging
    import sys

    import uvicorn

    from dashboard.app import build_app
    from dashboard.config import ConfigError
    from flows.erros import ErroConhecido, ErroDeUso
    from reports.sistema import os_reason

    painel = make_panel(warehouse, config, host=host, porta=port)
    try:
        site = build_app(painel)
    except ConfigError as erro:
        raise ErroDeUso(str(erro)) from erro
    registro = logging.StreamHandler(sys.stderr)
    registro.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    for nome in ("emdia.painel", "emdia.painel.acesso"):
        logging.getLogger(nome).setLevel(logging.INFO)
    logging.getLogger("emdia.painel").addHandler(registro)

    if not painel.copia.exists():
        print(
            f"Atenção: {painel.copia} não existe; o painel fica vazio até uma noite publicá-lo."
            " Confira --warehouse, ou rode antes emdia run.",
            file=sys.stderr,
            flush=True,
        )
    s = painel.settings
    servidor = uvicorn.Server(
        uvicorn.Config(
            site,
            host=s.host,
            port=s.porta,
            log_level="warning",
            access_log=False,  # its lines carry addresses and queries
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=5,
        )
    )
    print(f"Painel em http://{_bracketed(s.host)}:{s.porta}/ (Ctrl+C encerra). Lê {painel.copia}.", flush=True)
    try:
        servidor.run()
    except SystemExit:
        raise ErroConhecido(f"não foi possível abrir a porta {s.porta} em {s.host}: use outra com --port.") from None
    except OSError as erro:
        raise ErroConhecido(f"não foi possível abrir {s.host}:{s.porta}: {os_reason(erro)}.") from None
    return 0 if servidor.started else 1


def make_panel(warehouse: Path | None, config: Path | None, **options: Any) -> Painel:
    """The dashboard of the municipality's settings, with the options really given (None: not given)."""
    from dashboard.config import Painel, PainelSettings
    from flows.erros import ErroDeUso
    from flows.relogio import now
    from flows.settings import load_settings
    from sql.warehouse import published_path

    settings = load_settings(config, warehouse=warehouse)
    given = {k: v for k, v in options.items() if v is not None}
    try:
        table = PainelSettings(**{**settings.painel.model_dump(), **given})
    except ValueError:
        raise ErroDeUso("--port vai de 0 a 65535.") from None
    return Painel(
        copia=published_path(settings.warehouse),
        settings=table,
        agora=lambda: now(settings.fuso),
        municipio=settings.municipio,
        segredo=os.environ.get("EMDIA_PAINEL_SEGREDO", ""),
        chave=os.environ.get("EMDIA_PAINEL_CHAVE", ""),
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
