"""What procedures are told, run and make, and who relies on that."""

from __future__ import annotations

from charforge.rules import models
from charforge.rules.consistency.questions import rolled
from charforge.rules.symbols import Checks, Finding, Findings, Known, missing


def _input(known: Known, one: models.Input) -> Findings:
    """There is something of the kinds that an item is of."""
    kinds = [kind for kind in one.kind if kind in known.ruleset.kinds]
    if one.kind and kinds and not any(True for kind in kinds for _e in known.ruleset.of_kind(kind)):
        yield Finding(("kind",), f"nothing is of the kind {' or '.join(kinds)}")


def _dice_of_step(known: Known, roll: models.RollDice | models.Recover) -> Findings:
    """Dice of a procedure are such as 2d6, too."""
    if roll.dice:
        yield from rolled(known, roll.dice)


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
    made = models.variables(called.inputs, called.steps, known.ruleset.symbols)
    for name, theirs in step.take.items():
        yield from missing(f"result of {called.id}", theirs, made, ("take", name))


def _procedure(known: Known, procedure: models.Procedure) -> Findings:
    """What comes out of a procedure is one of its variables; none runs itself."""
    made = models.variables(procedure.inputs, procedure.steps, known.ruleset.symbols)
    for number, output in enumerate(procedure.outputs):
        yield from missing("variable", output.id, made, ("outputs", number, "id"))
    for number, step in enumerate(procedure.steps):
        if isinstance(step, models.Call) and procedure.id in _runs(known, step.procedure, set()):
            told = f"the procedure {procedure.id!r} runs itself"
            yield Finding(("steps", number, "procedure"), told)


def _order(known: Known, order: models.TurnOrder) -> Findings:
    """What the order of turns goes by comes out of its procedure, which need be told nothing."""
    if order.dice:
        yield from rolled(known, order.dice)
    procedure = known.ruleset.procedures.get(order.procedure)
    if procedure is None:
        return
    made = [output.id for output in procedure.outputs]
    for name in order.output:
        yield from missing(f"output of {procedure.id}", name, made, ("output",))
    for one in procedure.inputs:
        if one.needed:
            told = f"the procedure {procedure.id!r} must be told {one.id!r}"
            yield Finding(("procedure",), told)
    run = _runs(known, procedure.id, set()) & known.ruleset.procedures.keys()
    steps = [step for name in run for step in known.ruleset.procedures[name].steps]
    if order.dice and any(
        isinstance(step, models.RollDice | models.RollPool | models.Recover) for step in steps
    ):
        yield Finding(("procedure",), f"the procedure {procedure.id!r} rolls dice")


def _odds(known: Known, spec: models.OddsSpec) -> Findings:
    """A table of odds tells its procedure what it asks for, and shows what comes out of it."""
    procedure = known.ruleset.procedures.get(spec.procedure or known.ruleset.head.play.attack or "")
    if procedure is None:
        if spec.procedure is None:
            yield Finding(("each",), "no procedure serves attacks: play.attack")
        return
    inputs = [one.id for one in procedure.inputs]
    made = [output.id for output in procedure.outputs]
    for name in filter(None, (spec.input, *spec.set, *(span.input for span in spec.spans))):
        yield from missing(f"input of {procedure.id}", name, inputs, (), name)
    for number, name in enumerate(spec.show):
        yield from missing(f"output of {procedure.id}", name, made, ("show", number))
    if spec.best is not None:
        yield from missing(f"output of {procedure.id}", spec.best, made, ("best",))


def _runs(known: Known, name: str, seen: set[str]) -> set[str]:
    """Return a procedure and those that it runs, by name."""
    seen.add(name)
    called = known.ruleset.procedures.get(name)
    for step in called.steps if called is not None else ():
        if isinstance(step, models.Call) and step.procedure not in seen:
            _runs(known, step.procedure, seen)
    return seen


CHECKS: Checks = {
    models.Input: _input,
    models.Step: _ruled,
    models.RollDice: _dice_of_step,
    models.Recover: _dice_of_step,
    models.Call: _call,
    models.Procedure: _procedure,
    models.TurnOrder: _order,
    models.OddsSpec: _odds,
}
