"""`emdia prontuario`: one page per operator."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(prontuario)


def prontuario(
    permissionario_id: Annotated[str, Parameter(help="Identificador do permissionário.")],
    /,
    *,
    html: Annotated[bool, Parameter(negative=(), help="Escreve a página para imprimir, prontuario-ID.html.")] = False,
    out: Annotated[Path | None, Parameter(help="Pasta da página. Sem ela, saida.")] = None,
    warehouse: Annotated[
        Path | None, Parameter(help="Arquivo do banco do município. Sem ele, var/emdia.duckdb.")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Mostra o prontuário de um permissionário: títulos, frota, pessoal, autos, pontos e prazos."""
    import re

    from flows.erros import ErroConhecido, ErroDeUso
    from flows.settings import load_settings
    from reports.dicas import shown
    from reports.prontuario import ProntuarioError, render_html, render_text
    from reports.prontuario import prontuario as gather
    from sql.warehouse import WarehouseError, read_warehouse

    settings = load_settings(config, warehouse=warehouse, out=out)
    try:
        with read_warehouse(settings.warehouse) as con:
            page = gather(con, permissionario_id)
    except WarehouseError as erro:
        raise ErroConhecido(str(erro)) from erro
    except ProntuarioError as erro:
        raise ErroDeUso(str(erro)) from erro
    if as_json:
        print(json.dumps(asdict(page), default=str, ensure_ascii=False, indent=2))
    elif html:
        settings.out.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]", "_", permissionario_id)
        path = settings.out / f"prontuario-{name}.html"
        path.write_text(render_html(page), encoding="utf-8")
        print(shown(path))
    else:
        print(render_text(page), end="")
    return 0
