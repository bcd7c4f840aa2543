"""What the rules offer and grant: which entities anybody comes by, and what sort of unit does."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from charforge.character.state import CHARACTER
from charforge.rules.models import Ask, Entity, Grant, Query
from charforge.rules.ruleset import Ruleset


class Offers:
    """What creation, levels, the shop and other entities bring, read from the rules alone."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def lacks(self, entity: Entity) -> bool:
        """Whether an entity is of a kind that characters come by, and yet nothing brings it."""
        if entity.alias_of is not None or entity.condition is not None:
            return False
        return entity.kind in self._gained_kinds and entity.id not in self.offered

    @cached_property
    def _gained_kinds(self) -> frozenset[str]:
        """The kinds of which anything is offered at all: the others only explain words."""
        return frozenset(name.partition("/")[0] for name in self.offered)

    @cached_property
    def offered(self) -> frozenset[str]:
        """What creation, levels, the shop or another entity brings."""
        head = self.ruleset.head
        found: set[str] = set()
        for step in head.creation:
            found |= self._of(step) if isinstance(step, Ask) else self._given(step.grants)
        for ask in (*head.advancement.asks, *(ask for unit in head.units for ask in unit.asks)):
            found |= self._of(ask)
        for entity in self.ruleset.entities.values():
            more = self._given(entity.grants)
            for ask in (*entity.choices, *entity.each_level):
                more |= self._of(ask)
            found |= more - {entity.id}
            if entity.kind in head.gear.kinds and _priced(entity):
                found.add(entity.id)
        return frozenset(found)

    @cached_property
    def queries(self) -> frozenset[Query]:
        """What the questions ask for that choose among entities."""
        head = self.ruleset.head
        asks = [step for step in head.creation if isinstance(step, Ask)]
        asks += [*head.advancement.asks, *(ask for unit in head.units for ask in unit.asks)]
        for entity in self.ruleset.entities.values():
            asks += [*entity.choices, *entity.each_level]
        return frozenset(ask.query for ask in asks if ask.query is not None)

    def _of(self, ask: Ask) -> set[str]:
        entities = self.ruleset.select(ask.query) if ask.query is not None else ()
        granted = (self._given(option.grants) for option in ask.listed_options)
        return {entity.id for entity in entities}.union(*granted)

    def bearers(self, entity: Entity) -> frozenset[str]:
        """Return the types of unit that may gain an entity: any, where nothing says which."""
        return frozenset(self._bearers.get(entity.id) or self.ruleset.units)

    @cached_property
    def _bearers(self) -> dict[str, set[str]]:
        """Return the types of unit that gain each entity: that of whoever is asked or granted."""
        head, own = self.ruleset.head, self.ruleset.head.units[0].id
        found: dict[str, set[str]] = {}
        waiting: list[tuple[str, str]] = []

        def bear(names: Iterable[str], unit: str) -> None:
            for name in names:
                kind = self.ruleset.kinds[name.partition("/")[0]]
                bearer = own if kind.held_by == CHARACTER else unit
                if bearer not in found.setdefault(name, set()):
                    found[name].add(bearer)
                    waiting.append((name, kind.unit or bearer))

        for step in head.creation:
            bear(self._of(step) if isinstance(step, Ask) else self._given(step.grants), own)
        for ask in head.advancement.asks:
            bear(self._of(ask), own)
        for unit in head.units:
            for ask in unit.asks:
                bear(self._of(ask), unit.id)
        bear((e.id for k in head.gear.kinds for e in self.ruleset.of_kind(k) if _priced(e)), own)
        while waiting:
            name, bearer = waiting.pop()
            entity = self.ruleset.entities[name]
            bear(self._given(entity.grants), bearer)
            for ask in (*entity.choices, *entity.each_level):
                bear(self._of(ask), bearer)
        return found

    def _given(self, grants: Iterable[Grant]) -> set[str]:
        return {self.ruleset.canonical(grant.id) for grant in grants}


def _priced(entity: Entity) -> bool:
    """Whether a shop sells it: it, or an option of it, has a price."""
    options = (option for ask in entity.choices for option in ask.listed_options)
    return entity.price is not None or any(option.price is not None for option in options)
