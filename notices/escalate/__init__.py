"""Escalating: the lists of acts that wait, for each authority that may decide them.

Names are imported when asked for: reading the settings of a municipality must not load the database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from notices.escalate.messages import escalation_messages
    from notices.escalate.settings import EscalationSettings

__all__ = ["EscalationSettings", "escalation_messages"]

_HOMES = {"EscalationSettings": "settings", "escalation_messages": "messages"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
