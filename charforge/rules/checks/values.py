"""Checks of values and of what changes them: bounds, dice, modifiers, tables by level, tracks."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from contextlib import suppress

from charforge.errors import FormulaError, nearest, shorten
from charforge.expressions import dice
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.rules import models
from charforge.rules.checks.cycles import names_read, reachable
from charforge.rules.checks.symbols import (
    Checks,
    PartProblem,
    PartProblems,
    SymbolTable,
    following,
    unknown_names,
)
from charforge.rules.errors import KeyPath
from charforge.rules.models.entities import LEVEL
from charforge.rules.models.vocabulary import TARGET_NUMBER

MOST_TARGETS = 1000  # numbers for which a harder target of a roll is tried


def crossed(low: int | None, high: int | None) -> PartProblems:
    """Yield an error if no number is within two bounds."""
    if low is not None and high is not None and low > high:
        yield PartProblem(
            ("minimum",), _("no number is between {low} and {high}").format(low=low, high=high)
        )


def constant(formula: Formula | int | None) -> int | None:
    """Return the number that a formula always gives; None if it depends on something."""
    return formula.constant if isinstance(formula, Formula) else formula


@following
def bounded(
    minimum: Formula | None, maximum: Formula | None, default: Formula | None = None
) -> PartProblems:
    """Check that some number is within the bounds, and the default too."""
    low, high, number = constant(minimum), constant(maximum), constant(default)
    problems = list(crossed(low, high))
    yield from problems
    if number is None or problems:
        return
    if low is not None and number < low:
        yield PartProblem(
            ("default",),
            _("the default {number} is below the minimum {low}").format(number=number, low=low),
        )
    if high is not None and number > high:
        yield PartProblem(
            ("default",),
            _("the default {number} is above the maximum {high}").format(number=number, high=high),
        )


def check_dice(symbols: SymbolTable, notation: str) -> PartProblems:
    """Check that dice are like 2d6, or of a die that the ruleset names."""
    try:
        dice.parse_dice(notation, symbols.ruleset.dice)
    except ValueError as error:
        near = nearest(notation.partition("d")[2], symbols.ruleset.dice)
        yield PartProblem(("dice",), str(error), near)


def _computed(_symbols: SymbolTable, computed: models.Computed) -> PartProblems:
    yield from bounded(computed.minimum, computed.maximum)


@following
def _value_test(_symbols: SymbolTable, test: models.ValueTest) -> PartProblems:
    if test.at_least is None and test.at_most is None:
        yield PartProblem((), _("a test of a value needs 'at_least' or 'at_most'"))


@following
def _value(symbols: SymbolTable, value: models.Value) -> PartProblems:
    """Check that each unit with a value has the values that it is shown with."""
    character = next(iter(symbols.ruleset.units.values()))
    for unit in symbols.ruleset.units.values():
        if value.id not in unit.values:
            continue
        readable = {LEVEL, *unit.values, *(character.values if unit is not character else ())}
        for key, names in (("shown", value.shown.names), ("modifier", {value.modifier})):
            owned = unit.values if key == "modifier" else readable
            for name in sorted(symbols.ruleset.values.keys() & names - {*owned}):
                message = _("a {label} has {id}, but not the value {name}").format(
                    label=unit.label, id=value.id, name=shorten(name)
                )
                yield PartProblem((key,), message, culprit=name)


def _dice(symbols: SymbolTable, roll: models.AttackRoll) -> PartProblems:
    """Check the notation of dice."""
    if roll.dice:
        yield from check_dice(symbols, roll.dice)


def _way_to_roll(symbols: SymbolTable, way: models.RollWay) -> PartProblems:
    """Check the dice of a way to roll: a pool has single dice, which have the faces that count."""
    if not way.dice:
        return
    yield from check_dice(symbols, way.dice)
    with suppress(ValueError):
        rolled = dice.parse_dice(way.dice, symbols.ruleset.dice)
        if way.how == "pool" and rolled.number > 1:
            yield PartProblem(
                ("dice",), _("a pool has one die, such as 1d6: the number says how many")
            )
        for place, face in enumerate(way.counts):
            if face not in rolled.faces:
                message = _("{face} is not a face of {dice}").format(face=face, dice=way.dice)
                yield PartProblem(("counts", place), message)
        for place, target in enumerate(way.targets):
            for problem in _target(target, dice.possible_totals(rolled)[-1]):
                yield problem._replace(key_path=("targets", place, *problem.key_path))


def _target(target: models.RollTarget, highest: int) -> PartProblems:
    """Check that a harder target can be calculated for every number up to the highest roll."""
    if target.formula.names - {TARGET_NUMBER}:
        return  # that name is reported
    for number in range(min(highest, MOST_TARGETS) + 1):
        try:
            target.of(number)
        except FormulaError as error:
            message = _("for the number {number} this cannot be calculated: {reason}")
            yield PartProblem(("formula",), message.format(number=number, reason=error.reason))
            return


def _check_spec(symbols: SymbolTable, spec: models.CheckSpec) -> PartProblems:
    """Check the notation of dice, and that some entity has each figure."""
    if spec.dice:
        yield from check_dice(symbols, spec.dice)
    entities = symbols.ruleset.entities.values()
    figures = {figure.id for entity in entities for figure in entity.figures}
    yield from unknown_names("figure", spec.figure, figures, ("figure",))


def _tracker(symbols: SymbolTable, spec: models.TrackerSpec) -> PartProblems:
    """Check that what is marked on a body is among the values that are tracked."""
    tracked = {value for name in spec.value for value in symbols.ruleset.target_values(name)}
    for value in spec.body:
        if value in symbols.ruleset.values and value not in tracked:
            message = _("{value} is not among the values of this tracker").format(value=value)
            yield PartProblem(("body", value), message)


def _symbol(symbols: SymbolTable, symbol: models.Symbol) -> PartProblems:
    """Check that symbols cancel each other, and that none counts as itself."""
    known = symbols.ruleset.symbols
    other = known.get(symbol.cancels or "")
    if other is symbol:
        yield PartProblem(("cancels",), _("{id} cancels itself").format(id=symbol.id))
    elif other is not None and other.cancels != symbol.id and other.cancels in {None, *known}:
        message = _("{id} must also cancel {symbol_id}").format(id=other.id, symbol_id=symbol.id)
        yield PartProblem(("cancels",), message)

    def counts(name: str) -> tuple[str, ...]:
        counted = known[name].counts if name in known else None
        return () if counted is None else (counted,)

    if symbol.id in reachable(counts(symbol.id), counts):
        yield PartProblem(("counts",), _("{id} counts as itself").format(id=symbol.id))


def _track(symbols: SymbolTable, track: models.Track) -> PartProblems:
    """Check that the value of a track is a resource without another track."""
    units = symbols.ruleset.units.values()
    computed = [unit.values[track.value] for unit in units if track.value in unit.values]
    if computed and not any(value.resource for value in computed):
        yield PartProblem(
            ("value",), _("{value} is not a resource of any unit").format(value=track.value)
        )
    other = symbols.ruleset.tracks.get(track.value, track)
    if other.id != track.id:
        yield PartProblem(
            ("value",),
            _("{value} already has the track {id}").format(value=track.value, id=other.id),
        )


def _track_step(_symbols: SymbolTable, step: models.TrackStep) -> PartProblems:
    """Check that a step of a track changes only current figures."""
    for number, modifier in enumerate(step.modifies):
        if modifier.layer != "current":
            message = _("a step of a track can only change the layer 'current'")
            yield PartProblem(("modifies", number), message)


@following
def without_effect(
    symbols: SymbolTable,
    targets: Iterable[str],
    units: Collection[str],
    key_path: tuple[str | int, ...],
) -> PartProblems:
    """Yield an error if none of some unit types has any of the values that are changed."""
    changed = [name for target in targets for name in symbols.targets(target)]
    changed = [name for name in changed if name in symbols.ruleset.values]  # others are reported
    owned = {name for unit in units for name in symbols.ruleset.units[unit].values}
    if changed and not owned & {*changed}:
        names = symbols.ruleset.units
        message = _("no unit has the value {value}: this has no effect")
        if len(units) == 1:
            message = _("{unit} does not have the value {value}: this has no effect")
        unit = names[next(iter(units))].label if len(units) == 1 else ""
        yield PartProblem(key_path, message.format(unit=unit, value=shorten(changed[0])))


@following
def _beyond_maximum(
    symbols: SymbolTable, modifier: models.Modifier, units: Collection[str], key_path: KeyPath
) -> PartProblems:
    """Yield an error if a resource would be raised above the maximum at which it starts."""
    if modifier.op not in ("set", "add", "at_least") or (constant(modifier.amount) or 0) <= 0:
        return
    for name in symbols.targets(modifier.value):
        for unit in units:
            value = symbols.ruleset.units[unit].values.get(name)
            if value is None or not value.resource or value.maximum is None:
                continue
            highest = value.maximum.constant
            beyond = highest is not None and (constant(modifier.amount) or 0) > highest
            if beyond or (modifier.op == "add" and value.formula == value.maximum):
                message = _("{value} cannot be above its maximum, {maximum}: change that instead")
                yield PartProblem(
                    key_path, message.format(value=shorten(name), maximum=value.maximum.text)
                )
                return


def modifiers(
    symbols: SymbolTable, modifiers: Iterable[models.Modifier], units: Collection[str]
) -> PartProblems:
    """Check that lasting changes of some unit types have an effect."""
    for number, modifier in enumerate(modifiers):
        if modifier.field is not None:
            yield from _field(symbols, ("modifies", number, "field"))
            continue
        yield from without_effect(symbols, [modifier.value], units, ("modifies", number, "value"))
        yield from _beyond_maximum(symbols, modifier, units, ("modifies", number, "value"))
        for problem in _selected(symbols, modifier):
            yield problem._replace(key_path=("modifies", number, *problem.key_path))


@following
def _field(symbols: SymbolTable, key_path: KeyPath) -> PartProblems:
    """Check that a number of an item is changed by a condition that rules put on about an item."""
    entity = symbols.entity
    if entity is None or symbols.ruleset.conditions_about.get(entity.id) != "item":
        message = _(
            "only a condition that a rule puts on about an item (do: put, about: $item) can change "
            "a field"
        )
        yield PartProblem(key_path, message)


@following
def _selected(symbols: SymbolTable, modifier: models.Modifier) -> PartProblems:
    """Check that a modifier selects something, and that attacks have what it changes."""
    ruleset, part = symbols.ruleset, modifier.attacks
    if modifier.dice:
        yield from check_dice(symbols, modifier.dice)
    if modifier.of is not None:
        chosen = ruleset.select(modifier.of)
        if part is not None:
            chosen = tuple(entity for entity in chosen if entity.attacks)
        if not chosen:
            message = _("this selects nothing with an attack: this has no effect")
            nothing = _("this selects nothing: this has no effect")
            yield PartProblem(("of",), message if part else nothing)
    procedure = ruleset.procedures.get(ruleset.head.play.attack or "")
    needed = {"roll": "bonus", "damage": "damage"}.get(part or "", "")
    if needed and procedure is not None and procedure.input(needed) is None:
        message = _("the procedure of attacks, {procedure}, has no input {needed} for this")
        yield PartProblem(
            ("attacks",), message.format(procedure=procedure.id, needed=shorten(needed))
        )


def columns(
    symbols: SymbolTable, tables: Iterable[models.LevelTable], units: Collection[str]
) -> PartProblems:
    """Check that one of some unit types has the values that tables set."""
    for number, table in enumerate(tables):
        for column, name in table.value_columns:
            key_path = ("tables", number, "columns", column)
            yield from without_effect(symbols, [name], units, key_path)


def circular_changes(symbols: SymbolTable, bearer: models.Entity | models.Option) -> PartProblems:
    """Check that no lasting change makes a value need itself."""
    for number, modifier in enumerate(bearer.modifies):
        reads = symbols.values_read(names_read(modifier))
        for name in symbols.targets(modifier.value) if reads else ():
            yield from circular(symbols, name, reads, ("modifies", number, "amount"))


def circular(
    symbols: SymbolTable,
    target: str,
    reads: frozenset[str],
    key_path: tuple[str | int, ...],
    cell: Formula | None = None,
) -> PartProblems:
    """Yield an error if a value that reads others would depend on itself."""
    cycle = symbols.dependencies.cycle(symbols.units(), target, reads)
    if cycle:
        yield PartProblem(key_path, _depends_on_itself(cycle), "", cell.text if cell else "")


def _depends_on_itself(cycle: tuple[str, ...]) -> str:
    """Return the message for a value that needs itself, with the values on the way."""
    message = _("the value {target} depends on itself").format(target=shorten(cycle[0]))
    return f"{message}: {' → '.join(cycle)}" if len(cycle) > 2 else message


def _option(symbols: SymbolTable, option: models.Option) -> PartProblems:
    yield from circular_changes(symbols, option)
    yield from modifiers(symbols, option.modifies, symbols.units())


@following
def level_exists(symbols: SymbolTable, level: int, key_path: KeyPath) -> PartProblems:
    """Yield an error for a level that cannot be reached."""
    highest = symbols.ruleset.head.advancement.maximum
    if level > highest:
        message = _("there is no level {level}: the last is {highest}")
        yield PartProblem(key_path, message.format(level=level, highest=highest))


def _table(symbols: SymbolTable, table: models.LevelTable) -> PartProblems:
    """Check that the rows by level are those of levels that can be reached."""
    problems = (level_exists(symbols, row, ("rows", row)) for row in table.rows)
    if table.by == LEVEL:
        yield from itertools.islice(itertools.chain.from_iterable(problems), 1)


def _unit_type(symbols: SymbolTable, unit: models.UnitType) -> PartProblems:
    """Check that no value of a unit type depends on itself, and what it changes."""
    for cycle in symbols.dependencies.circular[unit.id]:
        yield PartProblem(("values", cycle[0]), _depends_on_itself(cycle))
    yield from modifiers(symbols, unit.modifies, [unit.id])
    yield from columns(symbols, unit.tables, [unit.id])
    yield from _unit_grants(unit)


@following
def _unit_grants(unit: models.UnitType) -> PartProblems:
    for number, table in enumerate(unit.tables):
        if table.grants:
            message = _(
                "a unit type grants nothing: use 'grants' of an entity, or a step of creation"
            )
            yield PartProblem(("tables", number), message)


CHECKS: Checks = {
    models.Computed: _computed,
    models.ValueTest: _value_test,
    models.Value: _value,
    models.AttackRoll: _dice,
    models.CheckSpec: _check_spec,
    models.RollWay: _way_to_roll,
    models.TrackerSpec: _tracker,
    models.Symbol: _symbol,
    models.Track: _track,
    models.TrackStep: _track_step,
    models.Option: _option,
    models.LevelTable: _table,
    models.UnitType: _unit_type,
}
