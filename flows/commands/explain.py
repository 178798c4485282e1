"""`emdia explain`: the whole story of one finding."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(explain)


def explain(
    achado_id: Annotated[str, Parameter(help="Identificador do achado, o começo dele, ou o identificador do sujeito.")],
    /,
    *,
    execucao: Annotated[
        str | None,
        Parameter(help="Execução (identificador ou data AAAA-MM-DD) em que procurar. Sem ela, a última."),
    ] = None,
    warehouse: Annotated[
        Path | None, Parameter(help="Arquivo do banco do município. Sem ele, var/emdia.duckdb.")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Conta a história inteira de um achado: o que a lei pede, como se contou, o que fazer, quem decide."""
    from flows.erros import ErroConhecido, ErroDeUso
    from flows.settings import load_settings
    from reports.explain import ExplainError, render_explanation
    from reports.explain import explain as gather
    from reports.explain.render import explanation_as_dict
    from sql.warehouse import WarehouseBusy, WarehouseError, published_path, read_warehouse

    settings = load_settings(config, warehouse=warehouse)
    try:
        try:
            con = read_warehouse(settings.warehouse)
        except WarehouseBusy:
            # A night is running: the copy of the last one that ended answers.
            copia = published_path(settings.warehouse)
            if not copia.exists():
                raise
            con = read_warehouse(copia)
            print(f"O banco está em uso; o que segue vem da cópia publicada {copia}.", file=sys.stderr)
        with con:
            explanation = gather(con, achado_id, execucao)
    except WarehouseError as erro:
        raise ErroConhecido(str(erro)) from erro
    except ExplainError as erro:
        raise ErroDeUso(str(erro)) from erro
    if as_json:
        print(json.dumps(explanation_as_dict(explanation), default=str, ensure_ascii=False, indent=2))
    else:
        print(render_explanation(explanation), end="")
    return 0
