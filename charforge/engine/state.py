"""What a character is at one moment: frozen, rebuilt by replay, never saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from charforge.content.models import Entity, Option, UnitType
from charforge.content.ruleset import Ruleset, matches

if TYPE_CHECKING:
    from charforge.engine.changes import Gathered
    from charforge.engine.derive import Values

CHARACTER = "character"


@dataclass(frozen=True, slots=True)
class Holding:
    """Something a unit has. ``id`` is the path of its gain, unique and stable.

    ``origin`` is the decision, holding, step or event that gave it;
    ``level`` the character's level at that moment; ``granted`` that the GM
    gave it beyond the rules, so that it takes nothing of a budget;
    ``note`` what was said of it; ``title`` the name that its own choice
    gave it.
    """

    id: str
    entity: Entity
    unit: str
    origin: str
    level: int
    quantity: int = 1
    granted: bool = False
    note: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        """What it is called: its own title, else its entity's name."""
        return self.title or self.entity.name


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that a unit is under in play: a status, an effect, a counter.

    ``about`` says whom or what it concerns; ``left`` how many of its
    moments are still to pass (None: it stays until something ends it);
    ``derived`` that the unit is under it for as long as its state says so.
    """

    entity: Entity
    unit: str
    amount: int = 1
    about: str = ""
    left: int | None = None
    derived: bool = False


@dataclass(frozen=True, slots=True)
class Unit:
    """Anything with values: the character itself, a companion, a vehicle.

    ``advances`` counts its own levels beyond the first; a unit whose type
    takes its owner's level ignores it.
    """

    id: str
    type: UnitType
    name: str
    entity: Entity | None = None
    owner: str | None = None
    advances: int = 0

    @property
    def title(self) -> str:
        """Its name, with what it is where the name does not say so: ``Rex (Land Beast)``."""
        if self.entity is None or self.name.startswith(self.entity.name):
            return self.name
        return f"{self.name} ({self.entity.name})"


@dataclass(frozen=True, slots=True)
class Settled:
    """A change of a value whose amount was settled when it was gained.

    What a level's dice gave stays, even if the score they read changes
    later; ``note`` shows how the amount came about.
    """

    unit: str
    value: str
    op: str
    amount: int
    source: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An option that is no entity, taken for ``unit``.

    ``source`` names it in explanations; ``holding`` is the instance whose
    choice it was, if any.
    """

    unit: str
    source: str
    option: Option
    holding: str = ""


@dataclass(frozen=True)
class State:
    """A character as its decisions so far have made it.

    ``answers`` holds only answers in effect, by decision id; ``numbers``
    what the dice of a holding's own choice came to. The first
    unit is the character. The rest is the state of play: ``spent`` what
    each resource has changed by, by unit (or item) and value; ``cooling``
    the (item, action) pairs on cooldown; ``in_hand`` how many pieces of an
    item are held. ``allowed`` are the decisions whose answer
    breaks a rule with somebody's leave.
    """

    ruleset: Ruleset
    level: int = 1
    rules: Mapping[str, str] = field(default_factory=dict)
    units: tuple[Unit, ...] = ()
    holdings: tuple[Holding, ...] = ()
    settled: tuple[Settled, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    answers: Mapping[str, Any] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    spent: Mapping[tuple[str, str], int] = field(default_factory=dict)
    conditions: tuple[Condition, ...] = ()
    cooling: tuple[tuple[str, str], ...] = ()
    in_hand: Mapping[str, int] = field(default_factory=dict)
    allowed: frozenset[str] = frozenset()
    cache: dict[str, Values] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # of this state alone: a changed one starts empty
    kept: dict[str, Gathered] = field(
        default_factory=dict, repr=False, compare=False
    )  # by unit, handed on to every state that is made of this one

    def changed(self, **parts: Any) -> State:
        """Return this state with some parts changed: ``replace``, at a tenth of its cost."""
        made = object.__new__(State)
        made.__dict__.update(self.__dict__, **parts, cache={})
        if "holdings" in parts:
            for index in ("_by_id", "_numbers", "_on"):
                made.__dict__.pop(index, None)
        return made

    @cached_property
    def _by_id(self) -> dict[str, Holding]:
        return {holding.id: holding for holding in self.holdings}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """How many of each entity are held in all."""
        found: dict[str, int] = {}
        for holding in self.holdings:
            found[holding.entity.id] = found.get(holding.entity.id, 0) + holding.quantity
        return found

    @cached_property
    def _on(self) -> frozenset[tuple[str, str]]:
        """Which unit holds which entity."""
        return frozenset((holding.unit, holding.entity.id) for holding in self.holdings)

    def unit(self, name: str = CHARACTER) -> Unit:
        """Return a unit by id."""
        return next(unit for unit in self.units if unit.id == name)

    def level_of(self, unit: Unit) -> int:
        """Return a unit's level: its own, or its owner's where its type says so."""
        if unit.id == CHARACTER or unit.type.level == "owner":
            return self.level
        return 1 + unit.advances

    def held(self, unit: str) -> Iterator[Holding]:
        """Yield what a unit holds, in the order of gaining."""
        return (holding for holding in self.holdings if holding.unit == unit)

    def holding(self, name: str) -> Holding | None:
        """Return a holding by instance id."""
        return self._by_id.get(name)

    def text(self, entity: Entity) -> str:
        """Return an entity's text under this table's rules."""
        for ruled in entity.ruled:
            if self.rules.get(ruled.rule) == ruled.option:
                return ruled.text
        return entity.text

    def has(self, entity: str) -> bool:
        """Whether anyone of this character's holds the entity."""
        return entity in self._numbers

    def has_on(self, unit: str, entity: str) -> bool:
        """Whether a unit itself holds the entity."""
        return (unit, entity) in self._on

    def under(self, unit: str, entity: str) -> int:
        """Return the amount of a condition that a unit is under; 0 where it is not."""
        return sum(c.amount for c in self.conditions if (c.unit, c.entity.id) == (unit, entity))

    def all_conditions(self, unit: str) -> Iterator[Condition]:
        """Yield what a unit is under: what was put on it, and what follows from its state."""
        yield from (condition for condition in self.conditions if condition.unit == unit)
        values = self.values(unit)
        for entity in self.ruleset.derived_conditions:
            if values.applies(entity) and not self.under(unit, entity.id):
                yield Condition(entity, unit, derived=True)

    def holder(self, entity: Entity, unit: str) -> str:
        """Return who holds what a unit gains: some kinds go to the character."""
        return CHARACTER if self.ruleset.kinds[entity.kind].held_by == CHARACTER else unit

    def bearer(self, holding: Holding) -> str:
        """Return the unit that a holding's choices and grants concern: itself when it is one."""
        made = self.ruleset.kinds[holding.entity.kind].unit
        return holding.id if made is not None else holding.unit

    def number(self, entity: str) -> int:
        """How many of an entity are held in all."""
        return self._numbers.get(entity, 0)

    def trained(self, entity: Entity, holding: str = "") -> bool:
        """Whether the character is trained with an entity it might use.

        Some Training held covers it; or it, or what it was gained as a
        part of (``holding`` is its instance id), brings its own Training.
        """
        if entity.own_training:
            return True
        for other in self.holdings:
            if other.entity.covers is not None and matches(other.entity.covers, entity):
                return True
            if other.entity.own_training and holding.startswith(f"{other.id}."):
                return True
        return False

    def values(self, unit: str = CHARACTER) -> Values:
        """Return the explained values of a unit, computed once a state."""
        found = self.cache.get(unit)
        if found is None:
            from charforge.engine.derive import Values

            found = self.cache[unit] = Values(self, self.unit(unit))
        return found
