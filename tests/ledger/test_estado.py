"""novo, persiste, reaberto over sequences of nights, and what a re-run of a date does."""

from datetime import date

import pytest

from sql.ledger import LedgerError, record_interrupted, record_run
from tests.ledger.base import Row, closed, night, run, set_night, states

D = lambda day: date(2026, 2, day)  # noqa: E731
A1 = Row("A1")


def test_first_night_is_new(con):
    summary = night(con, 1, [A1, Row("A2", "a_vencer")])
    assert states(con) == {"A1": ("novo", D(1), 0), "A2": ("novo", D(1), 0)}
    assert summary.estados == {"novo": 2}
    assert summary.anterior_id is None
    assert closed(con) == {}


def test_lasting_closed_and_back(con):
    night(con, 1, [A1])
    night(con, 2, [Row("A1", "a_vencer")])  # another situacao, the same fault
    assert states(con)["A1"] == ("persiste", D(1), 0)
    night(con, 3, [])
    assert closed(con) == {"A1": ("regularizado", D(3), D(2))}
    night(con, 4, [])
    assert closed(con) == {}
    night(con, 6, [A1])
    assert states(con)["A1"] == ("reaberto", D(1), 1)
    night(con, 7, [A1])
    assert states(con)["A1"] == ("persiste", D(1), 1)
    night(con, 8, [])
    night(con, 9, [A1])
    assert states(con)["A1"] == ("reaberto", D(1), 2)


def test_id_is_the_fault_not_the_night(con):
    night(con, 1, [A1])
    first = con.execute("select achado_id from achados").fetchall()
    night(con, 2, [Row("A1", "a_vencer", devido_em=date(2026, 3, 1))])
    assert con.execute("select achado_id from achados").fetchall() == first
    assert first[0][0].startswith("alvara_vencido-")
    night(
        con,
        3,
        [A1, Row("A1", sujeito_tipo="veiculo"), Row("A1", norma="825/2021"), Row("A1", verificacao="x")],
    )
    assert con.execute("select count(distinct achado_id) from achados").fetchall() == [(4,)]


def test_dias_and_empty_dates_of_not_evaluated(con):
    night(con, 1, [A1, Row("A2", "nao_avaliado"), Row("A3", devido_em=None)])
    rows = con.execute("select sujeito_id, devido_em, dias from achados order by 1").fetchall()
    assert rows == [("A1", date(2026, 1, 10), 22), ("A2", None, None), ("A3", None, None)]


def test_not_evaluated_is_no_opening(con):
    night(con, 1, [Row("A1", "nao_avaliado")])
    night(con, 2, [Row("A1", "nao_avaliado")])
    assert states(con)["A1"] == ("persiste", D(1), 0)
    night(con, 3, [A1])
    assert states(con)["A1"] == ("novo", D(3), 0)
    night(con, 4, [Row("A1", "nao_avaliado")])
    assert states(con)["A1"] == ("persiste", D(1), 0)
    assert closed(con)["A1"][0] == "nao_avaliado"
    night(con, 5, [A1])
    assert states(con)["A1"] == ("reaberto", D(3), 1)
    night(con, 6, [])
    night(con, 7, [Row("A1", "nao_avaliado")])
    assert states(con)["A1"] == ("reaberto", D(1), 2)


def everything(con):
    tables = (
        "achados_historico",
        "encerrados_historico",
        "parametros_historico",
        "resumo_historico",
        "carga",
    )
    return {t: con.execute(f"from {t} order by all").fetchall() for t in tables}


def test_twice_changes_nothing(con):
    night(con, 1, [A1, Row("A2")])
    night(con, 2, [A1])
    before = everything(con)
    night(con, 2, [A1])
    assert everything(con) == before
    night(con, 1, [A1, Row("A2")])
    assert everything(con) == before
    assert con.execute("select count(*) from execucao").fetchall() == [(2,)]


def test_rerun_of_a_past_date_with_other_input_stands_beside(con):
    night(con, 1, [])
    night(con, 2, [A1])
    night(con, 3, [A1])
    night(con, 1, [A1], run_id="r1b")
    assert con.execute("select count(*) from achados_historico where as_of = '2026-02-01'").fetchall() == [(1,)]
    assert con.execute("select count(*) from execucao where as_of = '2026-02-01'").fetchall() == [(2,)]
    assert states(con)["A1"] == ("novo", D(1), 0)
    # The next night counts with the run now in force for the first date.
    night(con, 4, [A1])
    assert states(con)["A1"] == ("persiste", D(1), 0)
    night(con, 5, [A1])
    assert states(con)["A1"] == ("persiste", D(1), 0)


def test_backfilled_gap_counts_as_a_return(con):
    night(con, 1, [A1])
    night(con, 3, [A1])
    night(con, 2, [], run_id="late")
    night(con, 4, [A1])
    assert states(con)["A1"] == ("persiste", D(1), 1)


def test_order_of_execution_does_not_matter(con, tmp_path_factory):
    from tests.ledger.base import new_warehouse

    nights = {1: [A1], 2: [], 3: [A1, Row("A2")], 4: [Row("A2", "nao_avaliado")], 5: [A1, Row("A2")]}
    for day in nights:
        night(con, day, nights[day])
    other = new_warehouse(tmp_path_factory.mktemp("other"))
    for day in (4, 2, 1, 3, 5):
        night(other, day, nights[day])
    last = "select sujeito_id, estado, aberta_em, reaberta from achados order by all"
    assert con.execute(last).fetchall() == other.execute(last).fetchall()
    other.close()


def test_interrupted_run_is_never_in_force(con):
    night(con, 1, [A1])
    record_interrupted(con, run("r2", D(2), code=1))
    assert con.execute("select execucao_id from ultima_execucao").fetchall() == [("r1",)]
    summary = night(con, 3, [A1])
    assert summary.anterior_id == "r1"
    assert states(con)["A1"] == ("persiste", D(1), 0)


@pytest.mark.parametrize("rows", [[A1, Row("A1", "a_vencer")], [Row(None)]])
def test_a_check_that_breaks_its_contract_writes_nothing(con, rows):
    night(con, 1, [A1])
    before = everything(con)
    set_night(con, rows)
    with pytest.raises(LedgerError, match="alvara_vencido da norma 408/2009"):
        record_run(con, run("r2", D(2)))
    assert everything(con) == before
