"""What questions ask, what may be settled in advance, and which dice they roll."""

from __future__ import annotations

from charforge.errors import FormulaError, nearest
from charforge.expressions import dice
from charforge.rules import models
from charforge.rules.symbols import Checks, Finding, Findings, Known, missing

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
    """What is rolled are dice."""
    yield from rolled(known, roll.dice)


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


def rolled(known: Known, notation: str) -> Findings:
    """Dice are such as 2d6, or of a die that the ruleset names."""
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


CHECKS: Checks = {
    models.Grant: _grant,
    models.Choose: _choose,
    models.Among: _among,
    models.Roll: _roll,
    models.AttackRoll: _dice,
    models.Assign: _assign,
    models.Allot: _allot,
}
