"""Checks of entities: their numbers, changes, attacks, and gear that is worn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from charforge.errors import PackProblem, nearest, shorten
from charforge.language import _
from charforge.rules import models
from charforge.rules.checks.cycles import (
    cells,
    circular_grant,
)
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
from charforge.rules.checks.values import (
    circular,
    circular_changes,
    columns,
    modifiers,
    without_effect,
)
from charforge.rules.models.procedures import GEAR_NAMES
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset, matches

if TYPE_CHECKING:
    from charforge.rules.loading.parser import PackReader, PartPlace

WORN = GEAR_NAMES[-1]


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


def group_typos(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield a warning for the entities at ``places`` whose field for the group misspells an id."""
    for name, (file, path) in places.items():
        entity = ruleset.entities[name]
        field = ruleset.kinds[entity.kind].group_by
        group = original(str(entity.own.get(field) or ""))
        if ruleset.canonical(group) in ruleset.entities:
            continue
        if group and (near := nearest(group, ruleset.entities)):
            message = _("nothing has the id {name}").format(name=shorten(group))
            yield reader.problem(file, (*path, field), message, near)


CHECKS: Checks = {
    models.Entity: _entity,
    models.GearSpec: _gear,
    models.WearSpec: _wear,
    models.Lasting: _lasting,
    models.Attack: _attack,
}
