"""Reading the summary in a character file, for when its packs are not the installed ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from charforge.rules.ruleset import Ruleset


def saved_values(values: Any) -> dict[str, int]:
    """Return the numbers in the values of a summary. Anything else in a damaged file is ignored."""
    entries = values.items() if isinstance(values, Mapping) else ()
    return {str(name): number for name, number in entries if isinstance(number, int)}


def entity_name(entity: str, ruleset: Ruleset | None) -> str:
    """Return the name of an entity; made from its id if its pack is not installed."""
    installed = ruleset.entities.get(entity) if ruleset is not None else None
    slug = entity.partition("/")[2] or entity
    return slug.replace("-", " ").capitalize() if installed is None else installed.name
