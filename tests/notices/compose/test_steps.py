"""Windows of days: none lost, none twice, both sides of every one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from notices.compose import ComposeSettings
from notices.compose.steps import step_order, windows
from notices.model import DEGRAUS

DEFAULT = ComposeSettings()


def _step(dias: int, settings: ComposeSettings = DEFAULT) -> list[str]:
    return [w.degrau for w in windows(settings) if w.de <= dias and (w.ate is None or dias <= w.ate)]


@pytest.mark.parametrize(
    ("dias", "degrau"),
    [
        (-30, "antes_30"), (-16, "antes_30"), (-15, "antes_15"), (-8, "antes_15"), (-7, "antes_7"), (-2, "antes_7"),
        (-1, "antes_1"), (0, "antes_1"), (1, "depois_0"), (6, "depois_0"), (7, "depois_1"), (13, "depois_1"),
        (14, "depois_2"), (27, "depois_2"), (28, "depois_4"), (55, "depois_4"), (56, "depois_8"), (4000, "depois_8"),
    ],
)  # fmt: skip
def test_both_sides_of_each_window(dias: int, degrau: str) -> None:
    assert _step(dias) == [degrau]


def test_before_the_widest_window_there_is_none() -> None:
    assert _step(-31) == []


@given(
    antes=st.sets(st.integers(1, 200), min_size=1, max_size=6),
    depois=st.sets(st.integers(1, 60), min_size=1, max_size=6),
    dias=st.integers(-200, 800),
)
def test_every_day_has_one_window(antes: set[int], depois: set[int], dias: int) -> None:
    settings = ComposeSettings(dias_antes=tuple(antes), semanas_depois=tuple(depois))
    assert len(_step(dias, settings)) == (dias >= -max(antes))


def test_default_steps_are_those_of_the_ledger() -> None:
    assert set(step_order(DEFAULT)) <= set(DEGRAUS)


@pytest.mark.parametrize("valor", [(), (0, 7), (7, 7)])
def test_wrong_windows_are_refused(valor: tuple[int, ...]) -> None:
    with pytest.raises(ValidationError):
        ComposeSettings(dias_antes=valor)
