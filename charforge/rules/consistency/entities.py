"""What an entity, its attacks and what it changes agree on."""

from __future__ import annotations

from charforge.errors import nearest
from charforge.expressions.formula import Formula
from charforge.rules import models
from charforge.rules.symbols import Checks, Finding, Findings, Known, missing
from charforge.rules.value_cycles import cells, read_by


def _entity(known: Known, entity: models.Entity) -> Findings:
    """An alias stands for something itself, and an old id is free."""
    target = known.ruleset.entities.get(entity.alias_of or "")
    if target is not None and target.alias_of:
        yield Finding(("alias_of",), f"{target.id} is an alias itself", target.alias_of)
    yield from _own(known, entity)
    for number, old in enumerate(entity.renamed_from):
        if old in known.ruleset.entities:
            yield Finding(("renamed_from", number), f"{old} exists already")
    yield from (Finding(where, told) for where, told in known.bringing.faults(entity))
    yield from _changes(known, entity)
    for name, formula in entity.values.items():
        yield from _circular(known, name, known.through(formula.names), ("values", name))
    for table in entity.tables:
        for name, cell in cells(table):
            yield from _circular(known, name, known.through(cell.names), ("tables",), cell)


def _own(known: Known, entity: models.Entity) -> Findings:
    """What it is called by is written, and its own numbers have names of their own."""
    titled = known.choice(entity.titled or "")
    if titled is not None and not isinstance(titled, models.Write):
        told = f"the choice {entity.titled!r} is not written, so it cannot be a name"
        yield Finding(("titled",), told)
    taken = {"level", *known.ruleset.values}
    numbers = [ask.id for ask in entity.numbers]
    for key, parts in (("choices", entity.choices), ("figures", entity.figures)):
        for number, part in enumerate(parts):
            if part.id in taken and (key == "figures" or part.id in numbers):
                told = f"{part.id!r} is a value's id: formulas here could not tell which is meant"
                yield Finding((key, number, "id"), told)
            elif key == "figures" and part.id in numbers:
                yield Finding((key, number, "id"), f"{part.id!r} is a choice's id already")


def _attack(known: Known, attack: models.Attack) -> Findings:
    """What is rolled to hit is a value or a number."""
    yield from _told(known, attack)
    name = attack.hit[1:] if isinstance(attack.hit, str) and attack.hit[:1] == "$" else ""
    asked, numbers = known.choice(name), known.entity.numbers if known.entity else ()
    if asked is not None and asked not in numbers:
        near = nearest(name, [ask.id for ask in numbers])
        told = f"the choice {name!r} is neither of a value nor a number"
        yield Finding(("hit",), told, near, attack.hit if isinstance(attack.hit, str) else "")


def _told(known: Known, attack: models.Attack) -> Findings:
    """What an attack says further are inputs of the procedure of attacks."""
    procedure = known.ruleset.procedures.get(known.ruleset.head.play.attack or "")
    inputs = [one.id for one in procedure.inputs] if procedure else []
    for name in attack.with_:
        yield from missing("input of the procedure of attacks", name, inputs, ("with", name))
    kinds = procedure.input("type") if procedure else None
    if kinds is not None and kinds.options:
        for name in attack.type:
            asked = known.choice(name[1:]) if name[:1] == "$" else None
            for taken in (name,) if asked is None else known.options(asked):
                yield from missing("word of the input 'type'", taken, kinds.options, ("type",))


def _changes(known: Known, bearer: models.Entity | models.Option) -> Findings:
    """No lasting change makes a value need itself."""
    for number, modifier in enumerate(bearer.modifies):
        reads = known.through(read_by(modifier))
        for name in known.targets(modifier.value) if reads else ():
            yield from _circular(known, name, reads, ("modifies", number, "amount"))


def _circular(
    known: Known,
    target: str,
    reads: frozenset[str],
    where: tuple[str | int, ...],
    cell: Formula | None = None,
) -> Findings:
    if known.dependencies.closes(known.units(), target, reads):
        culprit = cell.text if cell else ""
        yield Finding(where, f"the value {target!r} is computed from itself", "", culprit)


CHECKS: Checks = {
    models.Entity: _entity,
    models.Attack: _attack,
    models.Option: _changes,
}
