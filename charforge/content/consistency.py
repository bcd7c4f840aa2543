"""What the parts of a pack must agree on beyond the names that they use.

Each check yields the faults of one model; ``CHECKS`` says which models it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from charforge import dice
from charforge.content import models
from charforge.content.cycles import cells, read_by
from charforge.content.names import Finding, Known, missing
from charforge.errors import nearest
from charforge.formula import Formula

Findings = Iterator[Finding]


def _grant(known: Known, grant: models.Grant) -> Findings:
    """What a grant settles in advance are choices of the granted entity, and options of those."""
    granted = known.ruleset.entities.get(known.ruleset.canonical(grant.id))
    if granted is None:
        return
    choices = {choice.id: choice for choice in granted.choices}
    for name, answer in grant.with_.items():
        where = ("with", name)
        yield from missing(f"choice of {grant.id}", name, choices, where)
        if name in choices:
            yield from _option(known, choices[name], answer, where)


def _choose(known: Known, ask: models.Choose) -> Findings:
    """What is suggested is an option."""
    if ask.default is not None:
        yield from _option(known, ask, ask.default, ("default",))


def _option(known: Known, ask: models.Ask, answer: str, where: tuple[str, ...]) -> Findings:
    options = known.options(ask)
    if options:
        yield from missing("option", answer, options, where)


def _among(known: Known, among: models.Among) -> Findings:
    """A vocabulary is narrowed to terms that it has."""
    terms = known.terms(among.terms)
    for number, name in enumerate(among.only if terms else ()):
        yield from missing("term", name, terms, ("only", number))


def _dice(known: Known, roll: models.Roll | models.AttackRoll) -> Findings:
    """Dice are such as 2d6, or of a die that the ruleset names."""
    yield from _rolled(known, roll.dice)


def _rolled(known: Known, notation: str) -> Findings:
    try:
        dice.parse(notation, known.ruleset.dice)
    except ValueError as error:
        near = nearest(notation.partition("d")[2], known.ruleset.dice)
        yield Finding(("dice",), str(error), near)


def _assign(known: Known, ask: models.Assign) -> Findings:
    """There is a score for each value."""
    if isinstance(ask.scores, models.Scores):
        return
    to = [name for target in ask.to for name in known.targets(target)]
    if to and len(to) != len(ask.scores):
        yield Finding((), f"{len(ask.scores)} scores for {len(to)} values")


def _entity(known: Known, entity: models.Entity) -> Findings:
    """An alias stands for something itself, and an old id is free."""
    target = known.ruleset.entities.get(entity.alias_of or "")
    if target is not None and target.alias_of:
        yield Finding(("alias_of",), f"{target.id} is an alias itself", target.alias_of)
    for number, old in enumerate(entity.renamed_from):
        if old in known.ruleset.entities:
            yield Finding(("renamed_from", number), f"{old} exists already")
    yield from _changes(known, entity)
    for name, formula in entity.values.items():
        yield from _circular(known, name, formula.names, ("values", name))
    for table in entity.tables:
        for name, cell in cells(table):
            yield from _circular(known, name, cell.names, ("tables",), cell)


def _changes(known: Known, bearer: models.Entity | models.Option | models.TrackStep) -> Findings:
    """No lasting change makes a value need itself."""
    for number, modifier in enumerate(bearer.modifies):
        reads = read_by(modifier)
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


def _unit_type(known: Known, unit: models.UnitType) -> Findings:
    """No value of a unit type is computed from itself."""
    for name in known.dependencies.circular[unit.id]:
        yield Finding(("values", name), f"the value {name!r} is computed from itself")


def _head(_known: Known, head: models.Head) -> Findings:
    """Every step of creation belongs to a section: none else is asked."""
    for number, step in enumerate(head.creation):
        if not step.section:
            yield Finding(("creation", number), "this step has no section, so nobody is asked")


def _dice_of_step(known: Known, roll: models.RollDice | models.Recover) -> Findings:
    """Dice of a procedure are such as 2d6, too."""
    if roll.dice:
        yield from _rolled(known, roll.dice)


def _ruled(known: Known, step: models.Step) -> Findings:
    """A step depends on ways of ruling that there are."""
    for rule, option in step.ruled.items():
        found = known.ruleset.table_rules.get(rule)
        if found is not None:
            ways = [way.id for way in found.options]
            yield from missing(f"way to rule {rule}", option, ways, ("ruled", rule))


def _call(known: Known, step: models.Call) -> Findings:
    """A call gives inputs and takes outputs that the other procedure has."""
    called = known.ruleset.procedures.get(step.procedure)
    if called is None:
        return
    inputs = [one.id for one in called.inputs]
    for name in step.with_:
        yield from missing(f"input of {called.id}", name, inputs, ("with", name))
    for one in called.inputs:
        if one.needed and one.id not in step.with_:
            yield Finding((), f"the procedure {called.id!r} must be told {one.id!r}")
    made = models.variables(called.inputs, called.steps)
    for name, theirs in step.take.items():
        yield from missing(f"result of {called.id}", theirs, made, ("take", name))


def _procedure(known: Known, procedure: models.Procedure) -> Findings:
    """What comes out of a procedure is one of its variables; none runs itself."""
    made = models.variables(procedure.inputs, procedure.steps)
    for number, output in enumerate(procedure.outputs):
        yield from missing("variable", output.id, made, ("outputs", number, "id"))
    for number, step in enumerate(procedure.steps):
        if isinstance(step, models.Call) and procedure.id in _runs(known, step.procedure, set()):
            told = f"the procedure {procedure.id!r} runs itself"
            yield Finding(("steps", number, "procedure"), told)


def _runs(known: Known, name: str, seen: set[str]) -> set[str]:
    """Return a procedure and those that it runs, by name."""
    seen.add(name)
    called = known.ruleset.procedures.get(name)
    for step in called.steps if called is not None else ():
        if isinstance(step, models.Call) and step.procedure not in seen:
            _runs(known, step.procedure, seen)
    return seen


CHECKS: dict[type, Callable[[Known, Any], Findings]] = {
    models.Grant: _grant,
    models.Choose: _choose,
    models.Among: _among,
    models.Roll: _dice,
    models.AttackRoll: _dice,
    models.Assign: _assign,
    models.Entity: _entity,
    models.Option: _changes,
    models.TrackStep: _changes,
    models.UnitType: _unit_type,
    models.Head: _head,
    models.Procedure: _procedure,
    models.RollDice: _dice_of_step,
    models.Recover: _dice_of_step,
    models.Call: _call,
    models.Step: _ruled,
}
