"""`emdia escalate`: the lists of acts that wait for each authority, as files and, with `--send`, by mail."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(escalate)


def escalate(
    *,
    as_of: Annotated[date | None, Parameter(help="Data de referência, AAAA-MM-DD. Sem ela, a da última noite.")] = None,
    warehouse: Annotated[
        Path | None, Parameter(help="Arquivo do banco do município. Sem ele, var/emdia.duckdb.")
    ] = None,
    out: Annotated[
        Path | None, Parameter(help="Pasta dos resultados: as listas vão para a subpasta escalada. Sem ela, saida.")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    send: Annotated[
        bool, Parameter(negative=(), help="Envia às autoridades que têm endereço na configuração.")
    ] = False,
    esperar: Annotated[float, Parameter(help="Segundos a esperar se outro envio estiver em curso.")] = 0,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve o resultado em JSON na saída padrão.")
    ] = False,
) -> int:
    """Escreve as listas dos atos que esperam cada autoridade: uma planilha e uma mensagem por norma e autoridade.

    O que depende de extrato defasado fica bloqueado, e a lista diz isso. Sem --send, nada é enviado.
    """
    from flows.escalada import escalate as run
    from flows.settings import load_settings
    from notices.escalate.report import render_lists

    settings = load_settings(config, warehouse=warehouse, out=out)
    feito = run(settings, as_of=as_of, send=send, esperar=esperar)
    print(render_lists(feito.listas, feito.pasta, as_json=as_json))
    if feito.entrega is not None and not as_json:
        from notices.delivery.status import render_report

        print("\n".join(render_report(feito.entrega)))
    return feito.entrega.codigo_saida if feito.entrega is not None else 0
