"""The data of a character at one moment: units, holdings, conditions, answers.

A condition is a status, an effect or a counter. All of it is plain data with look-ups.
``modifiers`` and ``values`` calculate from it, and ``state`` combines both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from charforge.expressions.formula import SHARED, TAG_PREFIX, Formula
from charforge.language import _
from charforge.rules.models import Entity, Option, RuledText, UnitType, UseLimit, digest_of
from charforge.rules.ruleset import Ruleset, matches

GroupKey = tuple[str, str, str | None]  # unit, entity id, and ``about`` or None for any


class Condition(NamedTuple):
    """A condition of a unit in play: a status, an effect, a counter.

    ``about`` names whom or what it concerns; ``subject`` is that as players
    read it, such as the label of a value. ``left`` counts the turns that
    remain (None: it stays until something ends it). ``derived`` marks one
    that applies for as long as the unit's values fulfil its formula.
    """

    entity: Entity
    unit: str
    amount: int = 1
    about: str = ""
    left: int | None = None
    derived: bool = False
    subject: str = ""

    @property
    def name(self) -> str:
        """Its name with whom or what it concerns: ``Marked (Stealth)``."""
        return about_subject(self.entity.name, self.subject)

    @property
    def label(self) -> str:
        """Its name with its amount, whom it concerns and the turns left: ``Burning 2 [3 more]``."""
        amount = f" {self.amount}" if self.entity.counts else ""
        left = self.left or 0
        return about_subject(self.entity.name + amount, self.subject) + (
            _(" [{left} more]").format(left=left) if left > 1 else ""
        )

    @property
    def internal(self) -> bool:
        """Whether it only helps the rules to count."""
        return self.entity.condition is not None and self.entity.condition.internal

    @property
    def hidden(self) -> bool:
        """Whether it only remembers what happened, and players never read of it."""
        return self.entity.condition is not None and self.entity.condition.hidden


def about_subject(name: str, subject: str) -> str:
    """Return the name of a condition with whom or what it concerns, if anything."""
    return f"{name} ({subject})" if subject else name


class Conditions:
    """The conditions put on all units, in the order in which they were put on.

    It never changes: adding or replacing returns a new collection. Each
    condition has a number, under which it can be replaced. Groups by unit,
    entity and ``about`` are carried over from one collection to the next, so
    that replaying a log with thousands of conditions need not search all of
    them for each event.
    """

    __slots__ = ("_amounts", "_by_number", "_groups", "_next_number")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self) -> None:
        self._by_number: dict[int, Condition] = {}
        self._groups: dict[GroupKey, dict[int, Condition]] = {}
        self._amounts: dict[tuple[str, str], int] = {}
        self._next_number = 0

    def __iter__(self) -> Iterator[Condition]:
        return iter(self._by_number.values())

    def __len__(self) -> int:
        return len(self._by_number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Conditions) and tuple(self) == tuple(other)

    def amount(self, unit_id: str, entity_id: str) -> int:
        """Return the total amount of a condition of a unit; 0 without it."""
        return self._amounts.get((unit_id, entity_id), 0)

    def numbered(
        self, unit_id: str, entity_id: str, about: str | None = None
    ) -> Iterable[tuple[int, Condition]]:
        """Return a unit's conditions of an entity with their numbers, in order.

        With ``about`` only those that concern it.
        """
        return self._groups.get((unit_id, entity_id, about), {}).items()

    def numbered_of(self, unit_id: str) -> Iterator[tuple[int, Condition]]:
        """Yield all conditions of a unit with their numbers, in order."""
        for number, condition in self._by_number.items():
            if condition.unit == unit_id:
                yield number, condition

    def amount_about(self, unit_id: str, entity_id: str, about: str) -> int:
        """Return how often a condition of a unit about something counts; 0 without it."""
        return sum(condition.amount for _n, condition in self.numbered(unit_id, entity_id, about))

    def modifying(self, unit_id: str) -> Iterator[Condition]:
        """Yield the conditions of a unit that modify values, by entity."""
        for bearer, entity_id in self._amounts:
            if bearer == unit_id:
                for condition in self._groups[unit_id, entity_id, None].values():
                    if not condition.entity.modifies:
                        break
                    yield condition

    def add(self, condition: Condition) -> Conditions:
        """Return the collection with a condition added at the end."""
        changed = self._copy()
        number, changed._next_number = self._next_number, self._next_number + 1
        changed._by_number[number] = condition
        for key in _group_keys(condition):
            changed._groups[key] = {**self._groups.get(key, {}), number: condition}
        amount = self.amount(condition.unit, condition.entity.id) + condition.amount
        changed._amounts[condition.unit, condition.entity.id] = amount
        return changed

    def replace(self, changes: Mapping[int, Condition | None]) -> Conditions:
        """Return the collection with some conditions replaced, by number; None removes one.

        What replaces a condition has the same unit, entity and ``about``.
        """
        changed = self._copy()
        groups: dict[GroupKey, dict[int, Condition]] = {}
        for number, condition in changes.items():
            former = self._by_number[number]
            _put(changed._by_number, number, condition)
            for key in _group_keys(former):
                if key not in groups:
                    groups[key] = self._groups[key].copy()
                _put(groups[key], number, condition)
            amount = 0 if condition is None else condition.amount
            changed._amounts[former.unit, former.entity.id] += amount - former.amount
        changed._groups.update(groups)
        return changed

    def _copy(self) -> Conditions:
        copied = Conditions()
        copied._by_number = self._by_number.copy()
        copied._groups = self._groups.copy()
        copied._amounts = self._amounts.copy()
        copied._next_number = self._next_number
        return copied


def _group_keys(condition: Condition) -> tuple[GroupKey, GroupKey]:
    """Return the keys of the groups that a condition belongs to."""
    unit, entity_id = condition.unit, condition.entity.id
    return (unit, entity_id, condition.about), (unit, entity_id, None)


def _put(group: dict[int, Condition], number: int, condition: Condition | None) -> None:
    """Replace the condition with a number in a group; None removes it."""
    if condition is None:
        del group[number]
    else:
        group[number] = condition


CHARACTER = "character"


class Holding(NamedTuple):
    """Something that a unit has: an item, a feature, a companion.

    ``id`` is a path, unique and stable. ``origin`` is the id of the decision,
    holding, step or event that gave it; ``level`` is the character's level at
    that moment. ``granted`` marks a gift of the GM beyond the rules, which
    uses up no budget. ``note`` is the player's remark, ``title`` the name
    that the player gave it.
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
        """The title that the player gave it, or else the name of its entity."""
        return self.title or self.entity.name


class Unit(NamedTuple):
    """Anything with values: the character itself, a companion, a vehicle.

    ``advances`` counts its own levels beyond the first; it is ignored where
    the unit type uses the owner's level.
    """

    id: str
    type: UnitType
    name: str
    entity: Entity | None = None
    owner: str | None = None
    advances: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Its id, its name and that of its entity, in lower case."""
        entity = "" if self.entity is None else self.entity.name
        return tuple(name.casefold() for name in (self.id, self.name, entity))

    @property
    def title(self) -> str:
        """Its name, and that of its entity if it is a different one: ``Rex (Land Beast)``."""
        if self.entity is None or self.name.startswith(self.entity.name):
            return self.name
        return f"{self.name} ({self.entity.name})"


class Holdings(tuple[Holding, ...]):
    """All holdings of a character, in the order of gaining, with look-ups.

    They are kept while other parts of the state change, and with them what is calculated here.
    """

    @cached_property
    def by_id(self) -> dict[str, Holding]:
        """The holdings by id."""
        return {holding.id: holding for holding in self}

    @cached_property
    def quantities(self) -> dict[str, int]:
        """How many of each thing all units hold together, by the names of its entity."""
        quantities: dict[str, int] = {}
        for holding in self:
            for name in names_of(holding.entity):
                quantities[name] = quantities.get(name, 0) + holding.quantity
        return quantities


class RolledSum(NamedTuple):
    """A roll: the faces that count and do not, what was added, and the total.

    ``minimum`` is set only if it raised the total, to ``least``. ``swapped_with`` is the id of the
    value that the dice were rolled for, if the player swapped two.
    """

    dice: str
    counted: tuple[int, ...]
    dropped: tuple[int, ...]
    plus: Formula
    added: int
    total: int
    minimum: Formula | None = None
    least: int = 0
    swapped_with: str = ""


class AmountRow(NamedTuple):
    """The row of a table that an amount is from; ``by`` is the id of what selects it."""

    by: str
    row: int


# What the amount of a step was made of. A text is a name or a sentence; ``describe.formulas`` puts
# the others into words.
NotePart = Formula | RolledSum | AmountRow | str
AmountNote = tuple[NotePart, ...]


class FixedModifier(NamedTuple):
    """A modifier whose amount was fixed when it was gained.

    The result of a level's dice stays the same even if the score that they
    used changes later; ``note`` shows the calculation.
    """

    unit: str
    value: str
    op: str
    amount: int
    source: str
    note: AmountNote = ()


class ChosenOption(NamedTuple):
    """An option without an entity that was chosen for ``unit``.

    ``decision`` is the id of the decision, ``source`` the id that explanations
    name, ``holding`` the id of the holding whose choice it was, if any.
    """

    unit: str
    source: str
    option: Option
    decision: str
    holding: str = ""


class UseCount(NamedTuple):
    """How many times a unit has used something that has a limit, since the count began.

    ``source`` and ``key`` name the ability as in events; without a ``key`` it
    is the limit of an entity, ``source``. ``limit`` says when the count ends.
    """

    unit: str
    source: str
    key: str
    limit: UseLimit
    times: int


class SharedUnit(NamedTuple):
    """The crew or ship of a group, as a member last read it: its id, its name, its values.

    ``values`` are by the ids that formulas read after ``shared.``; ``bounds`` the least and most
    of those that can change in play.
    """

    id: str
    name: str
    values: Mapping[str, int]
    bounds: Mapping[str, tuple[int, int]]

    def changes_to(self, other: SharedUnit) -> dict[str, int]:
        """Return by how much the values of the same unit differ later."""
        changes = {name: other.values.get(name, old) - old for name, old in self.values.items()}
        return {name: by for name, by in changes.items() if by}


def names_of(entity: Entity) -> Iterator[str]:
    """Yield the names by which formulas can mean an entity: its id, its kind, and its tags."""
    yield entity.id
    yield entity.kind
    yield from (TAG_PREFIX + tag for tag in entity.tags)


def _id_and_slug(item: str) -> tuple[str, str]:
    return item, item.rpartition("/")[2]


@dataclass(frozen=True)
class StateData:
    """The data of a character at one moment, without its calculated values.

    ``rules`` are the table rules that were set: option id by rule id. The
    first of ``units`` is the character itself. ``answers`` has only answers
    in effect, by decision id; ``roll_totals`` the dice totals of the choices
    of holdings. State of play: ``resource_changes`` by ids of unit or holding
    and value; ``cooldowns`` as pairs of holding id and action key; ``uses``
    of what can be used only so often;
    ``in_hand`` and ``worn``, the numbers of pieces in hand and worn by holding id. ``allowed`` are
    the ids of holdings that break a rule with the GM's permission,
    ``allowed_values`` pairs of unit and value that were changed so,
    ``allowed_limits`` limits (with unit and excess) that may be exceeded so.
    ``assumed`` are figures by unit and value to calculate with in place of
    the character's own, where a rule is only tried. ``shared`` is what the
    group owns together.
    """

    ruleset: Ruleset
    level: int = 1
    rules: Mapping[str, str] = field(default_factory=dict)
    units: tuple[Unit, ...] = ()
    holdings: Holdings = Holdings()  # noqa: RUF009  (it never changes)
    fixed_modifiers: tuple[FixedModifier, ...] = ()
    chosen_options: tuple[ChosenOption, ...] = ()
    answers: Mapping[str, Any] = field(default_factory=dict)
    roll_totals: Mapping[str, int] = field(default_factory=dict)
    resource_changes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    conditions: Conditions = field(default_factory=Conditions)
    cooldowns: tuple[tuple[str, str], ...] = ()
    uses: tuple[UseCount, ...] = ()
    in_hand: Mapping[str, int] = field(default_factory=dict)
    worn: Mapping[str, int] = field(default_factory=dict)
    allowed: frozenset[str] = frozenset()
    allowed_values: frozenset[tuple[str, str]] = frozenset()
    allowed_limits: frozenset[tuple[str, str, int]] = frozenset()
    assumed: Mapping[tuple[str, str], int] = field(default_factory=dict)
    shared: SharedUnit | None = None

    @cached_property
    def local_formulas(self) -> dict[tuple[str, str], Mapping[str, Formula]]:
        """The formulas of local names by the ids of holding and entity, as far as asked for."""
        return {}

    def unit(self, name: str = CHARACTER) -> Unit:
        """Return a unit by id. Raises KeyError."""
        for unit in self.units:  # two or three: a table of them would take longer
            if unit.id == name:
                return unit
        raise KeyError(name)

    def unit_word(self, unit: Unit) -> str:
        """Return the word for a unit in a command: its name, or its id if that means others too."""
        meant = [one for one in self.units if unit.name.casefold() in one.names]
        return unit.name if unit.name and len(meant) == 1 else unit.id

    def has_unit(self, name: str) -> bool:
        """Return whether there is a unit with this id."""
        return any(unit.id == name for unit in self.units)

    def level_of(self, unit: Unit) -> int:
        """Return the level of a unit: its own, or its owner's if its type says so."""
        if unit.id == CHARACTER or unit.type.level == "owner":
            return self.level
        return 1 + unit.advances

    def holding(self, name: str) -> Holding | None:
        """Return a holding by id, or None."""
        return self.holdings.by_id.get(name)

    def held(self, unit_id: str) -> Iterator[Holding]:
        """Yield the holdings of a unit, in the order of gaining."""
        return (holding for holding in self.holdings if holding.unit == unit_id)

    def has(self, name: str) -> bool:
        """Return whether any unit holds an entity, or anything of a kind or with a tag."""
        return name in self.holdings.quantities

    def unit_has(self, unit_id: str, entity: str) -> bool:
        """Return whether this unit holds the entity."""
        return any(
            holding.unit == unit_id and holding.entity.id == entity for holding in self.holdings
        )

    def number(self, name: str) -> int:
        """Return how many of an entity, a kind or a tag all units hold together."""
        return self.holdings.quantities.get(name, 0)

    def carried(self, name: str, pieces: Callable[[Holding], int]) -> int:
        """Return how many pieces of an entity, a kind or a tag are carried in some way."""
        return sum(pieces(holding) for holding in self.holdings if name in names_of(holding.entity))

    def chosen_words(self, decision: str) -> frozenset[str]:
        """Return what was chosen at a decision: ids, and the slugs of entities.

        A question of advancement was asked at each level: everything chosen there counts.
        """
        answers = (self.answers.get(name, ()) for name in self.ruleset.decisions_of(decision))
        lists = (answer if isinstance(answer, list | tuple) else [answer] for answer in answers)
        items = (str(item) for answer in lists for item in answer)
        return frozenset(part for item in items for part in _id_and_slug(item))

    def holder(self, entity: Entity, unit_id: str) -> str:
        """Return the unit (id) that holds what ``unit_id`` gains; for some kinds the character."""
        return CHARACTER if self.ruleset.kinds[entity.kind].held_by == CHARACTER else unit_id

    def bearer(self, holding: Holding) -> str:
        """Return the id of the unit that a holding's choices affect: itself if it is a unit."""
        unit_type = self.ruleset.kinds[holding.entity.kind].unit
        return holding.id if unit_type is not None else holding.unit

    def condition_amount(self, unit_id: str, entity: str) -> int:
        """Return the amount of a condition that was put on a unit; 0 without it."""
        return self.conditions.amount(unit_id, entity)

    def times_used(self, unit_id: str, source: str, key: str = "") -> int:
        """Return how often a unit has used something limited since its count began."""
        name = (unit_id, source, key)
        return next((u.times for u in self.uses if (u.unit, u.source, u.key) == name), 0)

    def resource_change(self, unit_id: str, value: str) -> int:
        """Return by how much a resource of a unit was changed in play."""
        return self.resource_changes.get((unit_id, value), 0)

    def shared_figure(self, name: str) -> int:
        """Return a value of what the group owns by its name in formulas; 0 without one."""
        return 0 if self.shared is None else self.shared.values.get(name.removeprefix(SHARED), 0)

    def text(self, entity: Entity) -> str:
        """Return the text of an entity under this table's rules."""
        return self._described(entity).text

    def digest(self, entity: Entity) -> str:
        """Return the digest of an entity under this table's rules; its text if it has none."""
        return digest_of(self._described(entity))

    def _described(self, entity: Entity) -> Entity | RuledText:
        """Return what describes an entity under this table's rules, with its text and digest."""
        if not entity.ruled:
            return entity
        chosen = {**self.ruleset.table_rule_options(self.rules), **self.rules}
        return next((o for o in entity.ruled if chosen.get(o.rule) == o.option), entity)

    def is_attached(self, holding: Holding) -> bool:
        """Return whether an item is part of the body: it came with one of ``gear.attached``."""
        attached = self.ruleset.head.gear.attached
        roots = [one for one in self.holdings if one.entity.id in attached]
        return any(holding.id.startswith(f"{root.id}.") for root in roots)

    def pieces_in_hand(self, holding: Holding) -> int:
        """Return how many pieces of an item are held; an attached one always is."""
        return 1 if self.is_attached(holding) else self.in_hand.get(holding.id, 0)

    def pieces_worn(self, holding: Holding) -> int:
        """Return how many pieces of an item are worn."""
        return self.worn.get(holding.id, 0)

    def trained(self, entity: Entity, holding: str = "") -> bool:
        """Return whether the character is trained with an entity.

        That is so if a Training it holds covers the entity, if the entity
        brings its own, or if the item with which ``holding`` (an id) came does.
        """
        if entity.own_training:
            return True
        for other in self.holdings:
            if other.entity.covers is not None and matches(other.entity.covers, entity):
                return True
            if other.entity.own_training and holding.startswith(f"{other.id}."):
                return True
        return False
