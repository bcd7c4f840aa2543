"""The modifiers of a unit's values, from its type, holdings, choices and conditions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from charforge.character.state_data import (
    AmountNote,
    Condition,
    FixedModifier,
    Holding,
    StateData,
    Unit,
)
from charforge.expressions.formula import FULL, Formula, choice_key
from charforge.rules.models import Entity, LevelTable, Modifier, Query
from charforge.rules.models.base import BEARER
from charforge.rules.models.entities import LEVEL
from charforge.rules.models.procedures import GEAR_NAMES
from charforge.rules.ruleset import Ruleset, figure, matches, value_named_by

IN_HAND, TRAINED, WORN = GEAR_NAMES
ORDER = ("set", "add", "multiply", "at_least", "at_most")  # in which operations apply
ID_DIGITS = 9  # of a number in an id

LocalFormulas = Mapping[str, Formula]  # by the names that the formulas of a holding use
FALSE, TRUE = Formula(0), Formula(1)
NO_FORMULAS: LocalFormulas = MappingProxyType({})


def local_formulas(data: StateData, holding: Holding | None) -> LocalFormulas:
    """Return the formulas that the names of a holding's fields, choices and figures stand for.

    Choices that are numbers or values have their names; one without an
    answer counts as 0. The answers to all have names for chose(). Gear also
    has the names of its pieces in hand and worn, and of whether the character
    is trained with it.
    """
    if holding is None:
        return NO_FORMULAS
    known, key = data.local_formulas, (holding.id, holding.entity.id)
    if key not in known:
        known[key] = _local_formulas(data, holding)
    return known[key]


def _local_formulas(data: StateData, holding: Holding) -> LocalFormulas:
    known = {name: Formula(number) for name, number in numbers_of_item(data, holding).items()}
    if holding.entity.kind in data.ruleset.head.gear.kinds:
        known |= {
            IN_HAND: Formula(data.pieces_in_hand(holding)),
            WORN: Formula(data.pieces_worn(holding)),
            TRAINED: Formula(int(data.trained(holding.entity, holding.id))),
        }
    if not (holding.entity.choices or holding.entity.figures):
        return known
    for choice in holding.entity.choices:
        known[choice_key(choice.id)] = FALSE
        for word in data.chosen_words(f"{holding.id}.{choice.id}"):
            known[choice_key(choice.id, word)] = TRUE
    for question in holding.entity.numbers:
        name = f"{holding.id}.{question.id}"
        known[question.id] = Formula(data.roll_totals.get(name, data.answers.get(name, 0)))
    figures = {
        figure.id: figure.formula.with_variables(known)
        for figure in holding.entity.figures
        if figure.formula
    }
    return {**known, **figures}


def numbers_of_item(data: StateData, holding: Holding) -> dict[str, int]:
    """Return the numbers in the fields of a holding as the conditions about it change them.

    A number from 0 up is not lowered below 0.
    """
    numbers = data.ruleset.number_fields(holding.entity)
    for entity in data.ruleset.conditions_of_fields:
        amount = data.conditions.amount_about(holding.unit, entity.id, holding.id)
        for modifier in entity.modifies if amount else ():
            if modifier.field in numbers:
                before, change = numbers[modifier.field], (modifier.amount.constant or 0) * amount
                numbers[modifier.field] = max(before + change, min(before, 0))
    return numbers


@dataclass(eq=False)
class ValueModifier:
    """A modifier of one value of one unit.

    ``op`` is one of ORDER. ``amount`` is a formula, a number, or a table with
    the index of a column; ``local_formulas`` are those for the cells of
    the table. ``source`` is an entity or decision id. ``lasting`` modifiers
    count for the base of the value, the others only for its total now.
    Of a condition about an item, a change of attacks is for those of the item that it is
    ``about``, as many ``times`` as the condition counts.
    ``rank`` puts the unit type (0) before holdings and choices (1). ``of`` selects the things
    that change the value, or whose attacks are changed; ``where`` is a further condition.
    """

    op: str
    amount: Formula | int | tuple[LevelTable, int]
    source: str
    note: AmountNote = ()
    when: Formula | None = None
    lasting: bool = True
    rank: int = 0
    local_formulas: LocalFormulas = field(default_factory=dict)
    of: Query | None = None
    where: Formula | None = None
    dice: str = ""
    about: str = ""
    times: int = 1

    @cached_property
    def sort_key(self) -> tuple[object, ...]:
        """Its place among the modifiers of a value, independent of the order of files."""
        amount = "" if isinstance(self.amount, tuple) else str(self.amount)
        return ORDER.index(self.op), self.rank, _padded(self.source), amount, str(self.when)


ModifiersByValue = dict[str, list[ValueModifier]]


class ValueStep(NamedTuple):
    """One step of a value; ``total`` is the figure after it.

    ``source`` is an entity or decision id, ``note`` what the amount was
    made of, ``lasting`` whether the step belongs to the base. Only a factor
    may be a fraction.
    """

    source: str
    op: str
    amount: int | float
    total: int
    note: AmountNote = ()
    lasting: bool = True


class Calculation(NamedTuple):
    """A figure with its steps; ``unbounded`` is the figure before the bounds of the unit type."""

    total: int
    unbounded: int
    steps: list[ValueStep]


class UnitModifiers:
    """All modifiers of a unit's values and attacks, without changes of its resources in play.

    States that differ only in what no modifier reads share them. ``settled`` are the lasting
    figures that read nothing else, so that they are the same in all these states.
    """

    def __init__(self, data: StateData, unit: Unit) -> None:
        self._data = data
        self._unit = unit
        self._sorted: ModifiersByValue = {}
        self.settled: dict[str, Calculation] = {}

    @cached_property
    def _sources(self) -> list[ModifiersByValue]:
        return list(_sources(self._data, self._unit))

    @cached_property
    def _fixed(self) -> dict[str, list[FixedModifier]]:
        """The modifiers with a fixed amount, by the value that they change."""
        by_value: defaultdict[str, list[FixedModifier]] = defaultdict(list)
        for fixed in self._data.fixed_modifiers:
            if fixed.unit == self._unit.id:
                by_value[fixed.value].append(fixed)
        return by_value

    def of(self, value: str) -> list[ValueModifier]:
        """Return the modifiers of a value or a part of attacks, in the order of their effect."""
        modifiers = self._sorted.get(value)
        if modifiers is None:
            modifiers = sorted(self._collect(value), key=lambda modifier: modifier.sort_key)
            self._sorted[value] = modifiers
        return modifiers

    def _collect(self, value: str) -> Iterator[ValueModifier]:
        computed = self._unit.type.values.get(value)
        if computed is not None and computed.total_of is not None:
            yield from _summed(self._data, self._unit, computed.total_of)
        for modifiers in self._sources:
            for modifier in modifiers.get(value, ()):
                if computed is None or modifier.of is None:
                    yield modifier
                else:
                    yield from _of_selected(self._data, self._unit, modifier, modifier.of)
        for fixed in self._fixed.get(value, ()):
            yield ValueModifier(fixed.op, fixed.amount, fixed.source, fixed.note, rank=1)


def _sources(data: StateData, unit: Unit) -> Iterator[ModifiersByValue]:
    """Yield the modifiers of each source: unit type, entity, holdings, options, conditions."""
    yield _of_type(data.ruleset, unit)
    if unit.entity is not None:
        yield _of_entity(data, unit, unit.entity)
    for holding in data.holdings:
        if holding.unit != unit.id or not (holding.entity.modifies or holding.entity.tables):
            continue
        if data.ruleset.kinds[holding.entity.kind].unit is None:
            yield _of_holding(data, unit, holding)
    for chosen in data.chosen_options:
        if chosen.unit == unit.id and chosen.option.modifies:
            holding_of_choice = data.holding(chosen.holding)
            yield _modifiers(data, unit, chosen.option.modifies, chosen.source, holding_of_choice)
    for condition in data.conditions.modifying(unit.id):
        yield _of_condition(data, unit, condition)


def _of_condition(data: StateData, unit: Unit, condition: Condition) -> ModifiersByValue:
    """Return the modifiers of a condition; those of attacks only for the item that it is about."""
    entity = condition.entity
    by_value = _modifiers(data, unit, entity.modifies, entity.id)
    if data.ruleset.conditions_about.get(entity.id) == "item":
        for modifier in entity.modifies:
            if modifier.attacks is not None:
                by_value[modifier.target] = [
                    replace(one, about=condition.about, times=condition.amount)
                    for one in by_value[modifier.target]
                ]
    return by_value


def _of_type(ruleset: Ruleset, unit: Unit) -> ModifiersByValue:
    """Return the modifiers that every unit of a type has; calculated once for each ruleset."""

    def collect() -> ModifiersByValue:
        data = StateData(ruleset, units=(unit,))
        by_value: ModifiersByValue = defaultdict(list)
        general = unit.type.source or ruleset.id
        for name, computed in unit.type.values.items():
            if computed.formula is not None:
                source = computed.source or general
                by_value[name].append(ValueModifier("set", computed.formula, source))
        for table in unit.type.tables:
            _add_table(by_value, table, table.source or ruleset.id)
        _add(by_value, data, unit, unit.type.modifies, general)
        for entity in ruleset.derived_conditions:
            _add(by_value, data, unit, _while_derived(entity, unit), entity.id)
        for track in ruleset.head.tracks:
            for step, condition in track.conditions() if track.value in unit.type.values else ():
                modifiers = [_only_while(modifier, condition) for modifier in step.modifies]
                _add(by_value, data, unit, modifiers, track.source_id(step))
        return by_value

    return ruleset.cached(("modifiers of a unit type", unit.type.id), collect)


def _of_entity(data: StateData, unit: Unit, entity: Entity) -> ModifiersByValue:
    """Return the modifiers of the entity that a unit is."""
    by_value: ModifiersByValue = defaultdict(list)
    holding = data.holding(unit.id)
    known = local_formulas(data, holding)
    for name, formula in entity.values.items():
        by_value[name].append(
            ValueModifier("set", formula.with_variables(known), entity.id, rank=1)
        )
    for table in entity.tables:
        _add_table(by_value, table, entity.id, known)
    _add(by_value, data, unit, entity.modifies, entity.id, holding)
    return by_value


def _of_holding(data: StateData, unit: Unit, holding: Holding) -> ModifiersByValue:
    """Return the modifiers of a holding; calculated once for each ruleset without choices."""
    entity = holding.entity

    def collect() -> ModifiersByValue:
        by_value = _modifiers(data, unit, entity.modifies, entity.id, holding)
        for table in entity.tables:
            _add_table(by_value, table, entity.id, local_formulas(data, holding), rank=1)
        return by_value

    if entity.choices or entity.figures or entity.kind in data.ruleset.head.gear.kinds:
        return collect()
    return data.ruleset.cached(("modifiers of an entity", entity.id, unit.type.id), collect)


def _summed(data: StateData, unit: Unit, field_name: str) -> Iterator[ValueModifier]:
    """Yield what each holding adds to a value that is the sum of a field of all holdings.

    What the GM gave beyond the rules adds nothing, unless it is gear.
    """
    gear = data.ruleset.head.gear.kinds
    for holding in data.held(unit.id):
        amount = figure(holding.entity, field_name) * holding.quantity
        if amount and (not holding.granted or holding.entity.kind in gear):
            yield ValueModifier("add", amount, holding.entity.id)


def _while_derived(entity: Entity, unit: Unit) -> Iterator[Modifier]:
    """Yield the modifiers of a derived condition, if the unit has all values that it reads."""
    condition = entity.active_when
    if condition is None:
        return
    if not {name.removeprefix(FULL) for name in condition.names} <= {LEVEL, *unit.type.values}:
        return
    for modifier in entity.modifies:
        yield _only_while(modifier, condition)


def _only_while(modifier: Modifier, condition: Formula) -> Modifier:
    """Return a modifier that applies only while a condition and its own condition hold."""
    own = modifier.when
    when = condition if own is None else Formula(f"({condition}) and ({own})")
    return modifier.model_copy(update={"when": when})


def _add_table(
    by_value: ModifiersByValue,
    table: LevelTable,
    source: str,
    local_formulas: LocalFormulas = NO_FORMULAS,
    rank: int = 0,
) -> None:
    for column, name in table.value_columns:
        amount = (table, column)
        by_value[name].append(
            ValueModifier(table.op, amount, source, rank=rank, local_formulas=local_formulas)
        )


def _modifiers(
    data: StateData,
    unit: Unit,
    modifiers: Iterable[Modifier],
    source: str,
    holding: Holding | None = None,
) -> ModifiersByValue:
    by_value: ModifiersByValue = defaultdict(list)
    _add(by_value, data, unit, modifiers, source, holding)
    return by_value


def _add(
    by_value: ModifiersByValue,
    data: StateData,
    unit: Unit,
    modifiers: Iterable[Modifier],
    source: str,
    holding: Holding | None = None,
) -> None:
    """Add the modifiers of a source to those of each value that they change."""
    own = local_formulas(data, holding)
    for modifier in modifiers:
        if modifier.field is not None:
            continue  # numbers_of_item has it
        selects = modifier.of is not None or modifier.attacks is not None
        known = own
        if selects:  # then these are names of what is selected
            known = {name: known for name, known in own.items() if name not in GEAR_NAMES}
        amount = modifier.amount.with_variables(known)
        when = None if modifier.when is None else modifier.when.with_variables(known)
        lasting = modifier.layer == "lasting"
        rule = modifier.source or source
        added = ValueModifier(modifier.op, amount, rule, (), when, lasting, rank=1, of=modifier.of)
        if modifier.attacks is not None:
            by_value[modifier.target].append(replace(added, dice=modifier.dice))
            continue
        for name in _targets(data, modifier.value, holding):
            if name in unit.type.values:
                by_value[name].append(added)


def _of_selected(
    data: StateData, unit: Unit, modifier: ValueModifier, of: Query
) -> Iterator[ValueModifier]:
    """Yield a modifier once for each thing of a unit that it selects, with the names of the thing.

    What the query asks about the bearer is a condition, read when the value is calculated.
    """
    for holding in data.held(unit.id):
        if not matches(of, holding.entity) or not isinstance(modifier.amount, Formula):
            continue
        known = local_formulas(data, holding)
        when = None if modifier.when is None else modifier.when.with_variables(known)
        where = None
        if of.where is not None and of.asks_bearer:
            where = of.where.with_variables(
                {
                    name: Formula(name.removeprefix(BEARER))
                    if name.startswith(BEARER)
                    else Formula(figure(holding.entity, name))
                    for name in of.where.names
                }
            )
        amount = modifier.amount.with_variables(known)
        yield replace(
            modifier, amount=amount, when=when, where=where, note=(holding.name,), of=None
        )


def _targets(data: StateData, target: str, holding: Holding | None) -> tuple[str, ...]:
    """Return the ids of the values that a target names.

    ``group:NAME`` is all values of a group, ``$CHOICE`` each value chosen for
    the holding, ``PREFIX_$CHOICE`` the value of that name, anything else the id of a value.
    """
    prefix, chosen, choice = target.partition("$")
    if chosen:
        answer = data.answers.get(f"{holding.id}.{choice}") if holding else None
        chosen_values = (answer,) if isinstance(answer, str) else answer
        if not isinstance(chosen_values, tuple | list):
            return ()
        return tuple(value_named_by(prefix, str(value)) for value in chosen_values)
    return data.ruleset.target_values(target)


def _padded(source: str) -> list[str]:
    """Return the parts of a source so that numbers sort as numbers: level 10 after level 2."""
    return [part.zfill(ID_DIGITS) if part.isdigit() else part for part in source.split(".")]
