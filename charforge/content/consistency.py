"""What the parts of a pack must agree on beyond the names that they use.

Each check yields the faults of one model; ``CHECKS`` says which models it is for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

from charforge import dice
from charforge.content import models
from charforge.content.bringing import MOST_DECISIONS
from charforge.content.cycles import cells, read_by
from charforge.content.names import Finding, Known, missing
from charforge.errors import FormulaError, nearest
from charforge.formula import Formula

Findings = Iterator[Finding]
FACES = "roll"  # what a condition calls the faces that lie there


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
            yield from _settled(known, choices[name], answer, where)


def _settled(known: Known, ask: models.Ask, answer: str | int, where: tuple[str, ...]) -> Findings:
    """A number is settled where one is entered, a word or text anywhere else."""
    if not isinstance(ask, models.Choose | models.Enter | models.Write):
        yield Finding(where, f"{ask.id!r} cannot be settled in advance")
    elif isinstance(ask, models.Enter) != isinstance(answer, int):
        wanted = "a whole number" if isinstance(ask, models.Enter) else "a word or text"
        yield Finding(where, f"{ask.id!r} is {wanted}, not {answer!r}")
    elif isinstance(answer, str):
        yield from _option(known, ask, answer, where)


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


def _roll(known: Known, ask: models.Roll) -> Findings:
    """Dice that are rolled anew while something holds come to an end."""
    faults = list(_dice(known, ask))
    yield from faults
    again = ask.reroll_all_while
    if faults or again is None or not again.names <= {FACES}:
        return
    rolled = dice.parse(ask.dice, known.ruleset.dice)
    try:
        dice.roll(
            rolled,
            dice.stream("", ask.id),
            lambda faces: bool(again.evaluate({FACES: faces}.__getitem__)),
        )
    except ValueError:
        yield Finding(("reroll_all_while",), "these dice would be rolled anew for ever")
    except FormulaError as error:
        yield Finding(("reroll_all_while",), error.reason)


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


def _allot(known: Known, ask: models.Allot) -> Findings:
    """The points of an allotment can be given: none too few, none too many."""
    points = None if ask.points is None else ask.points.constant
    low, high = _ends(ask)
    if low is not None and high is not None and low > high:
        yield Finding(("minimum",), f"nothing is from {low} to {high}")
    to = len({name for target in ask.to for name in known.targets(target)})
    if not to or points is None or low is None or high is None:
        return
    if not low * to <= points <= high * to:
        told = f"{to} values of {low} to {high} cannot take {points} points"
        yield Finding(("points",), told)


def _ends(ask: models.Allot) -> tuple[int | None, int | None]:
    """Return the lowest and highest number that an allotment may give, where the pack tells."""
    if ask.only:
        return min(ask.only), max(ask.only)
    low, high = ask.minimum, ask.maximum
    return (None if low is None else low.constant), (None if high is None else high.constant)


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


def _input(known: Known, one: models.Input) -> Findings:
    """There is something of the kinds that an item is of."""
    kinds = [kind for kind in one.kind if kind in known.ruleset.kinds]
    if one.kind and kinds and not any(True for kind in kinds for _e in known.ruleset.of_kind(kind)):
        yield Finding(("kind",), f"nothing is of the kind {' or '.join(kinds)}")


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


def _unit_type(known: Known, unit: models.UnitType) -> Findings:
    """No value of a unit type is computed from itself."""
    for name in known.dependencies.circular[unit.id]:
        yield Finding(("values", name), f"the value {name!r} is computed from itself")


def _head(known: Known, head: models.Head) -> Findings:
    """Every step of creation belongs to a section: none else is asked. All of it can be asked."""
    if known.bringing.decisions() > MOST_DECISIONS:
        told = f"a character might be asked more than {MOST_DECISIONS:,} decisions"
        yield Finding(("creation",), told)
    for number, step in enumerate(head.creation):
        if not step.section:
            yield Finding(("creation", number), "this step has no section, so nobody is asked")


def _dice_of_step(known: Known, roll: models.RollDice | models.Recover) -> Findings:
    """Dice of a procedure are such as 2d6, too."""
    if roll.dice:
        yield from _rolled(known, roll.dice)


def _symbol(known: Known, symbol: models.Symbol) -> Findings:
    """Symbols cancel each other, and none counts as itself."""
    symbols = known.ruleset.symbols
    other = symbols.get(symbol.cancels or "")
    if other is symbol:
        yield Finding(("cancels",), f"{symbol.id} cancels itself")
    elif other is not None and other.cancels != symbol.id and other.cancels in {None, *symbols}:
        told = f"{other.id} does not cancel {symbol.id} in turn"
        yield Finding(("cancels",), told)
    met, name = [symbol.id], symbol.counts
    while name in symbols and name not in met:
        met.append(name)
        name = symbols[name].counts
    if name == symbol.id:
        yield Finding(("counts",), f"{symbol.id} counts as itself")


def _chart(_known: Known, chart: models.Chart) -> Findings:
    """A chart's rows have a cell a column, hold for nothing twice, and leave no gap unruled."""
    for number, row in enumerate(chart.rows):
        if len(row.cells) != len(chart.columns):
            told = f"{len(row.cells)} cells for {len(chart.columns)} columns"
            yield Finding(("rows", number, "cells"), told)
        if row.at in [other.at for other in chart.rows[:number] if isinstance(other.at, str)]:
            yield Finding(("rows", number, "at"), f"{row.at} has a row already")
    spans = [(row.span, n, row.heading) for n, row in enumerate(chart.rows) if row.span is not None]
    spans.sort(key=lambda found: -math.inf if found[0][0] is None else found[0][0])
    for ((_low, high), _n, before), ((low, _high), number, heading) in itertools.pairwise(spans):
        if high is None or low is None or low <= high:
            yield Finding(("rows", number, "at"), f"the rows {before} and {heading} overlap")
        elif low > high + 1 and chart.between == "refuse":
            told = f"nothing is said between {before} and {heading}: add a row, or 'between'"
            yield Finding(("rows", number, "at"), told)


def _read_chart(known: Known, step: models.ReadChart) -> Findings:
    """What is taken of a chart are columns of it; every word that is looked up has a row."""
    chart = known.ruleset.charts.get(step.chart)
    if chart is None:
        return
    columns = [column.id for column in chart.columns]
    for name, column in step.take.items():
        yield from missing(f"column of {chart.id}", column, columns, ("take", name))
    words = [row.at for row in chart.rows if isinstance(row.at, str)]
    for one in known.inputs:
        if step.at == f"${one.id}":
            for option in one.options:
                yield from missing(f"row of {chart.id}", option, words, ("at",))


def _track(known: Known, track: models.Track) -> Findings:
    """A track goes by a resource, and no two go by the same one."""
    units = known.ruleset.units.values()
    made = [unit.values[track.value] for unit in units if track.value in unit.values]
    if made and not any(computed.resource for computed in made):
        yield Finding(("value",), f"{track.value} is no resource of any unit")
    other = known.ruleset.tracks.get(track.value, track)
    if other.id != track.id:
        yield Finding(("value",), f"{track.value} has the track {other.id} already")


def _track_step(_known: Known, step: models.TrackStep) -> Findings:
    """What a step of a track changes does not last."""
    for number, modifier in enumerate(step.modifies):
        if modifier.layer != "current":
            told = "what a step of a track changes is of the layer 'current'"
            yield Finding(("modifies", number), told)


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
        yield from _rolled(known, order.dice)
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


CHECKS: dict[type, Callable[[Known, Any], Findings]] = {
    models.Grant: _grant,
    models.Choose: _choose,
    models.Among: _among,
    models.Roll: _roll,
    models.AttackRoll: _dice,
    models.Assign: _assign,
    models.Allot: _allot,
    models.Entity: _entity,
    models.Attack: _attack,
    models.Input: _input,
    models.Option: _changes,
    models.TrackStep: _track_step,
    models.Track: _track,
    models.UnitType: _unit_type,
    models.Head: _head,
    models.Procedure: _procedure,
    models.TurnOrder: _order,
    models.RollDice: _dice_of_step,
    models.Recover: _dice_of_step,
    models.Call: _call,
    models.OddsSpec: _odds,
    models.Step: _ruled,
    models.Chart: _chart,
    models.ReadChart: _read_chart,
    models.Symbol: _symbol,
}
