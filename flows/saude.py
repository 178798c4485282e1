"""What `emdia doctor` asks: can tonight's run work on this machine? Each question answers for itself."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

from flows.erros import OutraExecucao
from flows.noite import explain, raw_store_path
from flows.settings import Settings
from flows.telemetry import SILENCIO
from flows.trava import lock
from reports.formats import date_br, int_br

Situacao = Literal["ok", "aviso", "erro"]
LIVRE_MINIMO = 2**30  # bytes: room for the warehouse to grow in one night


@dataclass(frozen=True)
class Exame:
    """One answer: what was looked at, how it is, and what to do where it isn't well."""

    nome: str
    situacao: Situacao
    detalhe: str


Pergunta = Callable[[Settings, date], Iterator[Exame]]


def examine(settings: Settings, hoje: date) -> list[Exame]:
    """Every question, in order; one that breaks is an answer too."""
    respostas: list[Exame] = []
    for pergunta in PERGUNTAS:
        try:
            respostas += pergunta(settings, hoje)
        except Exception as erro:
            nome = (pergunta.__doc__ or pergunta.__name__).strip().rstrip(".")
            respostas.append(Exame(nome, "erro", explain(erro)))
    return respostas


def _python(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Python."""
    atual = ".".join(map(str, sys.version_info[:3]))
    serve = sys.version_info >= (3, 11)
    yield Exame("Python", "ok" if serve else "erro", atual if serve else f"{atual}: é preciso 3.11 ou mais novo")


def _pacotes(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Pacotes."""
    from packaging.requirements import Requirement

    faltam, total = [], 0
    for texto in requires("emdia") or []:
        exigido = Requirement(texto)
        total += 1
        try:
            instalado = version(exigido.name)
        except PackageNotFoundError:
            faltam.append(f"{exigido.name} (não instalado)")
            continue
        if not exigido.specifier.contains(instalado, prereleases=True):
            faltam.append(f"{exigido.name} {instalado} (exigido {exigido.specifier})")
    if faltam:
        yield Exame("Pacotes", "erro", f"{', '.join(faltam)}. Rode bin/emdia, que refaz o ambiente.")
    else:
        yield Exame("Pacotes", "ok", f"{total} dependências diretas nas versões exigidas")


def _fuso(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Fuso horário."""
    yield Exame("Fuso horário", "ok", f"{settings.fuso}: hoje é {date_br(hoje)}")


def _disco(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Disco."""
    for nome, caminho in (
        ("Disco do banco", settings.warehouse.parent),
        ("Disco dos resultados", settings.out),
    ):
        existente = _existing(caminho)
        if not os.access(existente, os.W_OK):
            yield Exame(nome, "erro", f"sem permissão de escrita em {existente}")
            continue
        livre = shutil.disk_usage(existente).free
        banco = settings.warehouse.stat().st_size if settings.warehouse.is_file() else 0
        preciso = max(LIVRE_MINIMO, 2 * banco)
        texto = f"{int_br(livre // 2**20)} MB livres em {existente}"
        if livre < preciso:
            texto += f"; convém ter {int_br(preciso // 2**20)} MB (o banco e a cópia publicada)"
        yield Exame(nome, "ok" if livre >= preciso else "aviso", texto)


def _existing(caminho: Path) -> Path:
    caminho = caminho.absolute()
    while not caminho.exists():
        caminho = caminho.parent
    return caminho


def _banco(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Banco."""
    from sql.warehouse import WarehouseBusy, WarehouseError, open_warehouse, published_path

    banco = settings.warehouse
    if not banco.exists():
        yield Exame("Banco", "aviso", f"{banco} ainda não existe; a primeira noite o cria")
        return
    try:
        with lock(banco):
            con = open_warehouse(banco, settings.memoria, settings.threads)
            try:
                linhas = con.execute("select count(*), max(as_of) from execucao_vigente").fetchall()
            finally:
                con.close()
    except (OutraExecucao, WarehouseBusy) as erro:
        yield Exame("Banco", "aviso", str(erro))
        return
    except WarehouseError as erro:
        yield Exame("Banco", "erro", str(erro))
        return
    noites, ultima = linhas[0]
    texto = f"{banco}: {int_br(noites)} noites" + (f", a última de {date_br(ultima)}" if ultima else "")
    yield Exame("Banco", "ok", texto)
    publicado = published_path(banco)
    if publicado.exists():
        yield Exame("Cópia publicada", "ok", f"{publicado}, {int_br(publicado.stat().st_size // 2**20)} MB")
    elif noites:
        yield Exame("Cópia publicada", "aviso", f"falta {publicado}: o painel não tem o que mostrar")


def _prefect(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Prefect."""
    import urllib.request

    casa = Path(os.environ.get("PREFECT_HOME") or settings.home())
    url = os.environ.get("PREFECT_API_URL") or settings.prefect_api_url
    if not url:
        yield Exame("Prefect", "ok", f"servidor embutido, dados em {casa}")
    else:
        try:
            with urllib.request.urlopen(f"{url.rstrip('/')}/health", timeout=5):
                yield Exame("Prefect", "ok", f"servidor em {url}, dados em {casa}")
        except OSError as erro:
            yield Exame("Prefect", "erro", f"{url} não responde ({erro}). Inicie o servidor ou use --direct.")
    yield Exame("Telemetria", "ok", f"desligada em toda execução ({', '.join(SILENCIO)})")


def _normas(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Normas."""
    from checks.law.catalogue import load_catalogue
    from checks.law.parameters import parameter_rows
    from data.loader import load_norms

    catalogo = load_catalogue()
    normas = load_norms(settings.norm_roots(), settings.overrides, catalogue=catalogo)
    linhas = parameter_rows(normas, catalogo, hoje)
    pares = sum(map(len, linhas.values()))
    texto = f"{', '.join(n.id for n in normas)}; {len(catalogo)} verificações, {pares} aplicações em vigor hoje"
    yield Exame("Normas", "ok", texto)
    if settings.overrides:
        yield Exame("Parâmetros próprios", "ok", f"{settings.overrides}")


def _calendario(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Calendário."""
    from data.holidays import holiday_rows

    feriados = list(holiday_rows(hoje.year, hoje.year))
    nacionais = sum(1 for linha in feriados if linha[2] == "nacional")
    texto = f"{nacionais} feriados nacionais e {len(feriados) - nacionais} estaduais em {hoje.year}"
    situacao: Situacao = "ok" if nacionais >= 10 else "erro"
    yield Exame("Calendário", situacao, f"{texto}; os municipais vêm do extrato feriados")


def _brutos(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Arquivos brutos."""
    raiz = raw_store_path(settings.warehouse)
    if not raiz.is_dir():
        yield Exame("Arquivos brutos", "ok", "nenhum guardado ainda")
        return
    arquivos = [p for p in raiz.glob("??/*") if p.is_file()]
    trocados = [p.name for p in arquivos if _sha256(p) != p.name]
    if trocados:
        nomes = ", ".join(nome[:12] for nome in trocados[:5])
        yield Exame(
            "Arquivos brutos",
            "erro",
            f"{len(trocados)} de {len(arquivos)} não têm mais o conteúdo com que chegaram ({nomes}...). "
            "Restaure-os da cópia de segurança: sem eles não se refaz a noite que os leu.",
        )
    else:
        yield Exame("Arquivos brutos", "ok", f"{int_br(len(arquivos))} íntegros em {raiz}")


def _sha256(arquivo: Path) -> str:
    with arquivo.open("rb") as aberto:
        return hashlib.file_digest(aberto, "sha256").hexdigest()


def _correio(settings: Settings, hoje: date) -> Iterator[Exame]:
    """Correio."""
    from notices.delivery.server import missing_settings

    envio = settings.envio
    faltam = [*([] if envio.remetente else ["envio.remetente"]), *missing_settings(os.environ)]
    if not faltam:
        yield Exame("Correio", "ok", "servidor e remetente definidos; a senha não foi lida nem testada")
    elif envio.agendado or envio.remetente:
        yield Exame("Correio", "aviso", f"para enviar avisos falta {', '.join(faltam)} (docs/avisos.md)")
    else:
        yield Exame("Correio", "ok", "não configurado: os avisos ficam em arquivos e nada é enviado (docs/avisos.md)")


PERGUNTAS: list[Pergunta] = [
    _python,
    _pacotes,
    _fuso,
    _disco,
    _banco,
    _brutos,
    _prefect,
    _normas,
    _calendario,
    _correio,
]
