"""Run the nightly job on a bench folder and keep what each step, part and check cost."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from flows.medida import Medida
from flows.settings import Settings

if TYPE_CHECKING:
    import duckdb

    from flows.noite import OnStep
    from reports.resumo import Resumo

POINTS_CHECK = "pontos_cassacao"
NIGHTLY = (
    "alvara_vencido",
    "renovacao_pre_detran",
    "veiculo_acima_da_idade",
    "declaracao_substituicao",
    "substituicao_vencida",
    "multa_vencida",
    POINTS_CHECK,
)
READING = ("ingerir",)
CHECKING = ("registro", "fatos", "verificacoes")


@dataclass(frozen=True)
class Custo:
    """One line of the report. `linhas` are the rows it had to look at; `pico_mb` peak resident memory, or None."""

    nome: str
    titulo: str
    segundos: float
    linhas: int | None
    pico_mb: float | None

    @property
    def por_segundo(self) -> float | None:
        """Rows per second."""
        return self.linhas / self.segundos if self.linhas and self.segundos > 0 else None


@dataclass(frozen=True)
class Medidas:
    """The night in figures: its steps, the parts of steps, and its checks."""

    etapas: list[Custo]
    partes: list[Custo]
    verificacoes: list[Custo]

    def step(self, *names: str) -> float:
        """Seconds of the steps of those names."""
        return sum(e.segundos for e in self.etapas if e.nome in names)

    def part(self, *starts: str) -> float:
        """Seconds of the parts whose names start so."""
        return sum(p.segundos for p in self.partes if p.nome.startswith(starts))

    def check(self, *names: str) -> float:
        """Seconds of the checks of those names."""
        return sum(v.segundos for v in self.verificacoes if v.nome in names)

    @property
    def checks(self) -> float:
        """Seconds of all checks."""
        return sum(v.segundos for v in self.verificacoes)

    @property
    def total(self) -> float:
        """Seconds of all steps."""
        return sum(e.segundos for e in self.etapas)

    @property
    def points(self) -> float:
        """Seconds of the points family: its facts and its check."""
        return self.part("fatos/pontos/") + self.check(POINTS_CHECK)

    @property
    def family(self) -> float:
        """Seconds of registry, status, due dates and the seven nightly checks (the legal calendar left out)."""
        return self.part("registro/") + self.step("fatos") - self.part(*of_others()) + self.check(*NIGHTLY)

    @property
    def catalogue(self) -> float:
        """Seconds of registry, facts and every check: what the whole catalogue costs."""
        return self.part("registro/") + self.step("fatos", "verificacoes")

    @property
    def peak_mb(self) -> float:
        """Highest resident memory of the night, in MiB."""
        return max((e.pico_mb or 0.0) for e in self.etapas)


def of_others() -> tuple[str, ...]:
    """The files of facts that only the checks beyond those seven read."""
    from checks.law.catalogue import load_catalogue
    from sql.lineage import files_read, layer_files

    catalogue = load_catalogue()
    read = files_read(catalogue[name].sql for name in NIGHTLY)
    return tuple(file for file in layer_files("fatos") if file not in read)


def run_bench_night(
    extracts: Path, as_of: date, work: Path, settings: Settings, on_step: OnStep | None = None
) -> tuple[Resumo, Path]:
    """Run the night on an empty warehouse under `work`; returns its summary and the warehouse."""
    from flows.noite import RunRequest
    from flows.steps import run_nightly
    from flows.telemetry import silence

    silence()
    if work.exists():
        shutil.rmtree(work)
    work.mkdir(parents=True)
    warehouse = work / "emdia.duckdb"
    settings = settings.model_copy(update={"warehouse": warehouse, "out": work / "saida"})
    request = RunRequest(extracts=extracts, as_of=as_of, warehouse=warehouse, out=work / "saida", settings=settings)
    return run_nightly(request, on_step=on_step), warehouse


def measure(resumo: Resumo, con: duckdb.DuckDBPyConnection, as_of: date) -> Medidas:
    """The costs of a finished night. Each check is run once more alone, for the memory it needs by itself."""
    from checks.law.catalogue import load_catalogue
    from checks.law.engine import run_checks
    from checks.law.parameters import parameter_rows
    from data.loader import load_norms

    etapas = [Custo(e.nome, e.titulo, e.segundos, e.linhas, e.pico_mb) for e in resumo.etapas]
    partes = [
        Custo(f"{e.nome}/{name}", name, seconds, None, None)
        for e in resumo.etapas
        if e.nome != "verificacoes"
        for name, seconds in e.partes.items()
    ]
    catalogue = load_catalogue()
    parameters = parameter_rows(load_norms(catalogue=catalogue), catalogue, as_of)
    seconds_of = next((e.partes for e in resumo.etapas if e.nome == "verificacoes"), {})
    verificacoes = []
    con.execute("set variable as_of = $as_of", {"as_of": as_of})  # the views of the registry look at it
    for name, seconds in seconds_of.items():
        spec = catalogue[name]
        with Medida() as m:
            run_checks(con, {name: spec}, parameters, as_of)
        verificacoes.append(Custo(name, spec.titulo, seconds, _rows_of(con, spec.exige), m.pico_mb))
    return Medidas(etapas, partes, verificacoes)


def _rows_of(con: duckdb.DuckDBPyConnection, needs: tuple[str, ...] | list[str]) -> int | None:
    """Rows of the first extract a check needs: what it has to look at."""
    if not needs:
        return None
    extract = needs[0].split(".")[0]
    return int(con.execute(f'select count(*) from extrato."{extract}"').fetchall()[0][0])
