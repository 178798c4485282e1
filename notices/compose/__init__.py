"""Composing: what each operator is told, this week or tomorrow morning. Nothing here sends anything.

Names are imported when asked for: reading the settings of a municipality must not load the database.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from notices.compose.errors import ComposeError
    from notices.compose.letters import write_letters
    from notices.compose.messages import immediate_messages, weekly_messages
    from notices.compose.settings import ComposeSettings

__all__ = ["ComposeError", "ComposeSettings", "immediate_messages", "weekly_messages", "write_letters"]

_HOMES = {
    "ComposeError": "errors",
    "ComposeSettings": "settings",
    "immediate_messages": "messages",
    "weekly_messages": "messages",
    "write_letters": "letters",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
