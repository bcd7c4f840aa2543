"""The version of the view, which templates are made for.

Fields may be added at any time. Where one is removed or renamed, the version goes up by one, and
the field is listed here with what to use instead, so that the error of an older template says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

VERSION = 1


class Removed(NamedTuple):
    """A field that the view had before a version, and what to write instead of it."""

    version: int
    instead: str


REMOVED: Mapping[tuple[str, str], Removed] = {}  # by class and field
