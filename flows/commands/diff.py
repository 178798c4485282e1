"""`emdia diff`: what changed between two runs, and why it may have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(diff)


def diff(
    de: Annotated[
        str | None, Parameter(help="A primeira execução: identificador (ou seu começo) ou data AAAA-MM-DD.")
    ] = None,
    para: Annotated[str | None, Parameter(help="A segunda execução. Sem ela, a última executada.")] = None,
    /,
    *,
    warehouse: Annotated[
        Path | None,
        Parameter(help="Arquivo do banco do município; para ver uma simulação, a cópia que ela deixou."),
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    limite: Annotated[
        int, Parameter(help="Quantos achados mostrar de cada tipo; 0 mostra todos. Não vale para --json.")
    ] = 20,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Compara os achados de duas execuções: o que apareceu, o que sumiu e por quê, o que mudou.

    Sem DE, compara com a execução que a segunda substituiu na mesma data; se não há, com a da data anterior.
    """
    from checks.law.catalogue import load_catalogue
    from checks.law.reads import reads_of
    from flows.erros import ErroConhecido, ErroDeUso
    from flows.noite import raw_store_path
    from flows.settings import load_settings
    from reports.diff import diff_runs
    from reports.diff_runs import DiffError
    from reports.diff_text import diff_as_dict, render_diff
    from sql.warehouse import WarehouseError, read_warehouse

    settings = load_settings(config, warehouse=warehouse)
    reads = {}
    for check, spec in load_catalogue().items():
        found = reads_of(spec.sql, spec.exige)
        reads[check] = (found.proprios, found.todos)
    brutos = raw_store_path(settings.warehouse)
    if not brutos.is_dir():  # a simulation's copy: the files are kept beside the real one
        brutos = raw_store_path(load_settings(config).warehouse)
    try:
        with read_warehouse(settings.warehouse) as con:
            result = diff_runs(con, de, para, None if as_json or limite <= 0 else limite, reads, brutos)
    except WarehouseError as erro:
        raise ErroConhecido(str(erro)) from erro
    except DiffError as erro:
        raise ErroDeUso(str(erro)) from erro
    if as_json:
        print(json.dumps(diff_as_dict(result), default=str, ensure_ascii=False, indent=2))
    else:
        print("\n".join(render_diff(result)))
    return 0
