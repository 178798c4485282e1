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
    from checks.warehouse.limits import CargaAnterior

app = App(name="source", help="Confere arquivos de extrato antes da noite.")

NIVEIS = {"rejeitado": ("linha rejeitada", "linhas rejeitadas"), "aviso": ("aviso", "avisos")}


@app.command
def check(
    arquivo: Annotated[Path, Parameter(help="O arquivo de extrato (.csv, .parquet ou .xlsx).")],
    /,
    *,
    as_of: Annotated[date | None, Parameter(help="Data de referência, AAAA-MM-DD. Sem ela, hoje no município.")] = None,
    warehouse: Annotated[
        Path | None, Parameter(help="Arquivo do banco: compara também com a última carga aceita. Sem ele, não compara.")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    as_json: Annotated[
        bool, Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão.")
    ] = False,
) -> int:
    """Lê um arquivo como a noite o leria e diz o que há de errado nele, sem gravar nada.

    Termina com 0 se ele seria aceito e 3 se seria recusado.
    """
    from checks.extracts.check_file import check_file
    from checks.extracts.model import Limits
    from data.errors import NormError
    from data.loader import load_norms
    from flows.erros import ErroDeUso
    from flows.relogio import today
    from flows.settings import load_settings
    from flows.telemetry import silence

    silence()
    settings = load_settings(config)
    try:
        normas = frozenset(n.id for n in load_norms(settings.norm_roots()))
        dia = as_of or today(settings.fuso)
        anterior = _previous(warehouse, dia) if warehouse else None
        limites = Limits(settings.max_rejeitos, settings.min_rejeitos)
        report = check_file(arquivo, dia, normas, settings.portao, anterior, limites)
    except FileNotFoundError:
        raise ErroDeUso(f"{arquivo} não existe ou não é um arquivo.") from None
    except NormError as erro:
        raise ErroDeUso(str(erro)) from erro
    if as_json:
        print(json.dumps({**asdict(report), "aceito": report.ok}, default=str, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_lines(report)))
    return 0 if report.ok else 3


def _previous(warehouse: Path, dia: date) -> dict[str, CargaAnterior]:
    """The last accepted loads that the warehouse remembers."""
    from checks.warehouse.gate import load_previous
    from flows.erros import ErroConhecido
    from sql.warehouse import WarehouseError, read_warehouse

    try:
        with read_warehouse(warehouse) as con:
            return load_previous(con, dia)
    except WarehouseError as erro:
        raise ErroConhecido(str(erro)) from erro


def _lines(report: FileReport) -> Iterator[str]:
    if report.extrato is None or report.carga is None:
        yield f"{report.arquivo}: o nome não corresponde a nenhum extrato."
        yield "  O nome do arquivo começa pelo do extrato, como autos-2026-11-30.csv."
        if report.sugestao:
            yield f"  {report.sugestao[0].upper()}{report.sugestao[1:]}."
        return
    load = report.carga
    yield f"{report.arquivo}: extrato {report.extrato}, {'seria aceito' if report.ok else 'SERIA RECUSADO'}."
    if load.motivo:
        yield f"  Motivo: {load.motivo}"
    if load.codificacao:
        yield f"  Codificação {load.codificacao}, delimitador {_delimiter(load.delimitador)}."
    yield (
        f"  {_count(load.lidas, 'linha lida', 'linhas lidas')}: {_count(load.carregadas, 'carregada', 'carregadas')},"
        f" {_count(load.rejeitadas, 'rejeitada', 'rejeitadas')}, {_count(load.duplicadas, 'repetida', 'repetidas')},"
        f" {_count(load.ignoradas, 'ignorada', 'ignoradas')}."
    )
    yield f"  Colunas: {', '.join(report.colunas) or 'nenhuma'}."
    optional = [name for name in report.ausentes if name not in report.obrigatorias_ausentes]
    if optional and report.ok:
        plural = "Não vieram (o que depende delas" if len(optional) > 1 else "Não veio (o que depende dela"
        yield f"  {plural} fica sem avaliação): {', '.join(optional)}."
    if load.colunas_desconhecidas:
        yield f"  Desconhecidas, não lidas: {', '.join(load.colunas_desconhecidas)}."
    # What refuses the whole file was said above, as the reason.
    problems = [p for p in report.problemas if p.nivel != "recusado"]
    if not problems and load.lidas:
        yield "  Nenhum problema nas linhas."
    for problem in problems:
        yield from _problem(problem)
    for warning in report.conferencia:
        yield f"  A conferência da carga avisaria: {warning}"


def _problem(problem: Problem) -> Iterator[str]:
    column = f"coluna {problem.coluna}: " if problem.coluna else ""
    singular, plural = NIVEIS.get(problem.nivel, (problem.nivel, problem.nivel))
    yield f"  {_count(problem.linhas, singular, plural)}: {column}{problem.motivo}"
    for line, value in problem.exemplos:
        where = f"linha {line}" if line is not None else "arquivo"
        yield f"      {where}: {'(vazio)' if value is None else value[:80]!r}"


def _count(n: int, singular: str, plural: str) -> str:
    from reports.formats import int_br

    return f"{int_br(n)} {singular if n == 1 else plural}"


def _delimiter(delimiter: str | None) -> str:
    return {"\t": "tabulação", None: "nenhum"}.get(delimiter, f"«{delimiter}»")
