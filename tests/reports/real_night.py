"""One real night on a few rows: every room from the folder of extracts to the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb

from checks.extracts.ingest import ingest
from checks.extracts.model import IngestRequest
from checks.law.catalogue import load_catalogue
from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.loader import load_norms
from data.tables import register_norms
from sql.calendar import build_calendar
from sql.facts import build_facts, build_registry, load_macros
from sql.ledger import RunRecord, apply_dispensas, record_run
from sql.points import build_points
from sql.warehouse import open_warehouse

RUN = "20260302-abc"
AS_OF = date(2026, 3, 2)  # a Monday
EXTRACTS = {
    "permissionarios": """
permissionario_id;norma;nome;tipo_pessoa;documento
P825;825/2021;Ana Souza;PF;52998224725
P408;408/2009;Viação Praia;PJ;11222333000181
P1854;1854/1999;Januária Ônibus;PJ;11222333000181
""",
    "veiculos": """
veiculo_id;permissionario_id;placa;tipo;ano_fabricacao;servico;licenciamento_vence_em;declaracao_substituicao_em;baixado_em
V825;P825;ABC1D23;motocicleta;2019;individual;;;
V408;P408;DEF4G56;kombi;2020;urbano;2026-04-29;;
""",
    "alvaras": """
alvara_id;permissionario_id;veiculo_id;modalidade;emitido_em;valido_ate
A825;P825;V825;permissao;2025-01-10;
A408;P408;V408;alvara;2025-03-04;
A407;P408;V408;alvara;2024-02-01;2025-02-01
""",
    "autos": """
auto_id;permissionario_id;condutor_id;codigo;ocorrido_em;ciencia_em;valor;vence_em;defesa_em;decisao;decisao_em;ciencia_decisao_em;valor_decidido;pago_em;valor_pago
I1;P825;C1;26-XIV;2025-06-10 08:00;2025-06-10;150,00;;;;;;;2025-06-20;150,00
I2;P825;C1;26-XIV;2025-11-20 08:00;2025-11-20;150,00;;;;;;;2025-11-21;150,00
I3;P825;C1;27-I;2025-12-15 08:00;2025-12-15;150,00;;;;;;;2025-12-16;150,00
I4;P825;C1;27-I;2026-01-05 08:00;2026-01-05;150,00;;2026-01-20;parcial;2026-02-02;2026-02-05;100,00;2026-02-10;40,00
I5;P1854;;A-01;2025-11-30 22:30;2025-11-30;1.234,56;;;;;;;;
I6;P408;;AnII-05;2026-01-16 21:00;2026-01-21;574,00;2026-02-28;;;;;;;
I7;P408;;AnII-05;2026-01-16 21:00;2026-01-21;574,00;;;;;;;;
""",
}


def run_night(folder: Path, as_of: date = AS_OF, extracts: Mapping[str, str] = EXTRACTS) -> duckdb.DuckDBPyConnection:
    """Write the extracts into `folder`, run the night, leave the warehouse `folder/w.duckdb` open."""
    source = folder / "extratos"
    source.mkdir()
    for name, text in extracts.items():
        (source / f"{name}.csv").write_text(text.lstrip(), encoding="utf-8")
    con = open_warehouse(folder / "w.duckdb")
    load_macros(con)
    catalogue = load_catalogue()
    norms = load_norms(catalogue=catalogue)
    register_norms(con, norms, as_of)
    ingest(con, IngestRequest(folder=source, as_of=as_of, normas=frozenset(n.id for n in norms)))
    build_calendar(con, as_of, first_year=2015)
    for steps in (build_registry, build_facts, build_points):
        for _ in steps(con, as_of):
            pass
    con.execute("create schema if not exists resultado")
    con.execute(
        "create or replace table resultado.gate (extrato varchar, expectativa varchar, descricao varchar,"
        " severidade varchar, sucesso boolean, valor double, observado varchar, esperado varchar,"
        " detalhe varchar)"
    )
    run_checks(con, catalogue, parameter_rows(norms, catalogue, as_of), as_of)
    apply_dispensas(con, as_of)
    record_run(
        con,
        RunRecord(
            execucao_id=RUN,
            as_of=as_of,
            iniciada_em=datetime(2026, 3, 2, 5, tzinfo=UTC),
            concluida_em=None,
            entrada_hash="e",
            normas_hash="n",
            codigo_versao="1.2.3",
            codigo_saida=0,
            parametros={},
        ),
    )
    return con
