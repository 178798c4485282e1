"""A municipality for the dashboard: two nights run for real, with hostile names, processes and every kind of ground."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import duckdb
from starlette.testclient import TestClient

from checks.extracts.ingest import ingest
from checks.extracts.model import IngestRequest
from checks.law.catalogue import load_catalogue
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from dashboard.app import build_app
from dashboard.config import Painel, PainelSettings
from data.loader import load_norms
from data.tables import register_norms
from reports.snapshot import publish_snapshot
from sql.acts import record_acts
from sql.calendar import build_calendar
from sql.facts import build_facts, build_registry, load_macros
from sql.ledger import RunRecord, apply_dispensas, record_run
from sql.points import build_points
from sql.warehouse import open_warehouse, published_path

NIGHTS = (date(2026, 3, 2), date(2026, 3, 9))
AS_OF = NIGHTS[-1]
HOSTILE = (
    "<script>document.title='dono'</script>",
    '=HYPERLINK("http://mau.example","clique")',
    "\u202eodaedor\u202c Ana",
    "Nome " + "comprido" * 37,
    'D\'Ávila "Aspas" & Cia',
)
#: Points of group C under 825/2021, far enough apart not to be doubled by another code.
GRAVE = ("27-I", "27-III", "28-I", "28-VII")


def _names(count: int) -> list[str]:
    return [HOSTILE[i] if i < len(HOSTILE) else f"Permissionário {i:03d}" for i in range(count)]


def _csv(columns: str, lines: Iterable[str]) -> str:
    return "\n".join([columns, *lines]) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def extracts(night: int, people: int = 24) -> dict[str, str]:
    """The folder of one night: on the second one, the vehicle of P023 was replaced and P022 is no longer there."""
    names = _names(people)
    there = [i for i in range(people) if not (night == 1 and i == 22)]
    permits = [f"A{i:03d};P{i:03d};;permissao;2025-01-10;2025-12-31" for i in there if i % 3 == 0]
    permits += [f"A{i:03d};P{i:03d};V{i:03d};alvara;2025-02-20;2026-02-20" for i in there if i % 3 == 1]
    permits += [f"A{i:03d};P{i:03d};;permissao;2026-01-05;2026-12-31" for i in there if i % 3 == 2]
    autos = [
        f"I{i:03d}{n};P{i:03d};{code};2025-12-{3 + 5 * n:02d} 08:00;2025-12-{3 + 5 * n:02d};750,00;"
        for i in there[:12]
        if i % 3 != 1
        for n, code in enumerate(GRAVE)
    ]
    autos += [f"F{i:03d};P{i:03d};AnII-20;2026-01-16 21:00;2026-01-21;574,00;2026-02-20" for i in there if i % 6 == 1]
    return {
        "permissionarios": _csv(
            "permissionario_id;norma;nome;tipo_pessoa;documento",
            [
                f"P{i:03d};{'408/2009' if i % 3 == 1 else '825/2021'};{_quoted(names[i])};PF;52998224725"
                for i in there
            ],
        ),
        "veiculos": _csv(
            "veiculo_id;permissionario_id;placa;tipo;ano_fabricacao;servico;declaracao_substituicao_em;baixado_em",
            [
                f"V{i:03d};P{i:03d};AB{chr(67 + i // 10)}{i % 10}D23;{'kombi' if i % 3 == 1 else 'motocicleta'};"
                f"{2018 if i % 5 == 0 or i == 23 else 2024};urbano;;{'2026-03-05' if night == 1 and i == 23 else ''}"
                for i in there
            ],
        ),
        "alvaras": _csv("alvara_id;permissionario_id;veiculo_id;modalidade;emitido_em;valido_ate", permits),
        "autos": _csv("auto_id;permissionario_id;codigo;ocorrido_em;ciencia_em;valor;vence_em", autos).replace(
            "vence_em\n", "vence_em;pago_em\n", 1
        ).replace("750,00;\n", "750,00;;\n").replace(";2026-02-20\n", ";2026-02-20;\n"),
        "processos": _csv(
            "processo_id;permissionario_id;ato;fundamento;instaurado_em;ciencia_em;defesa_em",
            [
                "PR0;P000;cassacao;pontos;2026-02-25;2026-02-27;",
                "PR2;P002;cassacao;pontos;2026-01-20;2026-01-22;2026-01-28",
                "PR3;P003;cassacao;denúncia do CPF 529.982.247-25;2026-03-01;;",
            ],
        ),
    }  # fmt: skip


def run_nights(folder: Path, people: int = 24) -> Path:
    """Run both nights into `folder/w.duckdb`, publish, and return the warehouse's path (closed)."""
    warehouse = folder / "w.duckdb"
    catalogue = load_catalogue()
    norms = load_norms(catalogue=catalogue)
    for index, as_of in enumerate(NIGHTS):
        source = folder / f"extratos-{index}"
        source.mkdir()
        for name, text in extracts(index, people).items():
            (source / f"{name}.csv").write_text(text, encoding="utf-8")
        with open_warehouse(warehouse) as con:
            run_night(con, catalogue, norms, source, as_of)
            publish_snapshot(con, warehouse)
            if index == 0:
                shutil.copy(published_path(warehouse), folder / "primeira.duckdb")
    return warehouse


def run_night(con: duckdb.DuckDBPyConnection, catalogue: dict, norms: Iterable, source: Path, as_of: date) -> None:
    """Every room of one night but the gate and the files."""
    load_macros(con)
    register_norms(con, norms, as_of)
    ingest(con, IngestRequest(folder=source, as_of=as_of, normas=frozenset(n.id for n in norms)))
    build_calendar(con, as_of, first_year=2015)
    for steps in (build_registry, build_facts, build_points):
        for _ in steps(con, as_of):
            pass
    con.execute("create schema if not exists resultado")
    con.execute(
        "create or replace table resultado.gate (extrato varchar, expectativa varchar, descricao varchar,"
        " severidade varchar, sucesso boolean, valor double, observado varchar, esperado varchar, detalhe varchar)"
    )
    con.execute(
        "insert into resultado.gate values ('autos', 'x', 'Os códigos existem', 'aviso', false, 1, '3', '0', '')"
    )
    run_checks(con, catalogue, parameter_rows(norms, catalogue, as_of), as_of)
    apply_dispensas(con, as_of)
    run = f"{as_of:%Y%m%d}-abc"
    record_run(
        con,
        RunRecord(
            execucao_id=run, as_of=as_of, iniciada_em=datetime(2026, 3, 2, 5, tzinfo=UTC), concluida_em=None,
            entrada_hash="e", normas_hash="n", codigo_versao="1.2.3", codigo_saida=0, parametros={},
        ),
    )  # fmt: skip
    record_acts(con, run, as_of)


def client(copia: Path, today: date = AS_OF, secret: str = "", key: str = "", **settings: object) -> TestClient:
    """A browser without a screen, on this machine, in front of the copy."""
    moment = datetime(today.year, today.month, today.day, 8, tzinfo=ZoneInfo("America/Bahia"))
    panel = Painel(copia, PainelSettings(**settings), lambda: moment, "Município de teste", secret, key)
    return TestClient(build_app(panel), base_url="http://127.0.0.1", raise_server_exceptions=False)
