"""Values that explain themselves.

A value is folded from steps: set, add, multiply (rounded down), at_least,
at_most, in that order, ties by source id; so the order in which packs
load never changes a total, and the steps always add up. Lasting steps
make the base; steps of the current layer (the state of play) follow and
make the total.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from charforge.arithmetic import Reading
from charforge.content.models import Entity
from charforge.engine.changes import (
    LEVEL as LEVEL,
    ORDER as ORDER,
    PLAY as PLAY,
    Change,
    gathered,
    with_spent,
)
from charforge.engine.state import State, Unit
from charforge.errors import FormulaError, UnknownId
from charforge.formula import LARGEST, Formula

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class Step:
    """One step towards a value; ``total`` is the figure after it.

    ``source`` is an entity or decision id; ``note`` how the amount came
    about; ``lasting`` whether it belongs to the base. Only a factor may be
    a fraction.
    """

    source: str
    op: str
    amount: int | float
    total: int
    note: str = ""
    lasting: bool = True


@dataclass(frozen=True, slots=True)
class Explained:
    """A value with the steps that made it."""

    id: str
    label: str
    base: int
    total: int
    steps: tuple[Step, ...]


def apply(op: str, total: int, amount: int | float) -> int:
    """Apply one step to a running total."""
    if op == "multiply":
        return math.floor(total * amount)
    whole = int(amount)
    if op == "set":
        return whole
    if op == "add":
        return total + whole
    return max(total, whole) if op == "at_least" else min(total, whole)


def fold(
    start: int, changes: Iterable[tuple[str, int | float, str, str]], lasting: bool
) -> tuple[int, list[Step]]:
    """Apply (op, amount, source, note) in order; bounds that change nothing leave no step.

    Raises FormulaError for a figure beyond all use: nothing may grow without end.
    """
    total, steps = start, []
    for op, amount, source, note in changes:
        if not abs(amount) <= LARGEST or abs(after := apply(op, total, amount)) > LARGEST:
            raise FormulaError(note or source, f"the figure goes beyond {LARGEST:,}")
        if after != total or op in ("set", "add"):
            steps.append(Step(source, op, amount, after, note, lasting))
        total = after
    return total, steps


class Values:
    """Every value of one unit at one moment, derived when asked for.

    A figure that no resource has a part in is derived once for all states
    with the same changes; the others once for this state.
    """

    def __init__(self, state: State, unit: Unit) -> None:
        self.state = state
        self.unit = unit
        self._gathered = gathered(state, unit)
        self._base: dict[str, tuple[int, list[Step]]] = {}
        self._total: dict[str, Explained] = {}
        self._open: set[str] = set()
        self._reading = Reading(self.read, self.has, self.number)
        self._moves = False  # whether a resource has a part in what is being derived

    def __contains__(self, name: str) -> bool:
        return name in self.unit.type.values

    def ids(self) -> tuple[str, ...]:
        """Return the ids of this unit's values, in the order of its type."""
        return tuple(self.unit.type.values)

    def base(self, name: str) -> int:
        """Return the lasting figure: for maxima, prerequisites and advancement."""
        return self._lasting(name)[0]

    def unbounded(self, name: str) -> int:
        """Return the lasting figure before the bounds of its unit type."""
        return fold(0, self._applying(name, lasting=True), lasting=True)[0]

    def total(self, name: str) -> int:
        """Return the figure now: for checks, attacks and the sheet."""
        return self.explain(name).total

    def explain(self, name: str) -> Explained:
        """Return a value with all its steps. Raises UnknownId."""
        return self._derived(name, self._gathered.totals, self._total, self._explained)

    def read(self, name: str) -> int:
        """Return this unit's lasting figure, or its owner's where it has none."""
        steady = self._gathered.base.get(name)
        return self._name(name, current=False) if steady is None else steady[0]

    def has(self, entity: str) -> bool:
        """Whether the character has an entity, or this unit is under it as a condition."""
        return self.state.has(entity) or self.state.under(self.unit.id, entity) > 0

    def number(self, entity: str) -> int:
        """How many of an entity the character has, or how much of it this unit is under."""
        return self.state.number(entity) + self.state.under(self.unit.id, entity)

    def applies(self, entity: Entity) -> bool:
        """Whether a derived condition holds for this unit, which must have what it asks after."""
        wanted = entity.active_when
        names = wanted.names if wanted is not None else frozenset()
        known = all(name in self.unit.type.values or name == LEVEL for name in names)
        return wanted is not None and known and self.holds(wanted)

    def now(self, name: str) -> int:
        """Return this unit's figure now, or its owner's where it has none."""
        steady = self._gathered.totals.get(name)
        return self._name(name, current=True) if steady is None else steady.total

    def evaluate(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's lasting figures."""
        return formula.whole_of(self._reading)

    def holds(self, condition: Formula | None) -> bool:
        """Whether a condition holds on the lasting figures; none always does."""
        return condition is None or bool(condition.of(self._reading))

    def evaluate_now(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's figures now, as texts print them."""
        return formula.whole(self.now, self.has, self.number)

    def _lasting(self, name: str) -> tuple[int, list[Step]]:
        return self._derived(name, self._gathered.base, self._base, self._made)

    def _derived(
        self,
        name: str,
        steady: dict[str, Kept],
        moving: dict[str, Kept],
        make: Callable[[str], Kept],
    ) -> Kept:
        """Return what was derived before, for every such state or for this one; else derive it."""
        found = steady.get(name)
        if found is not None:
            return found
        found = moving.get(name)
        outer, self._moves = self._moves, found is not None
        try:
            if found is None:
                found = make(name)
                (moving if self._moves else steady)[name] = found
        finally:
            self._moves |= outer
        return found

    def _made(self, name: str) -> tuple[int, list[Step]]:
        """Derive a lasting figure and its steps."""
        if name not in self.unit.type.values:
            raise UnknownId(f"value of a {self.unit.type.label}", name, self.ids())
        if name in self._open:
            raise FormulaError(name, "this value is computed from itself")
        self._open.add(name)
        try:
            total, steps = fold(0, self._applying(name, lasting=True), lasting=True)
            total, bounds = fold(total, self._bounds(name), lasting=True)
        finally:
            self._open.discard(name)
        return total, steps + bounds

    def _explained(self, name: str) -> Explained:
        """Derive a figure as it is now, with all its steps."""
        base, steps = self._lasting(name)
        total, more = fold(base, self._applying(name, lasting=False), lasting=False)
        if more:
            total, bounds = fold(total, self._bounds(name), lasting=False)
            more += bounds
        label = self.state.ruleset.values[name].label
        return Explained(name, label, base, total, (*steps, *more))

    def _applying(self, name: str, lasting: bool) -> Iterator[tuple[str, int | float, str, str]]:
        """Yield the changes of a layer that apply, in their fixed order.

        Both layers read lasting figures, in which a resource is what it is
        now: so what depends on the state of play can never feed itself.
        """
        for change in self._changes(name):
            if change.lasting == lasting and self.holds(change.when):
                amount, note = self._amount(change)
                yield change.op, amount, change.source, change.note or note

    def _changes(self, name: str) -> Sequence[Change]:
        changes = self._gathered.changes.get(name, ())
        if not self.unit.type.values[name].resource:
            return changes
        self._moves = True
        return with_spent(changes, self.state.spent.get((self.unit.id, name), 0))

    def _amount(self, change: Change) -> tuple[int | float, str]:
        """Return the amount of a change, and the formula that it comes from."""
        amount = change.amount
        if isinstance(amount, int):
            return amount, ""
        if isinstance(amount, tuple):
            table, column = amount
            row = self.evaluate(Formula(table.by).given(change.own))
            amount = table.cell(row, column).given(change.own)
        note = amount.text if amount.constant is None else ""
        if change.op == "multiply":
            return amount.of(self._reading), note
        return self.evaluate(amount), note

    def _bounds(self, name: str) -> Iterator[tuple[str, int, str, str]]:
        computed = self.unit.type.values[name]
        source = computed.source or self.unit.type.source or self.state.ruleset.id
        if computed.minimum is not None:
            yield "at_least", self.evaluate(computed.minimum), source, ""
        if computed.maximum is not None:
            yield "at_most", self.evaluate(computed.maximum), source, ""

    def _name(self, name: str, current: bool) -> int:
        if name == LEVEL:
            return self.state.level_of(self.unit)
        scope, _, rest = name.rpartition(".")
        if scope or name not in self.unit.type.values:
            if self.unit.owner is None:
                raise FormulaError(name, f"a {self.unit.type.label} has no such value")
            self._moves = True
            return self.state.values(self.unit.owner)._name(rest, current)
        return self.total(name) if current else self.base(name)
