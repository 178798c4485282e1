"""A step is due until it, or a later one, was told for that finding; a missed night only delays it."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pytest

from notices.compose import ComposeSettings, immediate_messages, weekly_messages
from notices.model import Item, Mensagem
from tests.notices.compose.base import AS_OF, NORMS, by_recipient, told

SETTINGS = ComposeSettings()


def _item(weekly: Sequence[Mensagem], quem: str) -> Item:
    (item,) = by_recipient(weekly)[quem].itens
    return item


def _again(con: duckdb.DuckDBPyConnection, linhas: Sequence[tuple[str, str, str, int]]) -> set[str]:
    told(con, linhas)
    return set(by_recipient(list(weekly_messages(con, AS_OF, SETTINGS, NORMS))))


@pytest.mark.parametrize(
    ("degrau", "sai"),
    [
        (None, True),  # a missed night, or a first word
        ("semanal", True),
        ("imediato", True),
        ("antes_30", True),
        ("antes_15", False),  # K15 is inside this window
        ("antes_7", False),  # a later one
        ("depois_8", False),
        ("um_que_ja_nao_existe", True),  # a step of other settings counts as a first word
    ],
)
def test_due_unless_that_step_or_a_later_one_was_told(
    con: duckdb.DuckDBPyConnection, weekly: Sequence[Mensagem], degrau: str | None, sai: bool
) -> None:
    item = _item(weekly, "K15")
    linhas = [] if degrau is None else [("K15", item.achado_id, degrau, item.reaberta)]
    assert ("K15" in _again(con, linhas)) == sai


def test_a_finding_that_came_back_is_told_anew(con: duckdb.DuckDBPyConnection, weekly: Sequence[Mensagem]) -> None:
    item = _item(weekly, "K15")
    assert "K15" in _again(con, [("K15", item.achado_id, item.degrau, item.reaberta + 1)])


def test_told_to_somebody_else_is_not_told(con: duckdb.DuckDBPyConnection, weekly: Sequence[Mensagem]) -> None:
    item = _item(weekly, "K15")
    assert "K15" in _again(con, [("K16", item.achado_id, item.degrau, item.reaberta)])


def test_when_all_was_told_nobody_is_written_to(con: duckdb.DuckDBPyConnection, weekly: Sequence[Mensagem]) -> None:
    tudo = [(m.destinatario_id, i.achado_id, i.degrau, i.reaberta) for m in weekly for i in m.itens]
    assert _again(con, tudo) == set()


def test_the_rest_of_what_is_open_comes_along_marked(
    con: duckdb.DuckDBPyConnection, weekly: Sequence[Mensagem]
) -> None:
    mensagem = by_recipient(weekly)["VENCE"]
    primeiro, segundo = mensagem.itens
    told(con, [("VENCE", primeiro.achado_id, primeiro.degrau, 0)])
    outra = by_recipient(list(weekly_messages(con, AS_OF, SETTINGS, NORMS)))["VENCE"]
    assert outra.itens == (segundo,)
    assert "[já avisado]" in outra.texto and "[novo]" in outra.texto
    assert "[" not in mensagem.texto  # where all is new, nothing says so
    assert outra.chave != mensagem.chave


def test_weekly_and_immediate_never_say_the_same(con: duckdb.DuckDBPyConnection, immediate: Sequence[Mensagem]) -> None:
    tudo = [(m.destinatario_id, i.achado_id, i.degrau, i.reaberta) for m in immediate for i in m.itens]
    told(con, tudo)
    semana = list(weekly_messages(con, AS_OF, SETTINGS, NORMS))
    assert not {(m.destinatario_id, i.achado_id) for m in semana for i in m.itens} & {t[:2] for t in tudo}
    assert list(immediate_messages(con, AS_OF, SETTINGS, NORMS)) == []
