"""Why a finding is gone: only `regularizado` is good news, so it is the last thing to be believed."""

import json
from datetime import date

import pytest

from sql.ledger import record_run
from tests.ledger.base import PARAMS, SUBJECTS, Dispensa, Row, closed, night, refuse, run, set_night, states

A1 = Row("A1")
D2 = date(2026, 2, 2)


def cause(con, **kwargs):
    """The cause of A1's closing on the second night."""
    night(con, 1, [A1])
    night(con, 2, kwargs.pop("rows", []), **kwargs)
    return closed(con)["A1"][0]


def test_passes_today(con):
    assert cause(con) == "regularizado"


def test_still_open_is_not_closed(con):
    night(con, 1, [A1])
    night(con, 2, [Row("A1", "para_decisao")])
    assert closed(con) == {}


def test_left_the_extract(con):
    assert cause(con, extract=["A2"]) == "ausente"


@pytest.mark.parametrize("kind", ["veiculo", "alvara", "condutor", "auto"])
def test_holder_left_and_what_hangs_from_it_stayed(con, kind):
    row = Row("X1", sujeito_tipo=kind)
    con.execute(f"insert into extrato.{SUBJECTS[kind]} by name select 'X1' as {kind}_id, 'P1' as permissionario_id")
    night(con, 1, [row])
    con.execute("delete from extrato.permissionarios")
    night(con, 2, [], extract=["X1"])
    assert closed(con)["X1"][0] == "ausente"


@pytest.mark.parametrize(
    ("extract", "key", "expected"),
    [("alvaras", "A1", "nao_avaliado"), ("alvaras", "A9", "ausente"), ("autos", "A1", "ausente")],
)
def test_refused_row_is_not_gone(con, extract, key, expected):
    night(con, 1, [A1])
    refuse(con, extract, key)
    night(con, 2, [], extract=["A2"])
    assert closed(con)["A1"][0] == expected


def test_refused_holder_is_not_gone(con):
    night(con, 1, [A1])
    con.execute("delete from extrato.permissionarios")
    refuse(con, "permissionarios", "P1")
    night(con, 2, [])
    assert closed(con)["A1"][0] == "nao_avaliado"


def test_handed_to_another_holder_and_passes(con):
    night(con, 1, [A1])
    con.execute("update extrato.permissionarios set permissionario_id = 'P2'")
    set_night(con, [])
    con.execute("update extrato.alvaras set permissionario_id = 'P2'")
    record_run(con, run("r2", D2))
    assert closed(con)["A1"][0] == "regularizado"


def test_norm_findings_are_never_absent(con):
    norma = Row("408/2009", sujeito_tipo="norma")
    night(con, 1, [norma])
    night(con, 2, [], extract=[])
    assert closed(con)["408/2009"][0] == "regularizado"


def test_not_evaluated_subject(con):
    assert cause(con, rows=[Row("A1", "nao_avaliado")], extract=[]) == "nao_avaliado"


def test_not_evaluated_norm(con):
    rows = [Row("408/2009", "nao_avaliado", sujeito_tipo="norma")]
    assert cause(con, rows=rows, extract=[]) == "nao_avaliado"


def lacking(*falta):
    """The row of a norm that a check can judge only in part."""
    return Row("408/2009", "nao_avaliado", sujeito_tipo="norma", evidencia=json.dumps({"falta": list(falta)}))


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (["linhas"], ["linhas"], "regularizado"),
        (["linhas", "operacao"], ["linhas"], "regularizado"),
        (["operacao"], ["operacao", "linhas"], "nao_avaliado"),
        (["operacao"], ["linhas"], "nao_avaliado"),
    ],
)
def test_only_what_is_lacking_since_then_blinds(con, before, now, expected):
    night(con, 1, [A1, lacking(*before)])
    night(con, 2, [lacking(*now)])
    assert closed(con)["A1"][0] == expected


def test_not_evaluated_other_norm_or_check_explains_nothing(con):
    rows = [
        Row("825/2021", "nao_avaliado", sujeito_tipo="norma", norma="825/2021"),
        Row("408/2009", "nao_avaliado", sujeito_tipo="norma", verificacao="multa_vencida"),
    ]
    assert cause(con, rows=rows) == "regularizado"


def test_crashed_check(con):
    assert cause(con, crashed=[("alvara_vencido", "408/2009")]) == "nao_avaliado"


def test_check_crashed_for_every_norm(con):
    assert cause(con, crashed=[("alvara_vencido", None)]) == "nao_avaliado"


def test_other_check_crashed(con):
    assert cause(con, crashed=[("multa_vencida", None)]) == "regularizado"


def test_parameters_changed(con):
    changed = {**PARAMS, ("408/2009", "alvara_vencido"): "other"}
    assert cause(con, params=changed) == "norma_alterada"


def test_absent_wins_over_parameters(con):
    changed = {**PARAMS, ("408/2009", "alvara_vencido"): "other"}
    assert cause(con, params=changed, extract=[]) == "ausente"


def test_other_parameters_changed(con):
    assert cause(con, params={**PARAMS, ("408/2009", "multa_vencida"): "other"}) == "regularizado"


def test_check_no_longer_asked(con):
    assert cause(con, params={("408/2009", "multa_vencida"): "h2"}) == "norma_alterada"


def test_dispensed_wins_over_everything(con):
    waiver = Dispensa("X1", "A1", D2, D2)
    assert cause(con, rows=[A1], dispensas=[waiver], extract=[], crashed=[("alvara_vencido", None)]) == "dispensado"


def test_row_is_the_one_last_seen(con):
    night(con, 1, [A1])
    night(con, 2, [Row("A1", "a_vencer", devido_em=date(2026, 2, 20))])
    night(con, 3, [])
    row = con.execute("select situacao, dias, estado, aberta_em, encerrado_em, visto_em from encerrados").fetchall()
    assert row == [("a_vencer", -18, "persiste", date(2026, 2, 1), date(2026, 2, 3), date(2026, 2, 2))]


def test_returning_is_reopened_whatever_the_cause(con):
    for day, extract in enumerate((["A1"], ["A2"], ["A1"]), 1):
        night(con, day, [A1] if "A1" in extract else [], extract=extract)
    assert states(con)["A1"] == ("reaberto", date(2026, 2, 1), 1)


def test_compares_with_the_run_in_force(con):
    night(con, 1, [A1], run_id="wrong")
    night(con, 1, [], run_id="right")
    night(con, 2, [])
    assert closed(con) == {}
