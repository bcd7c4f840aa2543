"""What a character is at one moment: frozen, rebuilt by replay, never saved."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from charforge.rules.models import Entity, Option, UnitType
from charforge.rules.ruleset import Ruleset, matches

if TYPE_CHECKING:
    from charforge.character.modifiers import UnitModifiers
    from charforge.character.values import Values

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

    @property
    def words(self) -> str:
        """Its name, how much of it, about whom, how long."""
        spec = self.entity.condition
        amount = f" {self.amount}" if spec is not None and spec.counts else ""
        about = f" ({self.about})" if self.about else ""
        left = self.left or 0
        return f"{self.entity.name}{amount}{about}" + (f" [{left} more]" if left > 1 else "")


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
class FixedModifier:
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
class ChosenOption:
    """An option that is no entity, taken for ``unit`` by a decision.

    ``source`` names it in explanations; ``holding`` is the instance whose
    choice it was, if any.
    """

    unit: str
    source: str
    option: Option
    decision: str
    holding: str = ""


@cache
def _values() -> type[Values]:
    from charforge.character.values import Values  # which reads this module itself

    return Values


# What is worked out of each part of a state when first wanted, and of no other.
WORKED_OUT = {
    "ruleset": ("bearing",),
    "level": ("bearing",),
    "units": ("_units", "bearing"),
    "holdings": ("_by_id", "_numbers", "_on", "bearing"),
    "settled": ("bearing",),
    "chosen": ("bearing",),
    "answers": ("bearing",),
    "numbers": ("bearing",),
    "conditions": ("_under", "bearing"),
}
BEARING = attrgetter(*WORKED_OUT)  # what the changes of values come from, resources apart


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
    settled: tuple[FixedModifier, ...] = ()
    chosen: tuple[ChosenOption, ...] = ()
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
    kept: dict[str, UnitModifiers] = field(
        default_factory=dict, repr=False, compare=False
    )  # by unit, handed on to every state that is made of this one

    def changed(self, **parts: Any) -> State:
        """Return this state with some parts changed: ``replace``, at a tenth of its cost."""
        made = object.__new__(State)
        now = made.__dict__
        now.update(self.__dict__)
        now.update(parts)
        now["cache"] = {}
        for part in parts:
            for stale in WORKED_OUT.get(part, ()):
                now.pop(stale, None)
        return made

    @cached_property
    def bearing(self) -> tuple[object, ...]:
        """Return all that the changes of values come from: one object while none of it changes."""
        found: tuple[object, ...] = BEARING(self)
        return found

    @cached_property
    def _units(self) -> dict[str, Unit]:
        return {unit.id: unit for unit in self.units}

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
        return frozenset([(holding.unit, holding.entity.id) for holding in self.holdings])

    def unit(self, name: str = CHARACTER) -> Unit:
        """Return a unit by id."""
        return self._units[name]

    def has_unit(self, name: str) -> bool:
        """Whether there is a unit with this id."""
        return name in self._units

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
        return self._under.get((unit, entity), 0)

    @cached_property
    def _under(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = {}
        for one in self.conditions:
            place = (one.unit, one.entity.id)
            found[place] = found.get(place, 0) + one.amount
        return found

    def used(self, unit: str, value: str) -> int:
        """Return by how much play has changed a resource of a unit."""
        return self.spent.get((unit, value), 0)

    def all_conditions(self, unit: str, among: Container[str] | None = None) -> Iterator[Condition]:
        """Yield what a unit is under: what was put on it, and what follows from its state.

        ``among`` are the ids of all that matter, if not every condition does.
        """
        for condition in self.conditions:
            if condition.unit == unit and (among is None or condition.entity.id in among):
                yield condition
        values = self.values(unit)
        for entity in self.ruleset.derived_conditions:
            if among is not None and entity.id not in among:
                continue
            if values.applies(entity) and not self.under(unit, entity.id):
                yield Condition(entity, unit, derived=True)

    def gone(self, unit: str = CHARACTER) -> Condition | None:
        """Return what took a unit out of play for good, if anything did."""
        for condition in self.all_conditions(unit):
            if condition.entity.condition is not None and condition.entity.condition.ends:
                return condition
        return None

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
            found = self.cache[unit] = _values()(self, self.unit(unit))
        return found
