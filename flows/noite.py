"""One night: what is asked, what it leaves, and how its steps follow one another.

The same driver serves `--direct` and the Prefect flow. They differ only in `call`: never in results.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from flows.medida import Medida
from flows.relogio import now
from flows.settings import Settings
from flows.trava import lock
from reports.dicas import command, shown
from reports.formats import mask_cpfs
from reports.resumo import Etapa, Resumo
from reports.sistema import os_reason

if TYPE_CHECKING:
    import duckdb

    from checks.extracts.ingest import IngestResult
    from checks.law.catalogue import CheckSpec
    from checks.law.findings import ParameterRow
    from data.model import Norm
    from sql.layers import Step

COMODOS = {"flows", "checks", "sql", "data", "reports", "notices", "dashboard"}

log = logging.getLogger("emdia.noite")


@dataclass(frozen=True)
class RunRequest:
    """What to run: the folder, the date, the warehouse, where results go.

    `esperar` is how many seconds to wait for another run to leave the warehouse.
    `dry_run` works on a copy of the warehouse and publishes nothing.
    """

    extracts: Path
    as_of: date
    warehouse: Path
    out: Path
    settings: Settings
    overrides: Path | None = None
    dry_run: bool = False
    esperar: float = 0
    #: The settings file the run was asked with: to say how to run it again.
    config: Path | None = None

    @property
    def destino(self) -> Path:
        """Where results go: a simulation keeps to its own folder."""
        return self.out / "simulacao" if self.dry_run else self.out

    @property
    def comando(self) -> str:
        """The command line that runs the same night again."""
        args = ["run", "--extracts", shown(self.extracts), "--as-of", self.as_of.isoformat()]
        for option, path in (("--config", self.config), ("--overrides", self.overrides)):
            args += [option, shown(path)] if path else []
        if self.out.absolute() != Path("saida").absolute():
            args += ["--out", shown(self.out)]
        args += ["--dry-run"] if self.dry_run else []
        return command(*args, warehouse=self.warehouse)


def raw_store_path(warehouse: Path) -> Path:
    """Where the raw files of a municipality are kept."""
    return Path(f"{warehouse}.bruto")


@dataclass
class Noite:
    """The state the steps hand on: each reads what the earlier ones left and adds its own."""

    request: RunRequest
    resumo: Resumo
    inicio: datetime
    warehouse: Path
    con: duckdb.DuckDBPyConnection | None = None
    catalogo: Mapping[str, CheckSpec] = field(default_factory=dict)
    normas: Sequence[Norm] = ()
    parametros: Mapping[str, Sequence[ParameterRow]] = field(default_factory=dict)
    impressoes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    ingestao: IngestResult | None = None
    partes: list[Step] = field(default_factory=list)
    registrada: bool = False
    ouvinte: Callable[[str], None] = lambda _: None

    @property
    def db(self) -> duckdb.DuckDBPyConnection:
        """The open connection; steps after `abrir` may rely on it."""
        assert self.con is not None, "the warehouse is not open"
        return self.con

    def detalhar(self, texto: str) -> None:
        """What the step under way is at."""
        self.ouvinte(texto)

    def avisar(self, texto: str) -> None:
        """Something a person should look at; the run goes on."""
        self.resumo.avisos.append(texto)

    def falhar(self, texto: str) -> None:
        """Something that makes the run a failure; the run goes on where it can."""
        self.resumo.erros.append(texto)


@dataclass(frozen=True)
class Passo:
    """One step. `fn` returns the rows it dealt with, or None.

    `unidade`: what those rows are called. `io`: worth another try. `vital`: the rest can't go on without it.
    """

    nome: str
    titulo: str
    fn: Callable[[Noite], int | None]
    io: bool = False
    vital: bool = True
    unidade: str = "linhas"


@dataclass(frozen=True)
class Evento:
    """Told to `on_step` when a step starts, on its way (`detalhe`) and when it ends (`etapa`)."""

    passo: Passo
    numero: int
    total: int
    etapa: Etapa | None = None
    detalhe: str | None = None


OnStep = Callable[[Evento], None]
Call = Callable[[Passo, Noite], "int | None"]


def run_plain(passo: Passo, noite: Noite) -> int | None:
    """Run one step here and now."""
    return passo.fn(noite)


def run_steps(
    request: RunRequest,
    passos: Sequence[Passo],
    on_step: OnStep | None = None,
    call: Call = run_plain,
    encerrar: Callable[[Noite], None] = lambda _: None,
) -> Resumo:
    """Run the steps in order under the warehouse's lock; the exit code is in the summary.

    A vital step that fails ends the night; another one is reported and the next ones go on. `encerrar` is
    called at the end, however it ended (interrupted too), while the warehouse is still open.
    Raises `OutraExecucao` when another run holds the warehouse.
    """
    resumo = Resumo(request.as_of, str(request.extracts), str(request.warehouse), simulacao=request.dry_run)
    noite = Noite(request, resumo, now(request.settings.fuso), request.warehouse)
    avisar = on_step or (lambda _: None)
    with lock(request.warehouse, request.esperar):
        try:
            for numero, passo in enumerate(passos, 1):
                evento = Evento(passo, numero, len(passos))
                noite.ouvinte = partial(_tell, avisar, evento)
                avisar(evento)
                etapa = _run_one(passo, noite, call)
                resumo.etapas.append(etapa)
                avisar(replace(evento, etapa=etapa))
                if etapa.erro and passo.vital:
                    break
            resumo.codigo_saida = exit_code(resumo)
            encerrar(noite)
        except BaseException as erro:
            # Ctrl-C, SIGTERM, or the record itself could not be written: it must be told all the same.
            interrompida = isinstance(erro, KeyboardInterrupt | SystemExit)
            noite.falhar("a execução foi interrompida" if interrompida else f"registro da noite: {explain(erro)}")
            resumo.codigo_saida = 1
            with suppress(Exception):
                encerrar(noite)
            raise
        finally:
            if noite.con is not None:
                noite.con.close()
    return resumo


def _tell(avisar: OnStep, evento: Evento, texto: str) -> None:
    avisar(replace(evento, detalhe=texto))


def _run_one(passo: Passo, noite: Noite, call: Call) -> Etapa:
    linhas, erro = None, None
    noite.partes = []
    with Medida() as medida:
        try:
            linhas = call(passo, noite)
        except Exception as e:
            # In the log, the exception's name alone: its text may quote a row of the registry.
            log.error("etapa %s falhou: %s", passo.nome, type(e).__name__)
            log.debug("detalhe", exc_info=True)
            erro = explain(e)
    if erro:
        noite.falhar(f"{passo.titulo}: {erro}")
    else:
        log.info("etapa %s: %s linhas em %.2f s", passo.nome, linhas, medida.segundos)
    return Etapa(
        passo.nome,
        passo.titulo,
        round(medida.segundos, 3),
        linhas,
        round(medida.pico_mb, 1),
        "falhou" if erro else "ok",
        erro,
        {p.name: round(p.seconds, 4) for p in noite.partes},
    )


def explain(erro: BaseException) -> str:
    """What a person reads of an exception: our own are written for people, others come with their name."""
    if is_ours(erro):
        return str(erro)
    if isinstance(erro, OSError):
        where = f" ({erro.filename})" if erro.filename else ""
        return mask_cpfs(f"o sistema recusou uma leitura ou escrita{where}: {os_reason(erro)}")
    return mask_cpfs(f"{type(erro).__name__}: {erro}")


def is_ours(erro: BaseException) -> bool:
    """Whether the exception is the product's own, with a message meant to be read."""
    return type(erro).__module__.split(".")[0] in COMODOS


def exit_code(resumo: Resumo) -> int:
    """1 when anything failed, else 3 when an extract was refused or is stale, else 0."""
    if resumo.erros:
        return 1
    return 3 if any(c.situacao in ("recusado", "defasado") for c in resumo.cargas) else 0
