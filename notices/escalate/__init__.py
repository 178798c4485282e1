"""Escalating: the lists of acts that wait, for each authority that may decide them."""

from notices.escalate.messages import escalation_messages, file_stem
from notices.escalate.settings import EscalationSettings

__all__ = ["EscalationSettings", "escalation_messages", "file_stem"]
