"""Composing: what each operator is told, this week or tomorrow morning. Nothing here sends anything."""

from notices.compose.errors import ComposeError
from notices.compose.letters import write_letters
from notices.compose.messages import immediate_messages, weekly_messages
from notices.compose.settings import ComposeSettings

__all__ = ["ComposeError", "ComposeSettings", "immediate_messages", "weekly_messages", "write_letters"]
