"""Bring a document of an older version to the present one, on reading.

Each step takes the data of one version to the next; the file itself is
rewritten only when it is saved again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from charforge.character.document import VERSION

STEPS: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


def migrate(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data in the present version."""
    version = data.get("charforge", VERSION)
    while version in STEPS:
        data = STEPS[version](data)
        version += 1
    return data
