"""Conditions in play: a status, an effect or a counter, and the collection of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from charforge.language import _
from charforge.rules.models import Entity

GroupKey = tuple[str, str, str | None]  # unit, entity id, and ``about`` or None for any


class Condition(NamedTuple):
    """A condition of a unit in play: a status, an effect, a counter.

    ``about`` names whom or what it concerns. ``left`` counts the turns that
    remain (None: it stays until something ends it). ``derived`` marks one
    that applies for as long as the unit's values fulfil its formula.
    """

    entity: Entity
    unit: str
    amount: int = 1
    about: str = ""
    left: int | None = None
    derived: bool = False

    @property
    def label(self) -> str:
        """Its name with its amount, whom it concerns and the turns left: ``Burning 2 [3 more]``."""
        spec = self.entity.condition
        amount = f" {self.amount}" if spec is not None and spec.counts else ""
        about = f" ({self.about})" if self.about else ""
        left = self.left or 0
        return f"{self.entity.name}{amount}{about}" + (
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

    def amount(self, unit: str, entity_id: str) -> int:
        """Return the total amount of a condition of a unit; 0 without it."""
        return self._amounts.get((unit, entity_id), 0)

    def numbered(
        self, unit: str, entity_id: str, about: str | None = None
    ) -> Iterable[tuple[int, Condition]]:
        """Return a unit's conditions of an entity with their numbers, in order.

        With ``about`` only those that concern it.
        """
        return self._groups.get((unit, entity_id, about), {}).items()

    def numbered_of(self, unit: str) -> Iterator[tuple[int, Condition]]:
        """Yield all conditions of a unit with their numbers, in order."""
        for number, condition in self._by_number.items():
            if condition.unit == unit:
                yield number, condition

    def modifying(self, unit: str) -> Iterator[Condition]:
        """Yield the conditions of a unit that modify values, by entity."""
        for bearer, entity_id in self._amounts:
            if bearer == unit:
                for condition in self._groups[unit, entity_id, None].values():
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
