"""The ladder: no penalty is ready before the right of defence has run; a measure is immediate."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from checks.law.engine import run_checks
from checks.law.parameters import parameter_rows
from data.tables import register_norms
from notices.compose.wording import owed_by_the_body
from reports.rotulos import words
from sql.acts import kinds_of_act, record_acts, steps_of_checks, who_draws_up
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


#: auto → what was paid of it. 408 gives AnII-06 150.00: each was drawn up with too much.
PAID = {
    "ABERTO": {},
    "PAGO": {"pago_em": "2026-04-01"},
    "PARTE": {"pago_em": "2026-04-01", "valor_pago": "10.00"},
    "TODO": {"pago_em": "2026-04-01", "valor_pago": "400.00"},
    "DEPOIS": {"pago_em": "2026-07-21"},
    "ILEGIVEL": {"pago_em": "2026-04-01", "valor_pago": "?"},
}


def test_an_auto_is_looked_at_only_while_it_is_open_and_collected_only_when_overdue(tmp_path: Path) -> None:
    case = Case("valor_divergente", "x", "408/2009", AS_OF)
    case.rows = {
        "autos": [
            {
                "auto_id": a,
                "codigo": "AnII-06",
                "ocorrido_em": "2026-03-02 08:00",
                "ciencia_em": "2026-03-02",
                "valor": "400.00",
                **paid,
            }
            for a, paid in PAID.items()
        ]
    }
    acts = _acts(tmp_path, case, ("valor_divergente", "multa_vencida", "auto_incompleto"))
    checked = {_own(a): a for a in acts if a["verificacao"] == "valor_divergente"}
    assert set(checked) == {"ABERTO", "PARTE", "DEPOIS", "ILEGIVEL"}
    assert {(a["etapa"], a["rotulo"], a["natureza"], a["pronto"]) for a in checked.values()} == {
        ("conferir_auto", "Conferência do auto", "aviso", False)
    }


def test_a_fine_is_collected_only_where_it_is_overdue(tmp_path: Path) -> None:
    case = Case("multa_vencida", "x", "825/2021", AS_OF)
    case.rows = {
        "autos": [
            {"auto_id": "VENCIDA", "codigo": "26-XIV", "ocorrido_em": "2026-03-02 08:00", "ciencia_em": "2026-03-02", "valor": "150.00"},
            {"auto_id": "PAGA", "codigo": "26-XIV", "ocorrido_em": "2026-03-02 08:00", "ciencia_em": "2026-03-02", "valor": "150.00", "pago_em": "2026-03-09"},
            {"auto_id": "DEFESA", "codigo": "26-XIV", "ocorrido_em": "2026-07-06 08:00", "ciencia_em": "2026-07-06", "valor": "150.00"},
            {"auto_id": "CORRE", "codigo": "26-XIV", "ocorrido_em": "2026-07-14 08:00", "ciencia_em": "2026-07-14", "valor": "150.00"},
        ]
    }  # fmt: skip
    acts = _acts(tmp_path, case, ("multa_vencida",))
    assert {(_own(a), a["etapa"], a["pronto"]) for a in acts} == {
        ("VENCIDA", "exigivel", True),
        ("DEFESA", "previsto", False),
        ("CORRE", "previsto", False),
    }


def test_a_fine_without_an_auto_calls_for_the_auto(tmp_path: Path) -> None:
    case = Case("seguro_vencido", "x", "408/2009", AS_OF)
    case.rows = {
        "veiculos": [
            {"veiculo_id": "V1", "placa": "ABC1C34", "ano_fabricacao": "2022", "seguro_vence_em": "2026-07-19"}
        ]
    }
    (act,) = [a for a in _acts(tmp_path, case, ("seguro_vencido",)) if a["situacao"] == "violacao"]
    assert (act["ato"], act["etapa"], act["natureza"], act["pronto"]) == ("multa", "lavrar_auto", "penalidade", False)


def test_every_check_of_an_auto_says_what_it_asks_and_the_body_knows_its_duties() -> None:
    said = steps_of_checks()
    assert {c for c, spec in catalogue().items() if spec.sujeito == "auto"} <= set(said) <= set(catalogue())
    assert {c for c, s in said.items() if s["passo"] == "exigivel"} == {"multa_vencida"}
    assert {c for c, s in said.items() if s["passo"] == "dever_do_orgao"} | {"decisao_em_atraso"} == set(
        owed_by_the_body()
    )
    stages = set(words()["etapa"])
    assert {s["passo"] for s in said.values()} <= stages and stages >= {"lavrar_auto", "exigivel", "conferir_auto"}
    assert stages - {"regularizar"} <= set(words()["quem_age"])


def test_each_norm_says_who_draws_up_autos(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as con:
        assert who_draws_up(con) == {}
        register_norms(con, norms(), AS_OF)
        agents = who_draws_up(con)
    assert set(agents) == {n.id for n in norms()}
    assert agents["30258/1983"] == "encarregado da fiscalização"


def test_every_consequence_has_a_kind() -> None:
    said = {v.consequencia for n in norms() for rows in n.verificacoes.values() for v in rows}
    assert said <= set(kinds_of_act())


def _own(act: dict) -> str:
    """The id of the subject, as the case wrote it."""
    return act["sujeito_id"].split("|")[-1]


SOME = ("pontos_cassacao", "veiculo_acima_da_idade", "substituicao_vencida")


def _acts(tmp_path: Path, case: Case, checks: tuple[str, ...] = SOME) -> list[dict]:
    specs = {name: catalogue()[name] for name in checks}
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
