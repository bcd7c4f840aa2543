"""The wall clock: the one place that looks at it."""

from __future__ import annotations

from datetime import datetime


def now() -> str:
    """Return the local time to the minute, with its offset."""
    return datetime.now().astimezone().isoformat(sep=" ", timespec="minutes")
