"""The changes that make a unit's values: gathered from all that bears them, in the fixed order.

What a unit is and holds seldom changes while it is played. What was
gathered is therefore handed on from state to state, with the figures
derived of it, for as long as nothing that it came from changes.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from charforge.character.local_formulas import NOTHING, LocalFormulas, local_formulas
from charforge.character.state import Holding, State, Unit
from charforge.expressions.formula import Formula
from charforge.rules.models import Entity, LevelTable, Modifier
from charforge.rules.ruleset import Ruleset, figure

if TYPE_CHECKING:
    from charforge.character.values import Derived

LEVEL = "level"
PLAY = "play"  # the source of what a resource has changed by at the table
ORDER = ("set", "add", "multiply", "at_least", "at_most")
LONGEST_NUMBER = 9  # digits of a number in an id


@dataclass(eq=False)
class ValueModifier:
    """A change that may apply: its amount is a formula, a table's column, or settled.

    ``own`` is what the names of its source's own numbers stand for. Made
    by the hundred in a replay, and so not frozen; nothing ever changes one.
    """

    op: str
    amount: Formula | int | tuple[LevelTable, int]
    source: str
    note: str = ""
    when: Formula | None = None
    lasting: bool = True
    rank: int = 0  # what the unit type says comes before what is held
    own: LocalFormulas = field(default_factory=dict)

    @cached_property
    def place(self) -> tuple[object, ...]:
        """Where it stands among others: nothing of it depends on the order of a file."""
        amount = "" if isinstance(self.amount, tuple) else str(self.amount)
        return ORDER.index(self.op), self.rank, _counted(self.source), amount, str(self.when)


Found = dict[str, list[ValueModifier]]
PLACE = operator.attrgetter("place")
# What the changes of a unit's values come from, itself and its conditions apart.
LASTING = operator.attrgetter("ruleset", "holdings", "chosen", "settled", "answers", "numbers")


@dataclass(slots=True, eq=False)
class UnitModifiers:
    """Every change of a unit's values but what its resources have spent.

    ``borne`` are those of each thing that bears any, ``more`` those of the
    conditions put on it; the changes of a value are put together when they
    are first wanted: many never are. ``base`` and ``totals`` are the
    figures that were derived of them, each with what it read of the state
    of play. ``bearing`` is that of the last state they were right for.
    """

    state: State
    unit: Unit
    bearing: tuple[object, ...]
    under: tuple[Entity, ...]
    borne: Sequence[Found]
    more: Found
    ordered: Found = field(default_factory=dict)
    base: dict[str, Derived] = field(default_factory=dict)
    totals: dict[str, Derived] = field(default_factory=dict)

    def changes(self, name: str) -> list[ValueModifier]:
        """Return the changes of a value, in their fixed order."""
        found = self.ordered.get(name)
        if found is None:
            found = self.ordered[name] = sorted(self._of(name), key=PLACE)
        return found

    def _of(self, name: str) -> Iterator[ValueModifier]:
        state, unit = self.state, self.unit
        summed = unit.type.values[name].total_of
        if summed is not None:
            yield from _summed(state, unit, summed)
        for found in self.borne:
            if name in found:
                yield from found[name]
        for one in state.settled:
            if one.value == name and one.unit == unit.id:
                yield ValueModifier(one.op, one.amount, one.source, one.note, rank=1)
        yield from self.more.get(name, ())

    def serves(self, state: State, unit: Unit, under: tuple[Entity, ...]) -> bool:
        """Whether all that they came from is still the same, conditions included."""
        return self.under == under and self.state.level == state.level and self.lasts(state, unit)

    def lasts(self, state: State, unit: Unit) -> bool:
        """Whether what the unit is and holds is still the same."""
        return self.unit is unit and all(map(operator.is_, LASTING(self.state), LASTING(state)))


def unit_modifiers(state: State, unit: Unit) -> UnitModifiers:
    """Return the changes of a unit's values; those of an earlier state where they are the same."""
    kept = state.kept.get(unit.id)
    if kept is not None and kept.bearing is state.bearing:
        return kept
    under = tuple(c.entity for c in state.conditions if c.entity.modifies and c.unit == unit.id)
    if kept is not None and kept.serves(state, unit, under):
        kept.bearing = state.bearing
        return kept
    lasts = kept is not None and kept.lasts(state, unit)
    borne = kept.borne if kept is not None and lasts else list(_borne(state, unit))
    more: Found = defaultdict(list)
    for entity in under:
        _modified(state, unit, entity.modifies, entity.id, None, more)
    found = state.kept[unit.id] = UnitModifiers(state, unit, state.bearing, under, borne, more)
    return found


def _borne(state: State, unit: Unit) -> Iterator[Found]:
    """Yield what each thing that lasts changes of a unit's values: its type, what it holds."""
    yield _of_type(state.ruleset, unit)
    if unit.entity is not None:
        yield _of_entity(state, unit, unit.entity)
    for holding in state.holdings:
        if holding.unit != unit.id or not holding.entity.modifies:
            continue
        if state.ruleset.kinds[holding.entity.kind].unit is None:
            yield _held(state, unit, holding)
    for chosen in state.chosen:
        if chosen.unit == unit.id and chosen.option.modifies:
            found: Found = defaultdict(list)
            beside = state.holding(chosen.holding)
            _modified(state, unit, chosen.option.modifies, chosen.source, beside, found)
            yield found


def _of_type(ruleset: Ruleset, unit: Unit) -> Found:
    """Return what the rules say of every unit of a type; gathered once."""
    return ruleset.kept(("changes of a type", unit.type.id), lambda: _made_of_type(ruleset, unit))


def _made_of_type(ruleset: Ruleset, unit: Unit) -> Found:
    state = State(ruleset, units=(unit,))
    found: Found = defaultdict(list)
    general = unit.type.source or ruleset.id
    for name, computed in unit.type.values.items():
        if computed.formula is not None:
            source = computed.source or general
            found[name].append(ValueModifier("set", computed.formula, source))
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


def _of_entity(state: State, unit: Unit, entity: Entity) -> Found:
    """Return what a unit's own entity says of it."""
    found: Found = defaultdict(list)
    itself = state.holding(unit.id)
    known = local_formulas(state, itself)
    for name, formula in entity.values.items():
        found[name].append(ValueModifier("set", formula.given(known), entity.id, rank=1))
    for table in entity.tables:
        _tabled(table, entity.id, found, known)
    _modified(state, unit, entity.modifies, entity.id, itself, found)
    return found


def _summed(state: State, unit: Unit, field_name: str) -> Iterator[ValueModifier]:
    """Yield what each holding adds to a value that is their total."""
    for holding in state.held(unit.id):
        amount = figure(holding.entity, field_name) * holding.quantity
        if amount and not holding.granted:
            yield ValueModifier("add", amount, holding.entity.id)


def _held(state: State, unit: Unit, holding: Holding) -> Found:
    """Return what a holding changes; gathered once where no choice of its own has a say in it."""
    entity = holding.entity

    def made() -> Found:
        found: Found = defaultdict(list)
        _modified(state, unit, entity.modifies, entity.id, holding, found)
        return found

    if entity.choices or entity.figures:
        return made()
    return state.ruleset.kept(("changes of an entity", entity.id, unit.type.id), made)


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


def _tabled(table: LevelTable, source: str, found: Found, known: LocalFormulas = NOTHING) -> None:
    for column, name in enumerate(table.columns):
        found[name].append(ValueModifier("set", (table, column), source, own=known))


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
    known = local_formulas(state, holding) if modifiers else NOTHING
    for modifier in modifiers:
        lasting = modifier.layer == "lasting"
        amount = modifier.amount.given(known)
        when = None if modifier.when is None else modifier.when.given(known)
        change = ValueModifier(modifier.op, amount, source, "", when, lasting, 1)
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
