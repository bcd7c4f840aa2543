"""The entities and procedures of a compiled ruleset, each read when it is first needed.

A command reads a few of them, and reading all takes most of the time of loading a ruleset.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeVar

from charforge.rules.models import Entity

Part = TypeVar("Part")


class EntityIndex(NamedTuple):
    """Answers about all entities of a ruleset that most commands need.

    ``conditions`` are the ids of those that are conditions, ``renamed`` the present ids by
    former id. ``grants_by_value`` is true if the table of some entity grants something when a
    value reaches a row.
    """

    conditions: tuple[str, ...]
    renamed: Mapping[str, str]
    grants_by_value: bool


def index_entities(entities: Mapping[str, Entity]) -> EntityIndex:
    """Return the index of the entities of a ruleset."""
    if isinstance(entities, CompiledEntities):
        return entities.index
    return EntityIndex(
        tuple(name for name, entity in entities.items() if entity.condition is not None),
        {old: entity.id for entity in entities.values() for old in entity.renamed_from},
        any(entity.value_tables for entity in entities.values()),
    )


class CompiledParts(Mapping[str, Part]):
    """Parts of a compiled ruleset by id. The bytes come from a cache file of this user."""

    def __init__(self, parts: Mapping[str, Part]) -> None:
        self._pickled = {
            name: pickle.dumps(part, pickle.HIGHEST_PROTOCOL) for name, part in parts.items()
        }
        self._read: dict[str, Part] = {}

    def __getstate__(self) -> dict[str, object]:
        """Return what is stored: nothing twice."""
        return {**vars(self), "_read": {}}

    def __getitem__(self, name: str) -> Part:
        part = self._read.get(name)
        if part is None:
            # The cache refuses files that anyone else could have written.
            part = self._read[name] = pickle.loads(self._pickled[name])  # noqa: S301  # nosec B301
        return part

    def __contains__(self, name: object) -> bool:
        return name in self._pickled

    def __iter__(self) -> Iterator[str]:
        return iter(self._pickled)

    def __len__(self) -> int:
        return len(self._pickled)


class CompiledEntities(CompiledParts[Entity]):
    """The entities of a compiled ruleset, with their index."""

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        super().__init__(entities)
        self.index = index_entities(entities)
