"""The ladder: no penalty is ready before the right of defence has run; a measure is immediate."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from sql.acts import kinds_of_act, record_acts
from sql.ledger import COPIES, RunRecord, record_run
from sql.warehouse import open_warehouse
from tests.law.casos import Case, build, catalogue, norms

AS_OF = date(2026, 7, 20)
AUTOS = [
    {"auto_id": f"I{n}", "codigo": codigo, "ocorrido_em": f"{dia} 08:00"}
    for n, (codigo, dia) in enumerate(
        [("26-XIV", "2026-01-10"), ("27-I", "2026-02-10"), ("27-III", "2026-03-10"), ("28-I", "2026-05-09")]
    )
]
#: process of cassação → (etapa, prazo, pronto); 825's defence term is 15 days, rolled.
STAGES = [
    (None, "a_instaurar", None, False),
    ({"instaurado_em": "2026-06-01"}, "instaurado", None, False),
    ({"instaurado_em": "2026-06-01", "ciencia_em": "2026-07-21"}, "instaurado", None, False),
    ({"instaurado_em": "2026-06-01", "ciencia_em": "2026-07-06"}, "prazo_de_defesa", date(2026, 7, 21), False),
    ({"instaurado_em": "2026-06-01", "ciencia_em": "2026-07-03"}, "prazo_de_defesa", date(2026, 7, 20), False),
    ({"instaurado_em": "2026-06-01", "ciencia_em": "2026-07-02"}, "pronto_para_decidir", None, True),
    (
        {"instaurado_em": "2026-06-01", "ciencia_em": "2026-07-06", "defesa_em": "2026-07-10"},
        "pronto_para_decidir",
        None,
        True,
    ),
    (
        {"instaurado_em": "2026-06-01", "ciencia_em": "2026-07-06", "defesa_em": "2026-07-21"},
        "prazo_de_defesa",
        date(2026, 7, 21),
        False,
    ),
    ({"instaurado_em": "2026-07-21"}, "a_instaurar", None, False),
]


@pytest.mark.parametrize(("process", "etapa", "prazo", "pronto"), STAGES)
def test_stage_of_a_cassacao(
    tmp_path: Path, process: dict[str, str] | None, etapa: str, prazo: date | None, pronto: bool
) -> None:
    case = Case("pontos_cassacao", "x", "825/2021", AS_OF)
    case.rows = {"autos": AUTOS}
    if process:
        case.rows["processos"] = [{"ato": "cassacao", **process}]
    acts = _acts(tmp_path, case)
    assert [(a["etapa"], a["prazo_ate"], a["pronto"]) for a in acts if a["ato"] == "cassacao"] == [
        (etapa, prazo, pronto)
    ]


def test_a_measure_is_immediate_and_a_forecast_waits(tmp_path: Path) -> None:
    case = Case("veiculo_acima_da_idade", "x", "825/2021", AS_OF)
    case.rows = {
        "veiculos": [
            {"veiculo_id": "V1", "placa": "ABC1C34", "ano_fabricacao": "2018"},
        ]
    }
    acts = {(a["verificacao"], a["etapa"], a["pronto"]) for a in _acts(tmp_path, case)}
    assert ("veiculo_acima_da_idade", "medida_imediata", True) in acts
    assert ("substituicao_vencida", "a_instaurar", False) in acts


def test_every_consequence_has_a_kind() -> None:
    said = {v.consequencia for n in norms() for rows in n.verificacoes.values() for v in rows}
    assert said <= set(kinds_of_act())


def _acts(tmp_path: Path, case: Case) -> list[dict]:
    seven = ("pontos_cassacao", "veiculo_acima_da_idade", "substituicao_vencida")
    specs = {name: catalogue()[name] for name in seven}
    con = open_warehouse(tmp_path / "w.duckdb")
    build([case], AS_OF, con)
    run_checks(con, specs, parameter_rows(norms(), catalogue(), AS_OF), AS_OF)
    for kept, tonight, columns in COPIES:
        con.execute(f"create table if not exists {tonight} as select {columns} from {kept} limit 0")
    started = datetime(2026, 7, 20, 2, 0, tzinfo=UTC)
    record_run(con, RunRecord("r1", AS_OF, started, None, "e", "n", "v", 0, {}))
    record_acts(con, "r1", AS_OF)
    record_acts(con, "r1", AS_OF)
    cursor = con.execute("select * from atos")
    names = [d[0] for d in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    con.close()
    return rows
