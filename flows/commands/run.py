"""`emdia run`: the nightly job, on Prefect or, with `--direct`, without it."""

from __future__ import annotations

import json
import os
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from flows.noite import RunRequest
    from flows.progresso import Progresso
    from flows.settings import Settings
    from reports.resumo import Resumo

PRIMEIRO_ANO = 1950  # an extract may carry no earlier date
ANOS_ADIANTE = 50  # nor a later one


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(run)


def run(
    *,
    extracts: Annotated[
        Path | None, Parameter(help="Pasta com os extratos do dia (uma fotografia do cadastro).")
    ] = None,
    as_of: Annotated[
        date | None,
        Parameter(help="Data de referência, AAAA-MM-DD: nada posterior a ela é visto. Sem ela, hoje no município."),
    ] = None,
    warehouse: Annotated[
        Path | None, Parameter(help="Arquivo do banco do município. Sem ele, var/emdia.duckdb.")
    ] = None,
    out: Annotated[Path | None, Parameter(help="Pasta dos resultados. Sem ela, saida.")] = None,
    overrides: Annotated[
        Path | None, Parameter(help="Arquivo TOML com parâmetros do município e o ato que os fundamenta.")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    direct: Annotated[
        bool,
        Parameter(negative=(), help="Executa as mesmas etapas sem o Prefect; os resultados são os mesmos."),
    ] = False,
    dry_run: Annotated[
        bool, Parameter(negative=(), help="Simula sobre uma cópia do banco: nada do que vale é alterado.")
    ] = False,
    esperar: Annotated[float, Parameter(help="Segundos a esperar se outra execução estiver usando o banco.")] = 0,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve o resumo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Executa a noite: lê os extratos, aplica as normas, publica os achados.

    Códigos de saída: 0 concluída; 1 falhou; 2 uso errado;
    3 concluída, mas um extrato foi recusado ou está defasado.
    """
    from flows.noite import RunRequest
    from flows.progresso import Progresso
    from flows.relogio import today
    from flows.settings import load_settings

    settings = load_settings(config, extracts=extracts, warehouse=warehouse, out=out, overrides=overrides)
    hoje = today(settings.fuso)
    noite = as_of or hoje
    _refuse_far_dates(noite, hoje)
    pasta = _checked_paths(settings)
    if noite > hoje and not dry_run:
        print(
            f"Atenção: {noite:%d/%m/%Y} ainda não chegou. A resposta é o que estará irregular até lá se ninguém agir,"
            " e fica no banco como a noite dessa data; para só olhar, use --dry-run ou emdia forecast.",
            file=sys.stderr,
        )
    request = RunRequest(
        extracts=pasta,
        as_of=noite,
        warehouse=settings.warehouse,
        out=settings.out,
        settings=settings,
        overrides=settings.overrides,
        dry_run=dry_run,
        esperar=esperar,
        config=config,
    )
    with Progresso(sys.stderr) as progresso:
        resumo = _direct(request, progresso) if direct else _on_prefect(request, config, progresso)
    if as_json:
        print(json.dumps(resumo.as_dict(), default=str, ensure_ascii=False, indent=2))
    else:
        from reports.console import render_summary

        print("\n".join(render_summary(resumo)))
    return resumo.codigo_saida


def _refuse_far_dates(noite: date, hoje: date) -> None:
    """A year mistyped: before any date an extract may carry, or as far ahead as one may."""
    from flows.erros import ErroDeUso

    if not PRIMEIRO_ANO <= noite.year <= hoje.year + ANOS_ADIANTE:
        raise ErroDeUso(
            f"--as-of {noite:%Y-%m-%d}: confira o ano, que vai de {PRIMEIRO_ANO} a {hoje.year + ANOS_ADIANTE}."
        )


def _checked_paths(settings: Settings) -> Path:
    """The folder of extracts; an `ErroDeUso` where a path can't serve, before the night starts."""
    from flows.erros import ErroDeUso
    from reports.sistema import os_reason

    pasta, ajustes = settings.extracts, settings.overrides
    if pasta is None:
        raise ErroDeUso("diga a pasta dos extratos: --extracts PASTA (ou EMDIA_EXTRACTS).")
    if not pasta.is_dir():
        if pasta.exists():
            raise ErroDeUso(f"{pasta} não é uma pasta: --extracts pede a pasta em que estão todos os extratos.")
        raise ErroDeUso(f"a pasta de extratos não existe: {pasta}. Confira o caminho de --extracts.")
    if ajustes is not None and not ajustes.is_file():
        raise ErroDeUso(f"o arquivo de parâmetros não existe: {ajustes}. Corrija --overrides ou a configuração.")
    try:
        settings.out.mkdir(parents=True, exist_ok=True)
    except OSError as erro:
        raise ErroDeUso(
            f"não é possível criar a pasta dos resultados, {settings.out}: {os_reason(erro)}. Indique outra com --out."
        ) from None
    if not os.access(settings.out, os.W_OK):
        raise ErroDeUso(f"sem permissão de escrita na pasta dos resultados, {settings.out}. Indique outra com --out.")
    return pasta


def _direct(request: RunRequest, progresso: Progresso) -> Resumo:
    from flows.steps import run_nightly
    from flows.telemetry import silence

    silence()
    return run_nightly(request, on_step=progresso)


def _on_prefect(request: RunRequest, config: Path | None, progresso: Progresso) -> Resumo:
    from flows.embutido import run_flow

    return run_flow(request, config, progresso)
