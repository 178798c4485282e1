"""A small municipality for notices: real nights from a folder of extracts to the ledger, acts included."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from checks.extracts.ingest import ingest
from checks.extracts.model import IngestRequest
from checks.extracts.raw_store import RawStore
from checks.law.catalogue import load_catalogue
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from checks.law.reads import kindred, readings
from data.loader import load_norms
from data.tables import register_norms
from sql.acts import record_acts
from sql.calendar import build_calendar
from sql.cautions import record_cautions
from sql.facts import build_facts, build_registry, load_macros
from sql.ledger import RunRecord, apply_dispensas, record_run
from sql.points import build_points
from sql.warehouse import open_warehouse

AS_OF = date(2026, 11, 30)  # a Monday
NORMS = load_norms()
Row = dict[str, Any]

CPFS = ("52998224725", "11144477735", "39053344705")
HOSTILE = {
    "FORMULA": "=cmd|' /C calc'!A1",
    "LINHA": "Ana\r\nBcc: alvo@example.org\r\n\r\nTexto",
    "SCRIPT": "<script>alert(1)</script><img src=http://x.example/p.png>",
    "LONGO": "Nome " + "comprido " * 33,
    "EMOJI": "🚌 José \u200d👩‍🔧",
    "DIREITA": "\u202eoãoJ\u202c שלום",
}


@dataclass
class Folder:
    """Extracts under construction: `add` rows, `write` the folder."""

    extratos: dict[str, list[Row]] = field(default_factory=dict)

    def add(self, extrato: str, **valores: Any) -> Folder:
        """One row more."""
        self.extratos.setdefault(extrato, []).append(valores)
        return self

    def write(self, pasta: Path) -> Path:
        """Write every extract as CSV with the columns that occur."""
        pasta.mkdir(parents=True)
        for nome, linhas in self.extratos.items():
            colunas = list(dict.fromkeys(c for linha in linhas for c in linha))
            with (pasta / f"{nome}.csv").open("w", encoding="utf-8", newline="") as arquivo:
                escrever = csv.DictWriter(arquivo, colunas, delimiter=";")
                escrever.writeheader()
                escrever.writerows(linhas)
        return pasta


def holder(
    folder: Folder, pid: str, norma: str, nome: str = "Ana Souza", email: str | None = None, **outros: Any
) -> Folder:
    """A permissionario with an address of the test's own domain (`email=""`: none)."""
    return folder.add(
        "permissionarios",
        permissionario_id=pid,
        norma=norma,
        nome=nome,
        tipo_pessoa=outros.pop("tipo_pessoa", "PF"),
        documento=outros.pop("documento", CPFS[len(pid) % 3]),
        email=f"{pid.lower()}@example.org" if email is None else email,
        cadastrado_em="2020-01-02",
        **outros,
    )


def van(
    folder: Folder, pid: str, vid: str, valido_ate: date | None, vistoria: date | None = AS_OF - timedelta(days=30)
) -> Folder:
    """A van of 408/2009 in order, but for what the dates say. `valido_ate` None: no permit at all."""
    longe = AS_OF + timedelta(days=300)
    folder.add(
        "veiculos",
        veiculo_id=vid,
        permissionario_id=pid,
        placa=plate(vid),
        tipo="van",
        ano_fabricacao=2022,
        servico="urbano",
        lugares=15,
        licenciamento_vence_em=AS_OF + timedelta(days=250),
        crlv_exercicio=2026,
        seguro_vence_em=longe,
        cadastrado_em="2022-05-02",
    )
    if valido_ate is not None:
        folder.add(
            "alvaras",
            alvara_id=f"A{vid}",
            permissionario_id=pid,
            veiculo_id=vid,
            linha_id="L1",
            modalidade="alvara",
            emitido_em=valido_ate - timedelta(days=360),
            valido_ate=valido_ate,
        )
    if vistoria is not None:
        folder.add(
            "vistorias",
            vistoria_id=f"I{vid}",
            veiculo_id=vid,
            realizada_em=vistoria,
            resultado="aprovada",
        )
    return folder


def plate(vid: str) -> str:
    """A plate for a vehicle id that ends in digits."""
    n = int("".join(c for c in vid if c.isdigit()) or 0)
    return f"TST{n % 10}A{n // 10 % 100:02d}"


def run_night(pasta: Path, warehouse: Path, as_of: date) -> None:
    """One whole night over the folder, as `emdia run` does it but for the gate and the reports."""
    with open_warehouse(warehouse) as con:
        load_macros(con)
        catalogo = load_catalogue()
        register_norms(con, NORMS, as_of)
        ingest(
            con,
            IngestRequest(
                folder=pasta, as_of=as_of, store=RawStore(Path(f"{warehouse}.bruto")),
                normas=frozenset(n.id for n in NORMS),
            ),
        )  # fmt: skip
        build_calendar(con, as_of, first_year=2015)
        for etapa in (build_registry, build_facts, build_points):
            for _ in etapa(con, as_of):
                pass
        con.execute("create schema if not exists resultado")
        con.execute(
            "create or replace table resultado.gate (extrato varchar, expectativa varchar, descricao varchar,"
            " severidade varchar, sucesso boolean, valor double, observado varchar, esperado varchar, detalhe varchar)"
        )
        run_checks(con, catalogo, parameter_rows(NORMS, catalogo, as_of), as_of)
        apply_dispensas(con, as_of)
        run = RunRecord(
            execucao_id=f"{as_of:%Y%m%d}-teste",
            as_of=as_of,
            iniciada_em=datetime(2026, 11, 30, 5, tzinfo=UTC),
            concluida_em=datetime(as_of.year, as_of.month, as_of.day, 6, tzinfo=UTC),
            entrada_hash="e",
            normas_hash="n",
            codigo_versao="1",
            codigo_saida=0,
            parametros={},
        )
        record_run(con, run)
        record_cautions(con, run.execucao_id, as_of, readings(catalogo, NORMS, as_of), kindred(catalogo))
        record_acts(con, run.execucao_id, as_of)


def told(con: duckdb.DuckDBPyConnection, linhas: Sequence[tuple[str, str, str, int]]) -> None:
    """Say what was delivered: (recipient, finding, step, times reopened)."""
    con.execute(
        "create or replace temp table entregue"
        " (destinatario_id varchar, achado_id varchar, degrau varchar, reaberta integer)"
    )
    if linhas:
        con.executemany("insert into entregue values (?, ?, ?, ?)", [list(x) for x in linhas])


def by_recipient(mensagens: Sequence[Any]) -> Mapping[str, Any]:
    """Messages by recipient; each has one."""
    assert len({m.destinatario_id for m in mensagens}) == len(mensagens)
    return {m.destinatario_id: m for m in mensagens}
