"""`emdia source check`: one file looked at before anybody drops it in the folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from checks.extracts.check_file import FileReport, Problem

app = App(name="source", help="Confere arquivos de extrato antes da noite.")

NIVEIS = {"rejeitado": "linhas rejeitadas", "aviso": "aviso", "recusado": "arquivo recusado"}


@app.command
def check(
    arquivo: Annotated[Path, Parameter(help="O arquivo de extrato (.csv, .parquet ou .xlsx).")],
    /,
    *,
    as_of: Annotated[date | None, Parameter(help="Data de referência, AAAA-MM-DD. Sem ela, hoje no município.")] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Lê um arquivo como a noite o leria e diz o que há de errado nele, sem gravar nada.

    Termina com 0 se ele seria aceito e 3 se seria recusado.
    """
    from checks.extracts.check_file import check_file
    from data.errors import NormError
    from data.loader import load_norms
    from flows.erros import ErroDeUso
    from flows.relogio import today
    from flows.settings import load_settings

    settings = load_settings(config)
    try:
        normas = frozenset(n.id for n in load_norms(settings.norm_roots()))
        report = check_file(arquivo, as_of or today(settings.fuso), normas)
    except FileNotFoundError:
        raise ErroDeUso(f"{arquivo} não existe ou não é um arquivo.") from None
    except NormError as erro:
        raise ErroDeUso(str(erro)) from erro
    if as_json:
        print(json.dumps({**asdict(report), "aceito": report.ok}, default=str, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_lines(report)))
    return 0 if report.ok else 3


def _lines(report: FileReport) -> Iterator[str]:
    if report.extrato is None or report.carga is None:
        yield f"{report.arquivo}: o nome não corresponde a nenhum extrato."
        yield "  O nome do arquivo começa pelo do extrato, como autos-2026-11-30.csv."
        return
    load = report.carga
    yield f"{report.arquivo}: extrato {report.extrato}, {'seria aceito' if report.ok else 'SERIA RECUSADO'}."
    if load.motivo:
        yield f"  Motivo: {load.motivo}"
    if load.codificacao:
        yield f"  Codificação {load.codificacao}, delimitador {_delimiter(load.delimitador)}."
    yield (
        f"  {load.lidas} linhas lidas: {load.carregadas} carregadas, {load.rejeitadas} rejeitadas,"
        f" {load.duplicadas} repetidas, {load.ignoradas} ignoradas."
    )
    yield f"  Colunas: {', '.join(report.colunas) or 'nenhuma'}."
    if report.obrigatorias_ausentes:
        yield f"  Faltam colunas OBRIGATÓRIAS: {', '.join(report.obrigatorias_ausentes)}."
    if report.ausentes:
        yield f"  Não vieram (o que depende delas fica sem avaliação): {', '.join(report.ausentes)}."
    if load.colunas_desconhecidas:
        yield f"  Desconhecidas, não lidas: {', '.join(load.colunas_desconhecidas)}."
    if not report.problemas:
        yield "  Nenhum problema nas linhas."
    for problem in report.problemas:
        yield from _problem(problem)


def _problem(problem: Problem) -> Iterator[str]:
    column = f"coluna {problem.coluna}: " if problem.coluna else ""
    yield f"  {NIVEIS.get(problem.nivel, problem.nivel)} ({problem.linhas}): {column}{problem.motivo}"
    for line, value in problem.exemplos:
        where = f"linha {line}" if line is not None else "arquivo"
        yield f"      {where}: {'(vazio)' if value is None else value[:80]!r}"


def _delimiter(delimiter: str | None) -> str:
    return {"\t": "tabulação", None: "nenhum"}.get(delimiter, f"«{delimiter}»")
