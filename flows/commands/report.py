"""`emdia report --html`: the morning view as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(report)


def report(
    *,
    html: Annotated[bool, Parameter(negative=(), help="Em HTML, num só arquivo: é o único formato.")] = True,
    nomes: Annotated[
        bool,
        Parameter(negative=(), help="Com os nomes dos permissionários. Sem isto, só números, sem dados de pessoas."),
    ] = False,
    out: Annotated[
        Path | None, Parameter(help="Arquivo a escrever. Sem ele, manha.html na pasta dos resultados.")
    ] = None,
    warehouse: Annotated[
        Path | None,
        Parameter(help="Arquivo do banco do município; lê-se a cópia publicada ao lado. Sem ele, var/emdia.duckdb."),
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
) -> int:
    """Escreve a página da manhã num arquivo que se manda por e-mail ou se deixa na intranet."""
    from dashboard.conferencia import CopyProblem
    from dashboard.relatorio import write_morning
    from flows.commands.dashboard import make_panel
    from flows.erros import ErroConhecido
    from flows.settings import load_settings
    from reports.dicas import shown
    from reports.sistema import os_reason

    panel = make_panel(warehouse, config)
    target = out or load_settings(config).out / "manha.html"
    try:
        path = write_morning(panel.copia, target, panel.agora(), panel.settings, panel.municipio, nomes)
    except CopyProblem as erro:
        raise ErroConhecido(f"{erro.titulo}. {erro.instrucao}") from erro
    except OSError as erro:
        raise ErroConhecido(f"não foi possível escrever {shown(target)}: {os_reason(erro)}.") from erro
    print(shown(path))
    return 0
