"""What keeps notices from being composed."""

from __future__ import annotations


class ComposeError(Exception):
    """Notices can't be composed; the message (Portuguese) says why and what to do."""
