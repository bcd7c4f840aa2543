"""Checks of values and of entities, which change them.

Of values: bounds, dice, modifiers, tables by level, tracks. Of entities: their numbers, attacks,
and gear that is worn.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable
from contextlib import suppress

from charforge.errors import FormulaError, nearest, shorten
from charforge.expressions import dice
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.rules import models
from charforge.rules.checks.cycles import cells, circular_grant, names_read, reachable
from charforge.rules.checks.symbols import (
    Checks,
    PartProblem,
    PartProblems,
    SymbolTable,
    following,
    unknown_inputs,
    unknown_name,
    unknown_names,
)
from charforge.rules.errors import KeyPath
from charforge.rules.models.entities import LEVEL
from charforge.rules.models.procedures import GEAR_NAMES
from charforge.rules.models.vocabulary import TARGET_NUMBER
from charforge.rules.ruleset import matches

WORN = GEAR_NAMES[-1]
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


# ------------------------------------------------------------------ entities


def _entity(symbols: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check aliases, old ids, grants and changes of an entity."""
    target = symbols.ruleset.entities.get(entity.alias_of or "")
    if target is not None and target.alias_of:
        yield PartProblem(
            ("alias_of",), _("{id} is itself an alias").format(id=target.id), target.alias_of
        )
    if entity.uses is not None and entity.uses.of is not None:
        yield PartProblem(("uses", "of"), _("the limit of an entity needs 'until' or 'during'"))
    yield from _own_numbers(symbols, entity)
    for number, former_id in enumerate(entity.renamed_from):
        if former_id in symbols.ruleset.entities:
            yield PartProblem(
                ("renamed_from", number),
                _("{former_id} already exists").format(former_id=former_id),
            )
    yield from (
        PartProblem(key_path, message) for key_path, message in symbols.grant_graph.errors(entity)
    )
    yield from circular_changes(symbols, entity)
    for name, settled in entity.supplies.items():
        called = symbols.ruleset.procedures.get(name)
        yield from unknown_inputs(called, settled, ("supplies", name)) if called else ()
    for name, formula in entity.values.items():
        yield from circular(symbols, name, symbols.values_read(formula.names), ("values", name))
    for number, table in enumerate(entity.tables):
        for name, cell in cells(table):
            reads = symbols.values_read(cell.names)
            yield from circular(symbols, name, reads, ("tables", number), cell)
        circle = (
            circular_grant(symbols.ruleset, entity, table) if table in entity.value_tables else ""
        )
        if circle:
            message = _("the value {by} depends on {circle}, which this table grants")
            yield PartProblem(
                ("tables", number, "by"), message.format(by=shorten(table.by), circle=circle)
            )
    yield from modifiers(symbols, entity.modifies, symbols.units())
    yield from columns(symbols, entity.tables, symbols.units())
    unit = symbols.ruleset.unit_type(entity)
    for name in entity.values:
        if unit is not None:
            yield from without_effect(symbols, [name], [unit.id], ("values", name))
    yield from _places(symbols, entity)
    yield from _worn(symbols, entity)


def _own_numbers(symbols: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check that ``titled`` is a written text, and that no number has the id of another one."""
    titled = symbols.choice(entity.titled or "")
    if titled is not None and not titled.is_text:
        message = _("the choice {titled} is not a written text, so it cannot be a name").format(
            titled=shorten(entity.titled)
        )
        yield PartProblem(("titled",), message)
    value_ids = {"level", *symbols.ruleset.values}
    numbers = [question.id for question in entity.numbers]
    for key, parts in (("choices", entity.choices), ("figures", entity.figures)):
        for number, part in enumerate(parts):
            if part.id in value_ids and (key == "figures" or part.id in numbers):
                message = _(
                    "{id} is also the id of a value, so formulas here would be ambiguous"
                ).format(id=shorten(part.id))
                yield PartProblem((key, number, "id"), message)
            elif key == "figures" and part.id in numbers:
                yield PartProblem(
                    (key, number, "id"),
                    _("{id} is already the id of a choice").format(id=shorten(part.id)),
                )


@following
def _places(symbols: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check that what an entity has can have an effect for an entity of its kind."""
    for key in ("values", "supplies"):
        if getattr(entity, key) and symbols.ruleset.unit_type(entity) is None:
            message = _(
                "only units have {key}, and things of the kind {kind} are not "
                "units (set unit under kinds in ruleset.yaml)"
            ).format(key=shorten(key), kind=shorten(entity.kind))
            yield PartProblem((key,), message)
    if entity.covers is not None and entity.covers.asks_bearer:
        message = _("Training covers the same for everybody: it cannot read bearer")
        yield PartProblem(("covers", "where"), message)
    if entity.condition is not None and entity.tables:
        yield PartProblem(("tables",), _("a condition has no tables: use 'modifies'"))
    if entity.active_when is not None and entity.condition is None:
        message = _("only a condition applies by itself: add condition: {}")
        yield PartProblem(("active_when",), message)
    if entity.distinct is not None and not entity.repeatable:
        yield PartProblem(
            ("distinct",), _("this needs repeatable: only such a thing can be held twice")
        )


@following
def _worn(symbols: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check that gear whose changes read whether it is worn can be worn."""
    ruleset = symbols.ruleset
    if any(matches(place.among, entity) for place in ruleset.head.gear.wear):
        return
    for number, modifier in enumerate(entity.modifies):
        for key, formula in (("when", modifier.when), ("amount", modifier.amount)):
            if (
                formula is not None
                and not (modifier.of or modifier.attacks)
                and WORN in formula.names
                and entity.kind in ruleset.head.gear.kinds
            ):
                message = _("{name} cannot be worn: no place of gear.wear selects it").format(
                    name=entity.name
                )
                yield PartProblem(("modifies", number, key), message)


@following
def _wear(symbols: SymbolTable, place: models.WearSpec) -> PartProblems:
    """Check that some gear can be worn at a place, and that it has room."""
    gear = symbols.ruleset.head.gear.kinds
    if not any(entity.kind in gear for entity in symbols.ruleset.select(place.among)):
        yield PartProblem(("among",), _("this selects no gear: nothing can be worn here"))
    if place.at_most is not None and place.at_most.constant == 0:
        yield PartProblem(("at_most",), _("nothing can be worn here: at_most is 0"))


@following
def _gear(symbols: SymbolTable, gear: models.GearSpec) -> PartProblems:
    """Check that a new character can have some gear ready in hand."""
    ready = () if gear.ready is None else symbols.ruleset.select(gear.ready)
    if gear.ready is not None and not any(entity.kind in gear.kinds for entity in ready):
        yield PartProblem(("ready",), _("this selects no gear: nothing can be held"))


@following
def _lasting(_symbols: SymbolTable, condition: models.Lasting) -> PartProblems:
    if condition.turns > 1 and not condition.until:
        yield PartProblem(("turns",), _("turns needs until, which says when one ends"))
    if condition.most is not None and not condition.counts:
        yield PartProblem(("most",), _("most needs counts: true"))


def _attack(symbols: SymbolTable, attack: models.Attack) -> PartProblems:
    """Check that an attack rolls a value or a number to hit."""
    yield from _attack_inputs(symbols, attack)
    yield from _attack_values(symbols, attack)
    name = attack.hit[1:] if isinstance(attack.hit, str) and attack.hit[:1] == "$" else ""
    choice, numbers = symbols.choice(name), symbols.entity.numbers if symbols.entity else ()
    if choice is not None and choice not in numbers:
        near = nearest(name, [question.id for question in numbers])
        message = _("the choice {name} chooses neither a value nor a number").format(
            name=shorten(name)
        )
        yield PartProblem(
            ("hit",), message, near, attack.hit if isinstance(attack.hit, str) else ""
        )


def _attack_inputs(symbols: SymbolTable, attack: models.Attack) -> PartProblems:
    """Check what an attack passes to the procedure of attacks: inputs and damage types."""
    procedure = symbols.ruleset.procedures.get(symbols.ruleset.head.play.attack or "")
    inputs = [entry.id for entry in procedure.inputs] if procedure else []
    yield from unknown_names("input of the procedure of attacks", attack.with_, inputs, ("with",))
    for key in ("hit", "defence"):
        entry = procedure.input(key) if procedure else None
        if entry is not None and entry.needed and getattr(attack, key) is None:
            message = _("the procedure of attacks needs {key}: the input is not optional").format(
                key=shorten(key)
            )
            yield PartProblem((), message)
    typed = procedure.input("type") if procedure else None
    if typed is not None and typed.options:
        for name in attack.type:
            choice = symbols.choice(name[1:]) if name[:1] == "$" else None
            for word in (name,) if choice is None else symbols.options(choice):
                yield from unknown_name("word of the input 'type'", word, typed.options, ("type",))


@following
def _attack_values(symbols: SymbolTable, attack: models.Attack) -> PartProblems:
    """Check that an attack uses values which the inputs of its procedure can be."""
    procedure = symbols.ruleset.procedures.get(symbols.ruleset.head.play.attack or "")
    if procedure is None:
        return
    for key, name in (("hit", attack.hit), ("defence", attack.defence)):
        entry = procedure.input(key)
        group = symbols.ruleset.grouped(entry.group) if entry is not None else ()
        for value in symbols.targets(name) if isinstance(name, str) and group else ():
            if value in symbols.ruleset.values and value not in group:  # others are unknown
                message = _("attacks use a value of {names} here, not {value}").format(
                    names=", ".join(group), value=shorten(value)
                )
                yield PartProblem((key,), message)


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
    models.Entity: _entity,
    models.GearSpec: _gear,
    models.WearSpec: _wear,
    models.Lasting: _lasting,
    models.Attack: _attack,
}
