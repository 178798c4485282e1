"""What can't wait for the weekly notice."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from notices.compose import ComposeSettings, immediate_messages
from notices.model import Mensagem
from tests.notices.compose.base import AS_OF, NORMS, by_recipient


def test_a_permit_that_expires_within_seven_days(immediate: Sequence[Mensagem]) -> None:
    ids = set(by_recipient(immediate))
    assert {"K7", "K2", "K1", "K0"} <= ids
    assert not ids & {"K8", "K15", "K16", "K30"}


def test_a_defence_term_with_three_business_days_left(immediate: Sequence[Mensagem]) -> None:
    ids = set(by_recipient(immediate))
    assert "DEFESA3" in ids and "DEFESA4" not in ids


def test_a_ground_for_cassacao(immediate: Sequence[Mensagem]) -> None:
    por = by_recipient(immediate)
    assert [i.verificacao for i in por["LIMITE"].itens] == ["pontos_cassacao"]
    assert por["LIMITE"].assunto.startswith("Urgente: SITIAC")
    assert not {"VENCE", "NOVATO", "SEM_VISTORIA"} & set(por)


def test_the_limits_are_settings(con: duckdb.DuckDBPyConnection) -> None:
    nada = ComposeSettings(imediato_consequencias=(), imediato_titulo_dias=0, imediato_defesa_dias_uteis=0)
    assert list(immediate_messages(con, AS_OF, nada, NORMS)) == []
    um = ComposeSettings(imediato_consequencias=(), imediato_titulo_dias=1, imediato_defesa_dias_uteis=4)
    assert set(by_recipient(list(immediate_messages(con, AS_OF, um, NORMS)))) == {"K1", "K0", "DEFESA3", "DEFESA4"}


def test_only_the_urgent_is_told(immediate: Sequence[Mensagem]) -> None:
    texto = by_recipient(immediate)["LIMITE"].texto
    assert "AVISO URGENTE" in texto and "PR1" not in texto and "SEUS PONTOS" not in texto
