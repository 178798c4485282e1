"""`emdia serve`: the schedules, on one machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(serve)


def serve(
    *,
    config: Annotated[
        list[Path] | None,
        Parameter(help="Configuração TOML de um município; repita para servir vários.", negative=()),
    ] = None,
    extracts: Annotated[Path | None, Parameter(help="Pasta em que os extratos do dia são deixados.")] = None,
    warehouse: Annotated[Path | None, Parameter(help="Arquivo do banco do município.")] = None,
    out: Annotated[Path | None, Parameter(help="Pasta dos resultados.")] = None,
    agenda: Annotated[
        str | None, Parameter(help="Expressão cron no fuso do município. Sem ela, todo dia às 02:00.")
    ] = None,
    porta: Annotated[int, Parameter(help="Porta local da interface do Prefect.")] = 4200,
) -> int:
    """Mantém as agendas vivas nesta máquina, com a interface do Prefect em 127.0.0.1.

    Fica em execução até Ctrl-C ou SIGTERM. Usa o servidor de PREFECT_API_URL, se houver; senão inicia um.
    """
    from flows.erros import ErroDeUso
    from flows.servico import deployment_name, serve_schedules
    from flows.settings import load_settings

    dados = {"extracts": extracts, "warehouse": warehouse, "out": out}
    if config and len(config) > 1 and any(dados.values()):
        raise ErroDeUso("com mais de um --config, os caminhos vêm de cada arquivo, não da linha de comando.")
    arquivos: list[Path | None] = [*config] if config else [None]
    municipios = [(arquivo, load_settings(arquivo, **dados)) for arquivo in arquivos]
    nomes = [deployment_name(s) for _, s in municipios]
    if len(set(nomes)) < len(nomes):
        raise ErroDeUso("dois municípios com o mesmo nome e banco: dê a cada configuração um `municipio` próprio.")
    serve_schedules(municipios, porta, agenda, lambda texto: print(texto, flush=True))
    return 0
