"""The only place that reads the clock: today and now, where the municipality is."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo


def now(fuso: str) -> datetime:
    """This instant in the time zone `fuso`."""
    return datetime.now(ZoneInfo(fuso))


def today(fuso: str) -> date:
    """Today's date in the time zone `fuso`."""
    return now(fuso).date()


def day_of(instant: datetime, fuso: str) -> date:
    """The date of an instant in the time zone `fuso`: late in the evening, UTC is already in the next day."""
    return instant.astimezone(ZoneInfo(fuso)).date()
