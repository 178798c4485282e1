"""Any sequence of nights: the order of rows and executions is nothing; a slow count of one subject agrees."""

from datetime import date

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ledger.base import Row, new_warehouse, night

OPEN = {"violacao", "a_vencer", "para_decisao"}
SUBJECTS = ("A1", "A2", "A3")
NIGHT = st.dictionaries(
    st.sampled_from(SUBJECTS), st.sampled_from(["violacao", "a_vencer", "nao_avaliado"]), max_size=3
)
NIGHTS = st.lists(NIGHT, min_size=1, max_size=6)


def slow_state(nights, subject):
    """estado, aberta_em, reaberta of one subject on the last night, counted one night after the other."""
    seen, seen_open, last, last_open = None, None, None, None
    returns, open_returns = 0, 0
    for n, found in enumerate(nights, 1):
        if subject not in found:
            continue
        is_open = found[subject] in OPEN
        before = last_open if is_open else last
        state = "novo" if before is None else "persiste" if before == n - 1 else "reaberto"
        returns += state == "reaberto"
        open_returns += state == "reaberto" and is_open
        seen, last = seen or n, n
        if is_open:
            seen_open, last_open = seen_open or n, n
    return state, seen_open if is_open else seen, open_returns if is_open else returns


def play(con, nights, order=None, rows=list):
    for day in order or range(1, len(nights) + 1):
        night(con, day, rows([Row(s, situacao) for s, situacao in nights[day - 1].items()]))


def outcome(con):
    found = con.execute("select sujeito_id, estado, aberta_em, reaberta from achados order by all").fetchall()
    gone = con.execute(
        "select sujeito_id, causa, aberta_em, reaberta, visto_em from encerrados order by all"
    ).fetchall()
    return found, gone


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(nights=NIGHTS, data=st.data())
def test_any_sequence(tmp_path_factory, nights, data):
    con = new_warehouse(tmp_path_factory.mktemp("a"))
    play(con, nights)
    found, gone = outcome(con)
    assert {s: (e, a.day, n) for s, e, a, n in found} == {s: slow_state(nights, s) for s in nights[-1]}
    if len(nights) > 1:
        open_before = {s for s, x in nights[-2].items() if x in OPEN}
        assert {row[0] for row in gone} == open_before - {s for s, x in nights[-1].items() if x in OPEN}
    play(con, nights, order=[len(nights)])
    assert outcome(con) == (found, gone)
    con.close()

    other = new_warehouse(tmp_path_factory.mktemp("b"))
    earlier = data.draw(st.permutations(range(1, len(nights))))
    play(other, nights, order=[*earlier, len(nights)], rows=lambda r: r[::-1])
    assert outcome(other)[0] == found
    other.close()


def test_a_long_gap_is_one_return(con):
    for day, rows in ((1, [Row("A1")]), (2, []), (3, []), (9, [Row("A1")])):
        night(con, day, rows)
    assert con.execute("select estado, aberta_em, reaberta from achados").fetchall() == [
        ("reaberto", date(2026, 2, 1), 1)
    ]
