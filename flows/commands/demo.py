"""`emdia demo`: a made-up municipality and its nights, from extracts to findings."""

from __future__ import annotations

import shutil
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from cyclopts.validators import Number

if TYPE_CHECKING:
    from flows.progresso import Progresso
    from flows.settings import Settings
    from reports.resumo import Resumo

MARCA = ".emdia-demo"
PASTA = Path("var/demo")


def register(app: App) -> None:
    """Add the command to `app`."""
    app.command(demo)


def demo(
    *,
    out: Annotated[Path, Parameter(help="Pasta da demonstração; o que houver de outra é refeito.")] = PASTA,
    as_of: Annotated[date | None, Parameter(help="Data da última noite, AAAA-MM-DD. Sem ela, 2026-11-30.")] = None,
    dias: Annotated[int, Parameter(help="Quantas noites seguidas.", validator=Number(gte=1, lte=30))] = 3,
    operadores: Annotated[
        int, Parameter(help="Quantos permissionários inventar.", validator=Number(gte=200, lte=100_000))
    ] = 3000,
    direct: Annotated[
        bool,
        Parameter(negative=(), help="Executa as mesmas etapas sem o Prefect; os resultados são os mesmos."),
    ] = False,
) -> int:
    """Escreve o cadastro de um município inventado e executa noites seguidas sobre ele.

    Cinco normas, alguns milhares de permissionários, três anos de história e a sujeira de extratos reais.
    A penúltima noite traz um extrato cortado ao meio, que é recusado. A mesma data dá sempre os mesmos dados.
    """
    from data.exemplo.generate import AS_OF, three_nights
    from flows.progresso import Progresso
    from flows.settings import load_settings

    _prepare(out)
    settings = load_settings(warehouse=out / "emdia.duckdb", out=out / "saida", municipio="Município de exemplo")
    resumos: list[Resumo] = []
    with Progresso(sys.stderr) as progresso:
        progresso.say("escrevendo os extratos do município inventado")
        for noite, pasta in three_nights(out / "extratos", as_of or AS_OF, operadores=operadores, dias=dias):
            progresso.say(f"noite de {noite:%d/%m/%Y}")
            resumos.append(_night(settings, noite, pasta, direct, progresso))
            if resumos[-1].codigo_saida == 1:
                break
    print("\n".join(_story(resumos, settings)))
    # The refused extract is part of the show; a failed night isn't.
    return 1 if any(r.codigo_saida == 1 for r in resumos) else 0


def _prepare(out: Path) -> None:
    """An empty folder, or an earlier demonstration's: never anybody else's."""
    from flows.erros import ErroDeUso

    if out.exists():
        if not out.is_dir() or (any(out.iterdir()) and not (out / MARCA).exists()):
            raise ErroDeUso(f"{out} já existe e não é de uma demonstração; indique outra pasta com --out.")
        for item in out.iterdir():
            if item.is_dir() and item.name != "prefect":
                shutil.rmtree(item)
            elif item.is_file():
                item.unlink()
    out.mkdir(parents=True, exist_ok=True)
    (out / MARCA).touch()


def _night(settings: Settings, noite: date, pasta: Path, direct: bool, progresso: Progresso) -> Resumo:
    from flows.noite import RunRequest

    request = RunRequest(
        extracts=pasta,
        as_of=noite,
        warehouse=settings.warehouse,
        out=settings.out / noite.isoformat(),
        settings=settings,
    )
    if direct:
        from flows.steps import run_nightly
        from flows.telemetry import silence

        silence()
        return run_nightly(request, on_step=progresso)
    from flows.embutido import run_flow

    return run_flow(request, None, progresso)


def _story(resumos: list[Resumo], settings: Settings) -> list[str]:
    """The last night's summary, the nights side by side, and what to try next."""
    from dataclasses import replace

    from reports.console import DESFECHO, format_table, render_summary
    from reports.dicas import command
    from reports.formats import date_br, int_br, seconds_br

    colunas = ("violacao", "a_vencer", "para_decisao", "nao_avaliado", "dispensado", "novos", "encerrados")
    cabecalho = (
        "noite", "violações", "a vencer", "para decisão", "não avaliado", "dispensado", "novos", "encerrados",
        "tempo", "desfecho",
    )  # fmt: skip
    corpo = [
        (
            date_br(r.as_of),
            *(int_br(r.total(c)) for c in colunas),
            seconds_br(r.segundos),
            DESFECHO.get(r.codigo_saida, "FALHOU").lower(),
        )
        for r in resumos
    ]
    linhas = [
        *render_summary(replace(resumos[-1], exemplo=None)),
        "",
        "As noites",
        *format_table(cabecalho, corpo, esquerda={0, 9}),
    ]
    linhas += ["", f"Extratos: {settings.warehouse.parent / 'extratos'}", f"Banco: {settings.warehouse}"]
    exemplo = _example(settings.warehouse)
    if exemplo:
        linhas += ["", "Para ver um achado inteiro, com as datas e as contas:"]
        linhas += [f"  {command('explain', exemplo, warehouse=settings.warehouse)}"]
    return linhas


def _example(warehouse: Path) -> str | None:
    """A finding worth telling: points, with the windows and the doubled autos; else any violation."""
    import duckdb

    from sql.warehouse import published_path

    copia = published_path(warehouse)
    if not copia.exists():
        return None
    with duckdb.connect(str(copia), read_only=True) as con:
        linhas = con.execute(
            "select achado_id from achados where situacao = 'violacao'"
            " order by verificacao = 'pontos_cassacao' desc, dias, achado_id limit 1"
        ).fetchall()
    return linhas[0][0] if linhas else None
