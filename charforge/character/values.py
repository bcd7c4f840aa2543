"""Values that explain themselves.

A value is folded from steps: set, add, multiply (rounded down), at_least,
at_most, in that order, ties by source id; so the order in which packs
load never changes a total, and the steps always add up. Lasting steps
make the base; steps of the current layer (the state of play) follow and
make the total.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from charforge.character.modifiers import (
    LEVEL as LEVEL,
    ORDER as ORDER,
    PLAY as PLAY,
    ValueModifier,
    unit_modifiers,
)
from charforge.character.state import State, Unit
from charforge.errors import FormulaError, UnknownId
from charforge.expressions.arithmetic import FunctionScope
from charforge.expressions.formula import LARGEST, Formula
from charforge.rules.models import Entity


class ValueStep(NamedTuple):
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
class ExplainedValue:
    """A value with the steps that made it."""

    id: str
    label: str
    base: int
    total: int
    steps: tuple[ValueStep, ...]


BEYOND = LARGEST + 1
BEFORE_PLAY = ("set", "add")  # what was spent comes after these
Applied = tuple[str, int | float, str, str]  # an operation, its amount, source and note
# A question about the state of play, of a unit: what it spent, is under, or its owner has.
Asks = Callable[[State, str, str], int]
Reads = dict[tuple[Asks, str, str], int]  # every question with its answer, in order


class Derived(NamedTuple):
    """A figure with its steps, and all that it read of the state of play.

    It stands for as long as that is the same: an event that costs Energy
    derives nothing anew that does not read Energy. ``unbounded`` is the
    figure before the bounds of its unit type.
    """

    total: int
    unbounded: int
    steps: list[ValueStep]
    reads: Reads

    def stands(self, state: State) -> bool:
        """Whether it would be derived the same in a state."""
        for (ask, unit, name), answer in self.reads.items():
            if ask(state, unit, name) != answer:
                return False
        return True


def base_of(state: State, unit: str, name: str) -> int:
    """Return a unit's lasting figure."""
    return state.values(unit).read(name)


def total_of(state: State, unit: str, name: str) -> int:
    """Return a unit's figure now."""
    return state.values(unit).now(name)


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


def fold(start: int, changes: Iterable[Applied], lasting: bool) -> tuple[int, list[ValueStep]]:
    """Apply (op, amount, source, note) in order; bounds that change nothing leave no step.

    Raises FormulaError for a figure beyond all use: nothing may grow without end.
    """
    total, steps = start, []
    for op, amount, source, note in changes:
        after = apply(op, total, amount) if -LARGEST <= amount <= LARGEST else BEYOND
        if not -LARGEST <= after <= LARGEST:
            raise FormulaError(note or source, f"the figure goes beyond {LARGEST:,}")
        if after != total or op in ("set", "add"):
            steps.append(ValueStep(source, op, amount, after, note, lasting))
        total = after
    return total, steps


class Values:
    """Every value of one unit at one moment, derived when asked for.

    A figure is derived once for all states with the same changes, for as
    long as what it read of the state of play stays what it was.
    """

    def __init__(self, state: State, unit: Unit) -> None:
        self.state = state
        self.unit = unit
        self.gathered = unit_modifiers(state, unit)
        self._open: set[str] = set()
        self._reads: Reads = {}  # by what is being derived

    def __contains__(self, name: str) -> bool:
        return name in self.unit.type.values

    def ids(self) -> tuple[str, ...]:
        """Return the ids of this unit's values, in the order of its type."""
        return tuple(self.unit.type.values)

    def base(self, name: str) -> int:
        """Return the lasting figure: for maxima, prerequisites and advancement."""
        return self._lasting(name).total

    def unbounded(self, name: str) -> int:
        """Return the lasting figure before the bounds of its unit type."""
        return self._lasting(name).unbounded

    def total(self, name: str) -> int:
        """Return the figure now: for checks, attacks and the sheet."""
        return self._current(name).total

    def explain(self, name: str) -> ExplainedValue:
        """Return a value with all its steps. Raises UnknownId."""
        found = self._current(name)
        label = self.state.ruleset.values[name].label
        return ExplainedValue(name, label, self.base(name), found.total, tuple(found.steps))

    def read(self, name: str) -> int:
        """Return this unit's lasting figure, or its owner's where it has none."""
        return self._known(name, self.gathered.base, current=False)

    name = read  # as ``Reading`` calls it

    def has(self, entity: str) -> bool:
        """Whether the character has an entity, or this unit is under it as a condition."""
        return self.state.has(entity) or self._asked(State.under, self.unit.id, entity) > 0

    def number(self, entity: str) -> int:
        """How many of an entity the character has, or how much of it this unit is under."""
        return self.state.number(entity) + self._asked(State.under, self.unit.id, entity)

    def applies(self, entity: Entity) -> bool:
        """Whether a derived condition holds for this unit, which must have what it asks after."""
        wanted = entity.active_when
        if wanted is None or not wanted.names - {LEVEL} <= self.unit.type.values.keys():
            return False
        return self.holds(wanted)

    def now(self, name: str) -> int:
        """Return this unit's figure now, or its owner's where it has none."""
        return self._known(name, self.gathered.totals, current=True)

    def evaluate(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's lasting figures."""
        return formula.whole_of(self)

    def holds(self, condition: Formula | None) -> bool:
        """Whether a condition holds on the lasting figures; none always does."""
        return condition is None or bool(condition.of(self))

    def evaluate_now(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's figures now, as texts print them."""
        return formula.whole_of(FunctionScope(self.now, self.has, self.number))

    def _lasting(self, name: str) -> Derived:
        return self._derived(name, self.gathered.base, self._made)

    def _current(self, name: str) -> Derived:
        return self._derived(name, self.gathered.totals, self._made_now)

    def _derived(
        self,
        name: str,
        kept: dict[str, Derived],
        make: Callable[[str], tuple[int, int, list[ValueStep]]],
    ) -> Derived:
        """Return what was derived before, where it stands; else derive it, and note what it reads.

        What a figure reads is also read by the figure that it is derived for.
        """
        found = kept.get(name)
        if found is None or (found.reads and not found.stands(self.state)):
            outer, self._reads = self._reads, {}
            try:
                found = kept[name] = Derived(*make(name), self._reads)
            finally:
                self._reads = outer
        if found.reads:
            self._reads |= found.reads
        return found

    def _asked(self, ask: Asks, unit: str, name: str) -> int:
        """Ask something of the state of play, and note it."""
        answer = self._reads[ask, unit, name] = ask(self.state, unit, name)
        return answer

    def _made(self, name: str) -> tuple[int, int, list[ValueStep]]:
        """Derive a lasting figure, unbounded too, and its steps."""
        if name not in self.unit.type.values:
            raise UnknownId(f"value of a {self.unit.type.label}", name, self.ids())
        if name in self._open:
            raise FormulaError(name, "this value is computed from itself")
        self._open.add(name)
        try:
            free, steps = fold(0, self._applying(name, lasting=True), lasting=True)
            total, bounds = fold(free, self._bounds(name), lasting=True)
        finally:
            self._open.discard(name)
        return total, free, steps + bounds

    def _made_now(self, name: str) -> tuple[int, int, list[ValueStep]]:
        """Derive a figure as it is now, unbounded too, and its steps."""
        base, _unbounded, steps, _reads = self._lasting(name)
        free, more = fold(base, self._applying(name, lasting=False), lasting=False)
        if not more:
            return free, free, steps
        total, bounds = fold(free, self._bounds(name), lasting=False)
        return total, free, steps + more + bounds

    def _applying(self, name: str, lasting: bool) -> Iterator[Applied]:
        """Yield the changes of a layer that apply, in their fixed order.

        What play has changed of a resource is the last thing added. Both
        layers read lasting figures, in which a resource is what it is now:
        so what depends on the state of play can never feed itself.
        """
        resource = lasting and self.unit.type.values[name].resource
        spent = self._asked(State.used, self.unit.id, name) if resource else 0
        for change in self.gathered.changes(name):
            if spent and change.op not in BEFORE_PLAY:
                yield "add", spent, PLAY, ""
                spent = 0
            if change.lasting is lasting and (change.when is None or self.holds(change.when)):
                amount, note = self._amount(change)
                yield change.op, amount, change.source, change.note or note
        if spent:
            yield "add", spent, PLAY, ""

    def _amount(self, change: ValueModifier) -> tuple[int | float, str]:
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
            return amount.of(self), note
        return amount.whole_of(self), note

    def _bounds(self, name: str) -> Iterator[Applied]:
        computed = self.unit.type.values[name]
        source = computed.source or self.unit.type.source or self.state.ruleset.id
        if computed.minimum is not None:
            yield "at_least", computed.minimum.whole_of(self), source, ""
        if computed.maximum is not None:
            yield "at_most", computed.maximum.whole_of(self), source, ""

    def _known(self, name: str, kept: dict[str, Derived], current: bool) -> int:
        found = kept.get(name)
        if found is None or not found.stands(self.state):
            return self._name(name, current)
        if found.reads:
            self._reads |= found.reads
        return found.total

    def _name(self, name: str, current: bool) -> int:
        if name == LEVEL:
            return self.state.level_of(self.unit)
        if name in self.unit.type.values:
            return self.total(name) if current else self.base(name)
        if self.unit.owner is None:
            raise FormulaError(name, f"a {self.unit.type.label} has no such value")
        plain = name.rpartition(".")[2]
        return self._asked(total_of if current else base_of, self.unit.owner, plain)
