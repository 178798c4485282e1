"""Parts of the story by themselves: counting on a calendar, nights in words, hostile text."""

from datetime import date

import pytest

from reports.explain import explain, render_explanation
from reports.explain.terms import Terms
from reports.explain.vocabulary import read_evidence, write
from tests.ledger.base import Dispensa, Row, new_warehouse, night

SATURDAY, SUNDAY, HOLIDAY = date(2026, 1, 17), date(2026, 1, 18), date(2026, 1, 19)
TERMS = Terms({SATURDAY: "sábado", SUNDAY: "domingo", HOLIDAY: "feriado, Lavagem"})


@pytest.fixture
def con(tmp_path):
    connection = new_warehouse(tmp_path)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("start", "days", "end", "moved"),
    [
        (date(2026, 1, 1), 15, date(2026, 1, 16), False),
        (date(2026, 1, 2), 15, date(2026, 1, 20), True),
        (date(2026, 1, 4), 15, date(2026, 1, 20), True),
        (date(2026, 1, 5), 15, date(2026, 1, 20), False),
    ],
)
def test_running_days_roll(start, days, end, moved):
    assert TERMS.end_of_days(start, days) == end
    told = " ".join(TERMS.term(start, days, None, end))
    assert ("passa para" in told) is moved


def test_why_it_rolls():
    (text,) = TERMS.roll(SATURDAY)
    assert text == (
        "Como 17/01/2026 é sábado, 18/01/2026 é domingo e 19/01/2026 é feriado, Lavagem, "
        "passa para 20/01/2026 (terça-feira), o primeiro dia útil."
    )


def test_business_days_name_what_is_skipped():
    assert TERMS.end_of_business_days(date(2026, 1, 15), 2) == date(2026, 1, 20)
    told = TERMS.term(date(2026, 1, 15), None, 2, date(2026, 1, 20))
    assert told[0] == "2 dias úteis contados de 15/01/2026: o último é 20/01/2026 (terça-feira)."
    assert told[1].startswith("Não contam 17/01/2026 (sábado), 18/01/2026 (domingo) e 19/01/2026")


def test_the_wider_of_two_counts():
    told = TERMS.term(date(2026, 1, 15), 10, 5, date(2026, 1, 25))
    assert told[-1] == "Das duas contas vale a mais larga: 25/01/2026 (domingo)."


def test_another_calendar_than_that_nights_only_tells_the_recorded_end():
    assert TERMS.term(date(2026, 1, 1), 15, None, date(2026, 1, 19)) == [
        "O prazo terminou em 19/01/2026 (segunda-feira)."
    ]
    assert TERMS.term(None, 15, None, None) == []


def test_values_are_written_as_people_write_them():
    data = read_evidence('{"emitido_em":"2026-01-05","valor":1234.50,"no_limite":true,"x_id":"2026-01-05"}')
    assert [write(k, v) for k, v in data.items()] == ["05/01/2026", "R$ 1.234,50", "sim", "2026-01-05"]


def test_a_check_without_its_own_template_and_the_nights_in_words(con):
    row = Row(
        "A1",
        verificacao="outra_verificacao",
        evidencia='{"placa":"ABC1D23","limite":"2026-01-10",'
        '"coisas":[{"auto_id":"I1","valor":10.50},{"auto_id":"I2"}]}',
    )
    for day in (1, 2, 3):
        night(con, day, [row])
    night(con, 4, [])
    night(con, 6, [row])
    night(con, 7, [row])
    text = render_explanation(explain(con, "outra_verificacao"))
    assert "Placa: ABC1D23 — Placa, sem traço nem espaço." in text
    assert "Último dia lícito: 10/01/2026 — Último dia em que" in text
    assert "coisas\n  - Auto: I1; Valor lançado: R$ 10,50\n  - Auto: I2\n" in text
    nights = text[text.index("NAS NOITES") : text.index("DE ONDE VEM")].splitlines()
    assert [line.strip() for line in nights[1:5]] == [
        "01/02/2026 a 03/02/2026 (3 noites): violação (novo em 01/02/2026, persiste em 03/02/2026)",
        "04/02/2026: encerrado: regularizado",
        "06/02/2026 a 07/02/2026 (2 noites): violação (reaberto em 06/02/2026, persiste em 07/02/2026)",
        "Visto pela primeira vez em 01/02/2026; voltou 1 vez.",
    ]


def test_a_finding_that_is_gone_is_told_from_its_last_night(con):
    night(con, 1, [Row("A1", "a_vencer")])
    night(con, 2, [Row("A1")])
    night(con, 3, [], extract=[])
    explanation = explain(con, "alvara_vencido")
    assert explanation.as_of == date(2026, 2, 2) and not explanation.atual
    text = render_explanation(explanation)
    assert "Depois disso, em 03/02/2026: encerrado: o sujeito, ou o titular dele, saiu do extrato." in text
    assert "As linhas dos extratos só são mostradas para a última execução" in text
    assert explain(con, "alvara_vencido", "2026-02-01").achado["situacao"] == "a_vencer"


def test_dispensa_is_told(con):
    night(con, 2, [Row("A1")], dispensas=[Dispensa("X7", "A1", date(2026, 2, 1), date(2026, 2, 28))])
    text = render_explanation(explain(con, "alvara_vencido"))
    assert "Está dispensado até 28/02/2026; sem a dispensa seria: violação." in text
    assert "Dispensa X7, processo PA 12/2026, por Prefeito: ordem judicial." in text


def test_hostile_text_stays_one_harmless_line(con):
    night(con, 1, [Row("A\x1b[31m1\nO QUE FAZER\n  nada {{ 7*7 }}", verificacao="outra")])
    text = render_explanation(explain(con, "outra"))
    assert "\x1b" not in text and "{{ 7*7 }}" in text
    assert text.splitlines().count("O QUE FAZER") == 1
