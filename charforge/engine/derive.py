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

from charforge.content.models import Computed, Entity, Modifier, Table
from charforge.content.ruleset import figure
from charforge.engine.state import Holding, State, Unit
from charforge.errors import FormulaError, UnknownId
from charforge.formula import Formula

LEVEL = "level"
LONGEST_NUMBER = 9  # digits of a number in an id
PLAY = "play"  # the source of what a resource has changed by at the table
ORDER = ("set", "add", "multiply", "at_least", "at_most")


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


@dataclass(frozen=True, slots=True)
class _Change:
    """A change that may apply: its amount is a formula, a table's column, or settled."""

    op: str
    amount: Formula | int | tuple[Table, int]
    source: str
    note: str = ""
    when: Formula | None = None
    lasting: bool = True
    rank: int = 0  # what the unit type says comes before what is held


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

    def unbounded(self, name: str) -> int:
        """Return the lasting figure before the bounds of its unit type."""
        return fold(0, self._applying(name, lasting=True), lasting=True)[0]

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

    def read(self, name: str) -> int:
        """Return this unit's lasting figure, or its owner's where it has none."""
        return self._name(name, current=False)

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
        return self._name(name, current=True)

    def evaluate(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's lasting figures."""
        return formula.whole(self.read, self.has, self.number)

    def holds(self, condition: Formula | None) -> bool:
        """Whether a condition holds on the lasting figures; none always does."""
        return condition is None or bool(condition.evaluate(self.read, self.has, self.number))

    def evaluate_now(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's figures now, as texts print them."""
        return formula.whole(self.now, self.has, self.number)

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

    def _applying(self, name: str, lasting: bool) -> Iterator[tuple[str, int | float, str, str]]:
        """Yield the changes of a layer that apply, in their fixed order.

        Both layers read lasting figures, in which a resource is what it is
        now: so what depends on the state of play can never feed itself.
        """
        for change in self._changes.get(name, ()):
            if change.lasting == lasting and self.holds(change.when):
                amount, note = self._amount(change)
                yield change.op, amount, change.source, change.note or note

    def _amount(self, change: _Change) -> tuple[int | float, str]:
        """Return the amount of a change, and the formula that it comes from."""
        amount = change.amount
        if isinstance(amount, int):
            return amount, ""
        if isinstance(amount, tuple):
            table, column = amount
            amount = table.cell(self.read(table.by), column)
        note = amount.text if amount.constant is None else ""
        if change.op == "multiply":
            return amount.evaluate(self.read, self.has, self.number), note
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
            return self.state.values(self.unit.owner)._name(rest, current)
        return self.total(name) if current else self.base(name)


def _collect(state: State, unit: Unit) -> dict[str, list[_Change]]:
    """Gather every change of every value of a unit, in the fixed order."""
    found: dict[str, list[_Change]] = defaultdict(list)
    for name, computed in unit.type.values.items():
        found[name].extend(_own(state, unit, name, computed))
    for table in unit.type.tables:
        _tabled(table, table.source or state.ruleset.id, found)
    _modified(state, unit, unit.type.modifies, unit.type.source or state.ruleset.id, None, found)
    if unit.entity is not None:
        for name, formula in unit.entity.values.items():
            found[name].append(_Change("set", formula, unit.entity.id, rank=1))
        for table in unit.entity.tables:
            _tabled(table, unit.entity.id, found)
        own = state.holding(unit.id)
        _modified(state, unit, unit.entity.modifies, unit.entity.id, own, found)
    for holding in state.held(unit.id):
        if state.ruleset.kinds[holding.entity.kind].unit is None:
            _modified(state, unit, holding.entity.modifies, holding.entity.id, holding, found)
    for chosen in state.chosen:
        if chosen.unit == unit.id:
            beside = state.holding(chosen.holding)
            _modified(state, unit, chosen.option.modifies, chosen.source, beside, found)
    for condition in state.conditions:
        if condition.unit == unit.id:
            entity = condition.entity
            _modified(state, unit, entity.modifies, entity.id, None, found)
    for entity in state.ruleset.derived_conditions:
        _modified(state, unit, _while(entity, unit), entity.id, None, found)
    for track in state.ruleset.head.tracks:
        step = next(step for step in track.steps if step.id == track.start)
        _modified(state, unit, step.modifies, f"{track.id}.{step.id}", None, found)
    for settled in state.settled:
        if settled.unit == unit.id:
            change = _Change(settled.op, settled.amount, settled.source, settled.note, rank=1)
            found[settled.value].append(change)
    for changes in found.values():
        changes.sort(key=_place)
    return found


def _while(entity: Entity, unit: Unit) -> Iterator[Modifier]:
    """Yield what a derived condition changes while it holds, for a unit that can be under it."""
    wanted = entity.active_when
    if wanted is None or not wanted.names <= {LEVEL, *unit.type.values}:
        return
    for modifier in entity.modifies:
        when = f"({wanted}) and ({modifier.when})" if modifier.when is not None else wanted
        yield modifier.model_copy(update={"when": Formula(str(when))})


def _place(change: _Change) -> tuple[int, int, list[str], str, str]:
    """Return where a change stands: nothing of it depends on the order of a file."""
    amount = "" if isinstance(change.amount, tuple) else str(change.amount)
    return ORDER.index(change.op), change.rank, _counted(change.source), amount, str(change.when)


def _counted(source: str) -> list[str]:
    """Return a source so that its numbers sort as numbers: level 10 after level 2."""
    return [part.zfill(LONGEST_NUMBER) if part.isdigit() else part for part in source.split(".")]


def _own(state: State, unit: Unit, name: str, computed: Computed) -> Iterator[_Change]:
    """Yield what the unit type itself says of a value."""
    source = computed.source or unit.type.source or state.ruleset.id
    if computed.formula is not None:
        yield _Change("set", computed.formula, source)
    if computed.total_of is not None:
        for holding in state.held(unit.id):
            amount = figure(holding.entity, computed.total_of) * holding.quantity
            if amount and not holding.granted:
                yield _Change("add", amount, holding.entity.id)
    if computed.resource:
        spent = state.spent.get((unit.id, name), 0)
        if spent:
            yield _Change("add", spent, PLAY, rank=2)


def _tabled(table: Table, source: str, found: dict[str, list[_Change]]) -> None:
    for column, name in enumerate(table.columns):
        found[name].append(_Change("set", (table, column), source))


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
