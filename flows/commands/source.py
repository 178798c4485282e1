"""`emdia source check`: files looked at before anybody drops them in the folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from checks.extracts.check_file import FileReport
    from checks.warehouse.limits import CargaAnterior
    from reports.conferencia import Exigidas

app = App(name="source", help="Confere arquivos de extrato antes da noite.")


@app.command
def check(
    *arquivos: Annotated[
        Path, Parameter(help="Os arquivos de extrato (.csv, .parquet ou .xlsx), ou a pasta em que estão.")
    ],
    as_of: Annotated[date | None, Parameter(help="Data de referência, AAAA-MM-DD. Sem ela, hoje no município.")] = None,
    warehouse: Annotated[
        Path | None, Parameter(help="Arquivo do banco: compara também com a última carga aceita. Sem ele, não compara.")
    ] = None,
    config: Annotated[Path | None, Parameter(help="Arquivo TOML com a configuração do município.")] = None,
    as_json: Annotated[
        bool,
        Parameter(name="--json", negative=(), help="Escreve tudo em JSON na saída padrão (de vários, uma lista)."),
    ] = False,
) -> int:
    """Lê arquivos como a noite os leria e diz o que há de errado neles, sem gravar nada.

    Cada extrato é visto por si: o que liga um a outro, só a noite confere.
    Termina com 0 se todos seriam aceitos e 3 se algum seria recusado.
    """
    from checks.extracts.check_file import check_files
    from checks.extracts.model import Limits
    from checks.law.catalogue import load_catalogue
    from checks.law.needs import checks_by_column
    from checks.warehouse.gate import GateConfigError
    from data.errors import NormError
    from data.loader import load_norms
    from flows.erros import ErroDeUso
    from flows.relogio import today
    from flows.settings import load_settings
    from reports.conferencia import render_check

    settings = load_settings(config)
    listados, fora = _listed(arquivos)
    try:
        normas = load_norms(settings.norm_roots())
        dia = as_of or today(settings.fuso)
        reports = check_files(
            listados,
            dia,
            frozenset(n.id for n in normas),
            settings.portao,
            _previous(warehouse, dia) if warehouse else None,
            Limits(settings.max_rejeitos, settings.min_rejeitos),
            frozenset(n.id for n in normas if n.header(dia)),
        )
    except FileNotFoundError as erro:
        raise ErroDeUso(f"{erro.args[0]} não existe ou não é um arquivo.") from None
    except (NormError, GateConfigError) as erro:
        raise ErroDeUso(str(erro)) from erro
    exigidas = checks_by_column(normas, load_catalogue(), dia)
    for nome in fora:
        print(f"{nome}: não é lido pela noite; o nome não é de nenhum extrato.", file=sys.stderr)
    if as_json:
        varios = len(reports) != 1 or any(a.is_dir() for a in arquivos)
        itens = [_as_dict(report, exigidas) for report in reports]
        print(json.dumps(itens if varios else itens[0], default=str, ensure_ascii=False, indent=2))
    else:
        print("\n\n".join("\n".join(render_check(report, exigidas)) for report in reports))
    return 0 if all(report.ok for report in reports) else 3


def _listed(arquivos: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The files to look at, a folder's in its place, and the names in a folder that are no extract's."""
    from checks.extracts.contracts import contracts
    from checks.extracts.files import list_folder
    from flows.erros import ErroDeUso

    if not arquivos:
        raise ErroDeUso("diga o arquivo ou a pasta a conferir: emdia source check ARQUIVO.")
    listados: list[Path] = []
    fora: list[str] = []
    for arquivo in arquivos:
        if not arquivo.is_dir():
            listados.append(arquivo)
            continue
        pasta = list_folder(arquivo, contracts())
        if not pasta.by_extract:
            raise ErroDeUso(f"a pasta {arquivo} não tem nenhum arquivo de extrato.")
        listados += [path for paths in pasta.by_extract.values() for path in paths]
        fora += pasta.unmatched
    return listados, fora


def _as_dict(report: FileReport, exigidas: Exigidas) -> dict[str, object]:
    from reports.conferencia import missing

    needed, assumed, _ = missing(report, exigidas)
    return {
        **asdict(report),
        "aceito": report.ok,
        "ausentes_exigidas": needed if report.ok else {},
        "ausentes_com_padrao": assumed if report.ok else {},
    }


def _previous(warehouse: Path, dia: date) -> dict[str, CargaAnterior]:
    """The last accepted loads that the warehouse remembers."""
    from checks.warehouse.previous import load_previous
    from flows.erros import ErroConhecido
    from sql.warehouse import WarehouseError, read_warehouse

    try:
        with read_warehouse(warehouse) as con:
            return load_previous(con, dia)
    except WarehouseError as erro:
        raise ErroConhecido(str(erro)) from erro
