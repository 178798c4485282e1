"""A dispensa covers an exact subject, inside its dates, and never hides the finding."""

from datetime import date

import pytest

from sql.ledger import apply_dispensas
from tests.ledger.base import Dispensa, Row, closed, evidence, night, set_night, states

A1 = Row("A1")
FROM, UNTIL = date(2026, 2, 3), date(2026, 2, 5)
WAIVER = Dispensa("X1", "A1", FROM, UNTIL)


def situations(con):
    return dict(con.execute("select sujeito_id, situacao from achados").fetchall())


@pytest.mark.parametrize(("day", "expected"), [(2, False), (3, True), (5, True), (6, False)])
def test_both_ends_are_inside(con, day, expected):
    night(con, day, [A1], dispensas=[WAIVER])
    assert situations(con)["A1"] == ("dispensado" if expected else "violacao")


@pytest.mark.parametrize("situacao", ["violacao", "a_vencer", "para_decisao"])
def test_what_it_would_have_been(con, situacao):
    night(con, 3, [Row("A1", situacao)], dispensas=[WAIVER])
    waived = evidence(con, "A1")
    assert waived["alvara_id"] == "x"
    assert waived["dispensa"] == {
        "dispensa_id": "X1",
        "processo": "PA 12/2026",
        "autoridade": "Prefeito",
        "motivo": "ordem judicial",
        "valida_de": "2026-02-03",
        "valida_ate": "2026-02-05",
        "situacao_sem_dispensa": situacao,
        "dispensas": ["X1"],
    }


def test_not_evaluated_is_not_waived(con):
    night(con, 3, [Row("A1", "nao_avaliado")], dispensas=[WAIVER])
    assert situations(con)["A1"] == "nao_avaliado"


@pytest.mark.parametrize(
    "waiver",
    [
        Dispensa("X1", "A2", FROM, UNTIL),
        Dispensa("X1", "A1", FROM, UNTIL, sujeito_tipo="veiculo"),
        Dispensa("X1", "A1", FROM, UNTIL, verificacao="multa_vencida"),
        Dispensa("X1", "a1", FROM, UNTIL),
        Dispensa("X1", "A1", FROM, UNTIL, desconhecidos=("verificacao",)),
    ],
)
def test_key_is_exact(con, waiver):
    night(con, 3, [A1], dispensas=[waiver])
    assert situations(con)["A1"] == "violacao"


def test_named_check_only(con):
    rows = [A1, Row("A1", verificacao="multa_vencida")]
    night(con, 3, rows, dispensas=[Dispensa("X1", "A1", FROM, UNTIL, verificacao="multa_vencida")])
    found = dict(con.execute("select verificacao, situacao from achados").fetchall())
    assert found == {"alvara_vencido": "violacao", "multa_vencida": "dispensado"}


def test_several_acts_the_longest_is_shown_all_are_listed(con):
    acts = [
        WAIVER,
        Dispensa("X3", "A1", FROM, date(2026, 3, 1)),
        Dispensa("X2", "A1", FROM, date(2026, 3, 1)),
    ]
    night(con, 3, [A1], dispensas=acts)
    waived = evidence(con, "A1")["dispensa"]
    assert (waived["dispensa_id"], waived["dispensas"]) == ("X2", ["X1", "X2", "X3"])
    night(con, 3, [A1], dispensas=acts[::-1])
    assert evidence(con, "A1")["dispensa"] == waived


def test_begins_and_ends(con):
    night(con, 2, [A1], dispensas=[WAIVER])
    night(con, 3, [A1], dispensas=[WAIVER])
    assert states(con)["A1"] == ("persiste", date(2026, 2, 2), 0)
    assert closed(con)["A1"][0] == "dispensado"
    night(con, 5, [A1], dispensas=[WAIVER])
    assert closed(con) == {}
    night(con, 6, [A1], dispensas=[WAIVER])
    assert states(con)["A1"] == ("reaberto", date(2026, 2, 2), 1)
    assert closed(con) == {}


def test_applied_twice_changes_nothing_and_unused_are_named(con):
    unused = Dispensa("X9", "A7", FROM, UNTIL)
    expired = Dispensa("X8", "A7", date(2026, 1, 1), date(2026, 1, 2))
    set_night(con, [A1, Row("A2")], dispensas=[WAIVER, unused, expired])
    summary = apply_dispensas(con, date(2026, 2, 3))
    assert (summary.achados, summary.sem_achado) == (1, ("X9",))
    before = con.execute("from resultado.achados order by all").fetchall()
    assert apply_dispensas(con, date(2026, 2, 3)).achados == 0
    assert con.execute("from resultado.achados order by all").fetchall() == before


def test_evidence_without_text(con):
    night(con, 3, [Row("A1", evidencia=None)], dispensas=[WAIVER])
    assert evidence(con, "A1")["dispensa"]["dispensa_id"] == "X1"


def test_nulls_of_the_evidence_survive(con):
    night(con, 3, [Row("A1", evidencia='{"a":null,"b":{"c":null},"v":1.50}')], dispensas=[WAIVER])
    found = evidence(con, "A1")
    assert found["a"] is None and found["b"] == {"c": None}
