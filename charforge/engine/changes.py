"""The changes that make a unit's values: gathered from all that bears them, in the fixed order.

What a unit is and holds seldom changes while it is played. What was
gathered is therefore handed on from state to state, with the figures that
no resource has a part in, for as long as nothing that it came from changes.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from charforge.content.models import Entity, Modifier, Table
from charforge.content.ruleset import Ruleset, figure
from charforge.engine.own import NOTHING, Own, own
from charforge.engine.state import Condition, Holding, State, Unit
from charforge.formula import Formula

if TYPE_CHECKING:
    from charforge.engine.derive import Explained, Step

LEVEL = "level"
PLAY = "play"  # the source of what a resource has changed by at the table
ORDER = ("set", "add", "multiply", "at_least", "at_most")
LONGEST_NUMBER = 9  # digits of a number in an id


@dataclass(frozen=True)
class Change:
    """A change that may apply: its amount is a formula, a table's column, or settled.

    ``own`` is what the names of its source's own numbers stand for.
    """

    op: str
    amount: Formula | int | tuple[Table, int]
    source: str
    note: str = ""
    when: Formula | None = None
    lasting: bool = True
    rank: int = 0  # what the unit type says comes before what is held
    own: Own = field(default_factory=dict)

    @cached_property
    def place(self) -> tuple[object, ...]:
        """Where it stands among others: nothing of it depends on the order of a file."""
        amount = "" if isinstance(self.amount, tuple) else str(self.amount)
        return ORDER.index(self.op), self.rank, _counted(self.source), amount, str(self.when)


Found = dict[str, list[Change]]


@dataclass(frozen=True, slots=True)
class Gathered:
    """Every change of a unit's values but what its resources have spent.

    ``lasting`` leaves out the conditions put on it. ``base`` and ``totals``
    are figures already derived of them that no resource has a part in.
    """

    parts: tuple[object, ...]
    now: tuple[object, ...]
    lasting: Mapping[str, list[Change]]
    changes: Mapping[str, list[Change]]
    base: dict[str, tuple[int, list[Step]]] = field(default_factory=dict)
    totals: dict[str, Explained] = field(default_factory=dict)


def gathered(state: State, unit: Unit) -> Gathered:
    """Return the changes of a unit's values; those of an earlier state where they are the same."""
    parts = (state.ruleset, unit, state.holdings, state.chosen,
             state.settled, state.answers, state.numbers)  # fmt: skip
    under = tuple(condition for condition in state.conditions if condition.unit == unit.id)
    now = (state.level, under)
    kept = state.kept.get(unit.id)
    same = kept is not None and all(map(operator.is_, kept.parts, parts))
    if kept is not None and same and kept.now == now:
        return kept
    lasting = kept.lasting if kept is not None and same else _lasting(state, unit)
    found = Gathered(parts, now, lasting, _with_conditions(state, unit, lasting, under))
    state.kept[unit.id] = found
    return found


def with_spent(changes: Sequence[Change], spent: int) -> Sequence[Change]:
    """Return the changes of a resource with what play has changed: the last thing added."""
    if not spent:
        return changes
    first = sum(ORDER.index(change.op) <= ORDER.index("add") for change in changes)
    return (*changes[:first], Change("add", spent, PLAY), *changes[first:])


def _with_conditions(
    state: State, unit: Unit, lasting: Mapping[str, list[Change]], under: Iterable[Condition]
) -> Mapping[str, list[Change]]:
    """Return changes with those of the conditions that a unit is under."""
    more: Found = defaultdict(list)
    for condition in under:
        _modified(state, unit, condition.entity.modifies, condition.entity.id, None, more)
    merged = {name: _in_order([*lasting.get(name, ()), *more[name]]) for name in more}
    return {**lasting, **merged} if merged else lasting


def _lasting(state: State, unit: Unit) -> Found:
    """Gather every change of a unit's values, conditions put on it apart, in the fixed order."""
    found: Found = defaultdict(list)
    _add(found, _of_type(state.ruleset, unit))
    for name, computed in unit.type.values.items():
        if computed.total_of is not None:
            found[name] += _summed(state, unit, computed.total_of)
    if unit.entity is not None:
        _of_entity(state, unit, unit.entity, found)
    for holding in state.held(unit.id):
        if holding.entity.modifies and state.ruleset.kinds[holding.entity.kind].unit is None:
            _add(found, _borne(state, unit, holding))
    for chosen in state.chosen:
        if chosen.unit == unit.id:
            beside = state.holding(chosen.holding)
            _modified(state, unit, chosen.option.modifies, chosen.source, beside, found)
    for settled in state.settled:
        if settled.unit == unit.id:
            change = Change(settled.op, settled.amount, settled.source, settled.note, rank=1)
            found[settled.value].append(change)
    return {name: _in_order(changes) for name, changes in found.items()}


def _add(found: Found, more: Found) -> None:
    for name, changes in more.items():
        found[name] += changes


def _of_type(ruleset: Ruleset, unit: Unit) -> Found:
    """Return what the rules say of every unit of a type; gathered once."""
    place = ("changes of a type", unit.type.id)
    found: Found | None = ruleset.memo.get(place)
    if found is None:
        state = State(ruleset, units=(unit,))
        found = ruleset.memo[place] = defaultdict(list)
        general = unit.type.source or ruleset.id
        for name, computed in unit.type.values.items():
            if computed.formula is not None:
                source = computed.source or general
                found[name].append(Change("set", computed.formula, source))
        for table in unit.type.tables:
            _tabled(table, table.source or ruleset.id, found)
        _modified(state, unit, unit.type.modifies, general, None, found)
        for entity in ruleset.derived_conditions:
            _modified(state, unit, _while(entity, unit), entity.id, None, found)
        for track in ruleset.head.tracks:
            for step, held in track.conditions() if track.value in unit.type.values else ():
                changed = [_only_while(modifier, held) for modifier in step.modifies]
                _modified(state, unit, changed, track.named(step), None, found)
    return found


def _of_entity(state: State, unit: Unit, entity: Entity, found: Found) -> None:
    """Add what a unit's own entity says of it."""
    itself = state.holding(unit.id)
    known = own(state, itself)
    for name, formula in entity.values.items():
        found[name].append(Change("set", formula.given(known), entity.id, rank=1))
    for table in entity.tables:
        _tabled(table, entity.id, found, known)
    _modified(state, unit, entity.modifies, entity.id, itself, found)


def _summed(state: State, unit: Unit, field_name: str) -> Iterator[Change]:
    """Yield what each holding adds to a value that is their total."""
    for holding in state.held(unit.id):
        amount = figure(holding.entity, field_name) * holding.quantity
        if amount and not holding.granted:
            yield Change("add", amount, holding.entity.id)


def _borne(state: State, unit: Unit, holding: Holding) -> Found:
    """Return what a holding changes; gathered once where no choice of its own has a say in it."""
    entity, found = holding.entity, defaultdict[str, list[Change]](list)
    if entity.choices or entity.figures:
        _modified(state, unit, entity.modifies, entity.id, holding, found)
        return found
    place = ("changes of an entity", entity.id, unit.type.id)
    if place not in state.ruleset.memo:
        _modified(state, unit, entity.modifies, entity.id, holding, found)
        state.ruleset.memo[place] = found
    kept: Found = state.ruleset.memo[place]
    return kept


def _in_order(changes: list[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: change.place) if len(changes) > 1 else changes


def _while(entity: Entity, unit: Unit) -> Iterator[Modifier]:
    """Yield what a derived condition changes while it holds, for a unit that can be under it."""
    wanted = entity.active_when
    if wanted is None or not wanted.names <= {LEVEL, *unit.type.values}:
        return
    for modifier in entity.modifies:
        yield _only_while(modifier, wanted)


def _only_while(modifier: Modifier, wanted: Formula) -> Modifier:
    """Return a modifier that applies only while a condition holds besides its own."""
    own = modifier.when
    when = wanted if own is None else Formula(f"({wanted}) and ({own})")
    return modifier.model_copy(update={"when": when})


def _counted(source: str) -> list[str]:
    """Return a source so that its numbers sort as numbers: level 10 after level 2."""
    return [part.zfill(LONGEST_NUMBER) if part.isdigit() else part for part in source.split(".")]


def _tabled(table: Table, source: str, found: Found, known: Own = NOTHING) -> None:
    for column, name in enumerate(table.columns):
        found[name].append(Change("set", (table, column), source, own=known))


def _modified(
    state: State,
    unit: Unit,
    modifiers: Iterable[Modifier],
    source: str,
    holding: Holding | None,
    found: Found,
) -> None:
    """Add modifiers, groups spread out and choices looked up."""
    modifiers = tuple(modifiers)
    known = own(state, holding) if modifiers else NOTHING
    for modifier in modifiers:
        lasting = modifier.layer == "lasting"
        amount = modifier.amount.given(known)
        when = None if modifier.when is None else modifier.when.given(known)
        change = Change(modifier.op, amount, source, "", when, lasting, 1)
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
