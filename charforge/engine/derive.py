"""Values that explain themselves.

A value is folded from steps: set, add, multiply (rounded down), at_least,
at_most, in that order, ties by source id; so the order in which packs
load never changes a total, and the steps always add up. Lasting steps
make the base; steps of the current layer (the state of play) follow and
make the total.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from charforge.content.models import Computed, Modifier, Table
from charforge.content.ruleset import figure
from charforge.engine.state import Holding, State, Unit
from charforge.errors import FormulaError, UnknownId
from charforge.formula import Formula

ORDER = ("set", "add", "multiply", "at_least", "at_most")


@dataclass(frozen=True, slots=True)
class Step:
    """One step towards a value; ``total`` is the figure after it.

    ``source`` is an entity or decision id; ``note`` how the amount came
    about; ``lasting`` whether it belongs to the base.
    """

    source: str
    op: str
    amount: int
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


@dataclass(frozen=True, slots=True)
class _Change:
    """A change that may apply: its amount is still a formula, or settled."""

    op: str
    amount: Formula | int
    source: str
    note: str = ""
    when: Formula | None = None
    lasting: bool = True
    rank: int = 0  # what the unit type says comes before what is held


def apply(op: str, total: int, amount: int) -> int:
    """Apply one step to a running total."""
    if op == "set":
        return amount
    if op == "add":
        return total + amount
    if op == "multiply":
        return math.floor(total * amount)
    return max(total, amount) if op == "at_least" else min(total, amount)


def fold(
    start: int, changes: Iterable[tuple[str, int, str, str]], lasting: bool
) -> tuple[int, list[Step]]:
    """Apply (op, amount, source, note) in order; bounds that change nothing leave no step."""
    total, steps = start, []
    for op, amount, source, note in changes:
        after = apply(op, total, amount)
        if after != total or op in ("set", "add"):
            steps.append(Step(source, op, amount, after, note, lasting))
        total = after
    return total, steps


class Values:
    """Every value of one unit at one moment, computed when asked for."""

    def __init__(self, state: State, unit: Unit) -> None:
        self.state = state
        self.unit = unit
        self._changes = _collect(state, unit)
        self._base: dict[str, tuple[int, list[Step]]] = {}
        self._total: dict[str, Explained] = {}
        self._open: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.unit.type.values

    def ids(self) -> tuple[str, ...]:
        """Return the ids of this unit's values, in the order of its type."""
        return tuple(self.unit.type.values)

    def base(self, name: str) -> int:
        """Return the lasting figure: for maxima, prerequisites and advancement."""
        return self._lasting(name)[0]

    def total(self, name: str) -> int:
        """Return the figure now: for checks, attacks and the sheet."""
        return self.explain(name).total

    def explain(self, name: str) -> Explained:
        """Return a value with all its steps. Raises UnknownId."""
        found = self._total.get(name)
        if found is None:
            base, steps = self._lasting(name)
            total, more = fold(base, self._applying(name, lasting=False), lasting=False)
            if more:
                total, bounds = fold(total, self._bounds(name), lasting=False)
                more += bounds
            label = self.state.ruleset.values[name].label
            found = self._total[name] = Explained(name, label, base, total, (*steps, *more))
        return found

    def evaluate(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's lasting figures."""
        return formula.whole(self._base_name, self.state.has, self.state.number)

    def evaluate_now(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's figures now, as texts print them."""
        return formula.whole(self._total_name, self.state.has, self.state.number)

    def _lasting(self, name: str) -> tuple[int, list[Step]]:
        if name not in self.unit.type.values:
            raise UnknownId(f"value of a {self.unit.type.label}", name, self.ids())
        found = self._base.get(name)
        if found is None:
            if name in self._open:
                raise FormulaError(name, "this value is computed from itself")
            self._open.add(name)
            try:
                total, steps = fold(0, self._applying(name, lasting=True), lasting=True)
                total, bounds = fold(total, self._bounds(name), lasting=True)
            finally:
                self._open.discard(name)
            found = self._base[name] = (total, steps + bounds)
        return found

    def _applying(self, name: str, lasting: bool) -> Iterator[tuple[str, int, str, str]]:
        """Yield the changes of a layer that apply, in their fixed order."""
        read = self._base_name if lasting else self._current_name
        for change in self._changes.get(name, ()):
            if change.lasting != lasting:
                continue
            if change.when is not None and not change.when.evaluate(
                read, self.state.has, self.state.number
            ):
                continue
            amount, note = change.amount, change.note
            if isinstance(amount, Formula):
                note = note or (amount.text if amount.constant is None else "")
                amount = amount.whole(read, self.state.has, self.state.number)
            yield change.op, amount, change.source, note

    def _bounds(self, name: str) -> Iterator[tuple[str, int, str, str]]:
        computed = self.unit.type.values[name]
        source = computed.source or self.unit.type.source or self.state.ruleset.id
        if computed.minimum is not None:
            yield "at_least", self.evaluate(computed.minimum), source, ""
        if computed.maximum is not None:
            yield "at_most", self.evaluate(computed.maximum), source, ""

    def _base_name(self, name: str) -> int:
        return self._name(name, current=False)

    def _total_name(self, name: str) -> int:
        return self._name(name, current=True)

    def _current_name(self, name: str) -> int:
        """Read a name for the current layer: resources as they are, the rest lasting."""
        return self._base_name(name)

    def _name(self, name: str, current: bool) -> int:
        if name == "level":
            return self.state.level_of(self.unit)
        scope, _, rest = name.rpartition(".")
        if scope or name not in self.unit.type.values:
            owner = self.unit.owner if scope == "owner" or self.unit.owner else self.unit.id
            if owner is None or (not scope and owner == self.unit.id):
                raise FormulaError(name, f"a {self.unit.type.label} has no such value")
            return self.state.values(owner)._name(rest, current)
        return self.total(name) if current else self.base(name)


def _collect(state: State, unit: Unit) -> dict[str, list[_Change]]:
    """Gather every change of every value of a unit, in the fixed order."""
    found: dict[str, list[_Change]] = defaultdict(list)
    for name, computed in unit.type.values.items():
        found[name].extend(_own(state, unit, computed))
    for table in unit.type.tables:
        _tabled(state, unit, table, table.source or state.ruleset.id, found)
    _modified(state, unit, unit.type.modifies, unit.type.source or state.ruleset.id, None, found)
    if unit.entity is not None:
        for name, formula in unit.entity.values.items():
            found[name].append(_Change("set", formula, unit.entity.id, rank=1))
        for table in unit.entity.tables:
            _tabled(state, unit, table, unit.entity.id, found)
        own = state.holding(unit.id)
        _modified(state, unit, unit.entity.modifies, unit.entity.id, own, found)
    for holding in state.held(unit.id):
        if state.ruleset.kinds[holding.entity.kind].unit is None:
            _modified(state, unit, holding.entity.modifies, holding.entity.id, holding, found)
    for chosen in state.chosen:
        if chosen.unit == unit.id:
            _modified(state, unit, chosen.option.modifies, chosen.decision, None, found)
    for track in state.ruleset.head.tracks:
        step = next(step for step in track.steps if step.id == track.start)
        _modified(state, unit, step.modifies, f"{track.id}.{step.id}", None, found)
    for settled in state.settled:
        if settled.unit == unit.id:
            change = _Change(settled.op, settled.amount, settled.source, settled.note, rank=1)
            found[settled.value].append(change)
    for changes in found.values():
        changes.sort(key=lambda change: (ORDER.index(change.op), change.rank, change.source))
    return found


def _own(state: State, unit: Unit, computed: Computed) -> Iterator[_Change]:
    """Yield what the unit type itself says of a value."""
    source = computed.source or unit.type.source or state.ruleset.id
    if computed.formula is not None:
        yield _Change("set", computed.formula, source)
    if computed.total_of is not None:
        for holding in state.held(unit.id):
            amount = figure(holding.entity, computed.total_of) * holding.quantity
            if amount:
                yield _Change("add", amount, holding.entity.id)


def _tabled(
    state: State, unit: Unit, table: Table, source: str, found: dict[str, list[_Change]]
) -> None:
    row = state.level_of(unit)
    for column, name in enumerate(table.columns):
        found[name].append(_Change("set", table.cell(row, column), source))


def _modified(
    state: State,
    unit: Unit,
    modifiers: Iterable[Modifier],
    source: str,
    holding: Holding | None,
    found: dict[str, list[_Change]],
) -> None:
    """Add modifiers, groups spread out and choices looked up."""
    for modifier in modifiers:
        lasting = modifier.layer == "lasting"
        change = _Change(modifier.op, modifier.amount, source, "", modifier.when, lasting, 1)
        for name in _targets(state, modifier.value, holding):
            if name in unit.type.values:
                found[name].append(change)


def _targets(state: State, target: str, holding: Holding | None) -> tuple[str, ...]:
    if target.startswith("group:"):
        return state.ruleset.group(target[6:])
    if target.startswith("$"):
        taken = state.answers.get(f"{holding.id}.{target[1:]}") if holding else None
        return (taken,) if isinstance(taken, str) else ()
    return (target,)
