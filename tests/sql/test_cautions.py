"""A row rejected tonight casts doubt on what it speaks of, and on nothing else; no act is ready on a doubt."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import duckdb
import pytest

from checks.law.catalogue import load_catalogue
from checks.law.reads import kindred, readings, reads_of
from data.loader import load_norms
from sql.acts import record_acts
from sql.cautions import record_cautions
from tests.reports.real_night import RUN, run_night

AS_OF = date(2026, 3, 2)
HOLDERS = """
permissionario_id;norma;nome;tipo_pessoa;documento
P1;408/2009;Viação Praia;PJ;11222333000181
P2;825/2021;Ana Souza;PF;52998224725
"""
VEHICLES = """
veiculo_id;permissionario_id;placa;tipo;ano_fabricacao;servico
V1;P1;DEF4G56;kombi;2020;urbano
V2;P1;DEF4G57;kombi;2020;urbano
V4;P1;DEF4G58;kombi;2020;urbano
V3;P2;ABC1D23;motocicleta;2015;individual
"""
PERMITS = "alvara_id;permissionario_id;veiculo_id;modalidade;emitido_em;valido_ate\n"
OLD = "A1;P1;V1;alvara;2024-03-04;2025-03-04\n"
BROKEN, FIXED = "31/02/2026", "2026-02-28"
INSPECTIONS = "vistoria_id;placa;realizada_em;resultado\n"
WAIVERS = "dispensa_id;verificacao;sujeito_tipo;sujeito_id;processo;autoridade;motivo;valida_de;valida_ate\n"

Doubts = dict[tuple[str, str], list[str]]


def doubts(folder: Path, **extracts: str) -> tuple[duckdb.DuckDBPyConnection, Doubts]:
    """{(check, subject): what is said of each finding in doubt} of one night."""
    con = run_night(folder, AS_OF, {"permissionarios": HOLDERS, "veiculos": VEHICLES, **extracts})
    catalogue = load_catalogue()
    leituras = readings(catalogue, load_norms(catalogue=catalogue), AS_OF)
    for _ in range(2):  # again changes nothing
        record_cautions(con, RUN, AS_OF, leituras, kindred(catalogue))
    record_acts(con, RUN, AS_OF)
    rows = con.execute(
        "select verificacao, sujeito_id, list(frase order by r.ordem) from ressalvas r join achados using (achado_id) group by all"
    ).fetchall()
    return con, {(check, subject): said for check, subject, said in rows}


def _open(con: duckdb.DuckDBPyConnection, check: str) -> list[str]:
    found = con.execute(
        "select sujeito_id from achados where verificacao = ? and situacao = 'violacao' order by 1", [check]
    )
    return [subject for (subject,) in found.fetchall()]


def test_a_permit_rejected_for_its_date_puts_in_doubt_what_its_vehicle_lacks(tmp_path: Path) -> None:
    con, found = doubts(tmp_path, alvaras=PERMITS + OLD + f"A2;P1;V2;alvara;{BROKEN};2027-01-01\n")
    assert found[("veiculo_sem_alvara", "V2")] == ["a linha 3 de alvaras.csv foi rejeitada"]
    assert _open(con, "veiculo_sem_alvara") == ["P2", "V2", "V4"]
    assert ("veiculo_sem_alvara", "V4") not in found
    assert ("alvara_vencido", "A1") not in found  # the permit of another vehicle
    kept = con.execute(
        "select r.coluna, r.valor, r.motivo from ressalvas r join achados using (achado_id) where verificacao = 'veiculo_sem_alvara'"
    ).fetchall()
    assert [row[:2] for row in kept] == [("emitido_em", BROKEN)] and "inválida" in kept[0][2]


@pytest.mark.parametrize(
    ("vehicle", "day", "doubted"), [("V1", BROKEN, True), ("V2", BROKEN, False), ("V1", FIXED, None)]
)
def test_a_renewal_rejected_puts_in_doubt_the_permit_it_renews(
    tmp_path: Path, vehicle: str, day: str, doubted: bool | None
) -> None:
    con, found = doubts(tmp_path, alvaras=PERMITS + OLD + f"A2;P1;{vehicle};alvara;{day};2027-01-01\n")
    seen = con.execute(
        "select count(*) from achados where verificacao = 'alvara_vencido' and sujeito_id = 'A1'"
    ).fetchall()
    assert seen == [(0 if doubted is None else 1,)]  # put right, there is neither finding nor doubt
    assert (("alvara_vencido", "A1") in found) is bool(doubted)


def test_a_row_that_names_the_holder_alone_may_be_of_any_vehicle_of_his(tmp_path: Path) -> None:
    _, found = doubts(tmp_path, alvaras=PERMITS + OLD + f"A2;P1;;alvara;{BROKEN};2027-01-01\n")
    assert {key for key in found if key[0] == "veiculo_sem_alvara"} == {
        ("veiculo_sem_alvara", "V2"),
        ("veiculo_sem_alvara", "V4"),
    }
    assert ("alvara_vencido", "A1") in found


def test_a_vehicle_told_by_its_plate(tmp_path: Path) -> None:
    two = "S1;DEF-4656;2026-02-01;aprovada\nS1;DEF4G56;2026-02-02;aprovada\nS2;DEF4G57;2024-02-01;aprovada\n"
    con, found = doubts(tmp_path, vistorias=INSPECTIONS + two)
    assert len(found[("vistoria_vencida", "V1")]) == 2
    assert {"V1", "V2"} <= set(_open(con, "vistoria_vencida"))
    assert ("vistoria_vencida", "V2") not in found


def test_an_auto_rejected_says_nothing_of_the_age_of_a_vehicle(tmp_path: Path) -> None:
    autos = "auto_id;permissionario_id;veiculo_id;codigo;ocorrido_em\nI1;P2;V3;26-XIV;31/02/2026 08:00\n"
    con, found = doubts(tmp_path, autos=autos)
    assert con.execute("select count(*) from achados where verificacao = 'veiculo_acima_da_idade'").fetchall() == [(1,)]
    assert not [key for key in found if key[0] in ("veiculo_acima_da_idade", "substituicao_vencida")]


def test_no_act_is_ready_on_a_doubt(tmp_path: Path) -> None:
    con, _ = doubts(tmp_path, alvaras=PERMITS + OLD + f"A2;P1;V2;alvara;{BROKEN};2027-01-01\n")
    acts = con.execute(
        "select sujeito_id, etapa, pronto, ressalva from atos where verificacao in ('veiculo_sem_alvara', 'veiculo_acima_da_idade')"
        " and sujeito_id in ('V2', 'V3') and etapa = 'medida_imediata' order by 1"
    ).fetchall()
    assert acts == [
        ("V2", "medida_imediata", False, "a linha 3 de alvaras.csv foi rejeitada"),
        *([("V3", "medida_imediata", True, None)] * (len(acts) - 1)),
    ]
    assert len(acts) > 1


@pytest.mark.parametrize(
    ("check", "subject", "until", "doubted"),
    [
        ("veiculo_acima_da_idade", "V3", "2026-12-31", True),
        ("veiculo_acima_da_idade", "V3", "2026-03-01", False),  # no more in force
        ("veiculo_acima_da_idade", "V2", "2026-12-31", False),  # of another vehicle
        ("seguro_vencido", "V3", "2026-12-31", False),  # says nothing of its age
        ("quem sabe", "V3", "2026-12-31", True),  # may be of any
    ],
)
def test_a_waiver_for_a_like_check(tmp_path: Path, check: str, subject: str, until: str, doubted: bool) -> None:
    waiver = f"D1;{check};veiculo;{subject};MS 12;Juiz;liminar;2026-01-01;{until}\n"
    _, found = doubts(tmp_path, dispensas=WAIVERS + waiver)
    said = found.get(("substituicao_vencida", "V3"))
    assert said == (["a dispensa D1 (processo MS 12) pode valer também aqui"] if doubted else None)


def test_a_waiver_that_was_rejected(tmp_path: Path) -> None:
    waiver = f"D1;veiculo_acima_da_idade;veiculo;V3;MS 12;Juiz;liminar;{BROKEN};2026-12-31\n"
    _, found = doubts(tmp_path, dispensas=WAIVERS + waiver)
    assert found[("veiculo_acima_da_idade", "V3")] == ["a linha 2 de dispensas.csv foi rejeitada"]


def test_what_a_check_reads() -> None:
    catalogue = load_catalogue()

    def reads(check: str) -> tuple[bool, bool]:
        found = reads_of(catalogue[check].sql, catalogue[check].exige)
        return "vistorias" in found.proprios, "vistorias" in found.todos

    assert [reads(c) for c in ("vistoria_vencida", "retencao", "veiculo_acima_da_idade")] == [
        (True, True), (False, True), (False, False),
    ]  # fmt: skip
    pairs = set(kindred(catalogue))
    assert ("substituicao_vencida", "veiculo_acima_da_idade") in pairs
    assert ("seguro_vencido", "veiculo_acima_da_idade") not in pairs
