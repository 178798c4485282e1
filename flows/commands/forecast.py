"""`emdia forecast`: who will fall into what, and when, if nobody acts."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import date, timedelta
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

#: Days between two lines of progress.
PASSO = 30


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(forecast)


def forecast(
    *,
    days: Annotated[int, Parameter(help="Quantos dias à frente olhar.")] = 90,
    as_of: Annotated[date | None, Parameter(help="Data de partida, AAAA-MM-DD. Sem ela, a da última noite.")] = None,
    norma: Annotated[str | None, Parameter(help="Só uma norma, por exemplo 825/2021.")] = None,
    verificacao: Annotated[str | None, Parameter(help="Só uma verificação.")] = None,
    overrides: Annotated[Path | None, Parameter(help="Arquivo TOML de ajustes do município às normas.")] = None,
    warehouse: Annotated[
        Path | None, Parameter(help="Arquivo do banco do município. Sem ele, var/emdia.duckdb.")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    out: Annotated[Path | None, Parameter(help="Escreve também previsao.csv nesta pasta.")] = None,
    limite: Annotated[int, Parameter(help="Quantas linhas mostrar; 0 mostra todas. Não vale para --json.")] = 40,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Diz quem vai cair em quê, e a partir de que dia, se ninguém agir: as mesmas verificações, em datas futuras."""
    from checks.law.catalogue import load_catalogue
    from data.errors import NormError
    from data.loader import load_norms
    from flows.erros import ErroConhecido, ErroDeUso
    from flows.settings import load_settings
    from reports.forecast import forecast as ask
    from reports.forecast_text import render_forecast, write_csv
    from sql.warehouse import WarehouseError, read_warehouse

    if days < 1:
        raise ErroDeUso("--days pede ao menos 1 dia.")
    settings = load_settings(config, warehouse=warehouse, overrides=overrides)
    catalogue = load_catalogue()
    if verificacao is not None:
        if verificacao not in catalogue:
            raise ErroDeUso(f"verificação desconhecida: {verificacao}. Veja as que há com emdia norms coverage.")
        catalogue = {verificacao: catalogue[verificacao]}
    try:
        norms = load_norms(settings.norm_roots(), settings.overrides)
        if norma is not None:
            norms = tuple(n for n in norms if n.id == norma)
            if not norms:
                raise ErroDeUso(f"norma desconhecida: {norma}.")
        with read_warehouse(settings.warehouse) as con:
            last = con.execute("select max(as_of) from ultima_execucao").fetchall()[0][0]
        start = as_of or last
        if start is None:
            raise ErroConhecido("o banco ainda não tem noite nenhuma: rode emdia run antes de prever.")
        result = ask(settings.warehouse, norms, catalogue, start, days, on_date=Andamento(start, days))
    except NormError as erro:
        raise ErroDeUso(str(erro)) from erro
    except WarehouseError as erro:
        raise ErroConhecido(str(erro)) from erro
    if out is not None:
        write_csv(result, out)
    if as_json:
        print(json.dumps(asdict(result), default=str, ensure_ascii=False, indent=2))
    else:
        print("\n".join(render_forecast(result, limite)))
    return 1 if result.falhas else 0


class Andamento:
    """Where it is, on the error output: a long question must not look like a hung one.

    The days between two dates are asked after the second: only what is further ahead is told, month by month.
    """

    def __init__(self, start: date, days: int) -> None:
        self._ate = start + timedelta(days=days)
        self._dito = start - timedelta(days=PASSO)

    def __call__(self, day: date) -> None:
        """A date is about to be asked."""
        if day < self._ate and day - self._dito < timedelta(days=PASSO):
            return
        if day > self._dito:
            self._dito = day
            print(f"perguntando como será {day:%d/%m/%Y} (até {self._ate:%d/%m/%Y})", file=sys.stderr, flush=True)
