"""Odds of a procedure, an attack or a pool of dice: what is asked, and its exact answer.

Nothing is changed: the same inputs that ``use`` and ``resolve`` are told
give the chances of all that could come of it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from charforge.character.state import CHARACTER, State
from charforge.errors import UnknownId, UsageError, nearest
from charforge.odds import MOST, Case, Chances, Odds, Outcome
from charforge.odds.faces import pool as pool_falls
from charforge.odds.flags import is_flag
from charforge.procedures import abilities as using, run
from charforge.procedures.abilities import Ability
from charforge.procedures.inputs import choices
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.models import Input, Procedure, Steps
from charforge.rules.ruleset import Ruleset
from charforge.usecases.abilities import find_ability, has_named
from charforge.usecases.dice_source import Heard, Read, Said, Tellable, hear, tellable
from charforge.usecases.lookup import find_unit
from charforge.usecases.play import checked, find_rule, rollable
from charforge.usecases.resolve import all_given, find_procedure, nobody_known

MOST_CASES = 100
MOST_POOL = 60  # dice
WIDEST = 80  # of a line that lists what there is


@dataclass(frozen=True)
class Varied:
    """The input that takes one word after another; without a name there is one case."""

    name: str = ""
    words: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class Reckoned:
    """The odds of something, case by case.

    ``flags`` are the outputs that only say yes or no, ``best`` the one for
    which numbers were chosen on the way (``choices`` are what was asked),
    ``mirrored`` the symbols of a pool that are an earlier one's negative.
    """

    label: str
    varied: Varied
    cases: tuple[tuple[Outcome, ...], ...]
    flags: frozenset[str] = frozenset()
    best: str | None = None
    choices: tuple[str, ...] = ()
    pooled: bool = False
    mirrored: frozenset[str] = frozenset()

    def label_of(self, output: str) -> str:
        """Return the label of an output."""
        return next(one.label for one in self.cases[0] if one.id == output)


@dataclass(frozen=True)
class Meant:
    """What is reckoned: a procedure as somebody runs it, and what is said of it already."""

    label: str
    state: State
    unit: str
    procedure: Procedure
    inputs: tuple[Input, ...]
    steps: Steps
    said: Mapping[str, Any]
    bare: bool = False


def meant(
    opened: LoadedCharacter, named: str, action: str | None = None, unit: str | None = None
) -> Meant:
    """Return what a character's player means: an attack, a procedure, a check of a score.

    Raises UnknownId where a name is nearly meant, else UsageError with all
    that has odds.
    """
    state = opened.character.state
    bearer = find_unit(state, unit).id
    rule = find_rule(opened.ruleset, named)
    if rule is None and action is None and not has_named(state, bearer, named):
        check = _check(state, named, bearer)
        if check is not None:
            return check
    ability = _attack(opened, bearer, named, action, rule is not None)
    if ability is None or ability.attack is None:
        assert rule is not None
        return Meant(rule.label, state, bearer, rule, rule.inputs, rule.steps, {})
    procedure, said = using.attacking(state, ability, ability.attack)
    inputs, steps = using.asks(state, ability)
    roller = using.operator(state, ability)
    after = using.paid(state, ability)
    return Meant(ability.name, after, roller, procedure, inputs, steps, said)


def _check(state: State, named: str, unit: str) -> Meant | None:
    """Return the check of a score, or of something held, that has this name."""
    procedure = state.ruleset.procedures.get(state.ruleset.head.play.check or "")
    found = None if procedure is None else checked(state, procedure, named, unit)
    if procedure is None or found is None:
        return None
    name, value = found
    inputs = tuple(one for one in procedure.inputs if one.id != name)
    score, held = state.ruleset.values.get(str(value)), state.holding(str(value))
    whose = score.title if score is not None else held.name if held is not None else named
    label = f"{procedure.label}: {whose}"
    return Meant(label, state, unit, procedure, inputs, procedure.steps, {name: value})


def offered(opened: LoadedCharacter, unit: str | None = None) -> str:
    """Return what a character's player may ask the odds of, a line for each sort."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    attacks = [one.name for one in using.abilities(state, bearer) if one.attack]
    check = opened.ruleset.procedures.get(opened.ruleset.head.play.check or "")
    sorts = {
        "attacks": attacks,
        "scores": [] if check is None else list(rollable(state, check, bearer)),
        "rules": [one.id for one in opened.ruleset.procedures.values() if one.outputs],
    }
    width = max(map(len, sorts))
    lines = [
        textwrap.fill(
            ", ".join(dict.fromkeys(names)),
            WIDEST,
            initial_indent=f"  {sort:<{width}}  ",
            subsequent_indent=" " * (width + 4),
            break_on_hyphens=False,
        )
        for sort, names in sorts.items()
        if names
    ]
    return "\n".join([*lines, "odds FILE NAME --inputs lists what one of them can be told"])


def _attack(
    opened: LoadedCharacter, unit: str, named: str, action: str | None, rule: bool
) -> Ability | None:
    """Return the attack that is meant; None where a rule of that name is meant instead.

    Raises UnknownId, or UsageError for what is no attack.
    """
    state = opened.character.state
    if rule and action is None and not has_named(state, unit, named):
        return None
    try:
        ability = find_ability(state, unit, named, action)
    except UnknownId as unknown:
        known = [one.name for one in using.abilities(state, unit) if one.attack]
        rules = opened.ruleset.procedures.values()
        known += [word for one in rules for word in (one.id, one.label)]
        if nearest(named, known):
            raise UnknownId("attack or rule here", named, known) from unknown
        listed = f"{named!r} has no odds; these have:\n{offered(opened, unit)}"
        raise UsageError(listed) from unknown
    if ability.attack is not None:
        return ability
    if rule and action is None:
        return None
    raise UsageError(
        f"{ability.name} is no attack, so it has no odds of its own",
        "Name the rule that it uses, such as a check.",
    )


def bare(ruleset: Ruleset, named: str) -> Meant:
    """Return a procedure without a character: every figure must be given."""
    rule = find_procedure(ruleset, named)
    state = nobody_known(ruleset, rule)
    return Meant(rule.label, state, CHARACTER, rule, rule.inputs, rule.steps, {}, True)


def told_of(what: Meant) -> Tellable:
    """Return what can be told of it."""
    usual = {} if what.bare else run.usual(what.state, what.unit, what.inputs, what.said)
    return tellable(what.state.ruleset, what.label, what.inputs, what.steps, usual)


def reckon(
    what: Meant, said: Said, varied: Varied = Varied(), best: str | None = None,
    chosen: bool = True,
) -> Reckoned:  # fmt: skip
    """Return the exact odds of what is meant, for each word of the input that varies.

    ``best`` names the output that the numbers chosen on the way should
    raise, the first one if none; with ``chosen`` false they are as
    suggested. Raises ProcedureError with all that is missing or wrong,
    UsageError where there are too many ways to follow.
    """
    procedure, ruleset = what.procedure, what.state.ruleset
    if not procedure.outputs:
        raise UsageError(f"{procedure.label} has no results, so there are no odds of it")
    if len(varied.words) > MOST_CASES:
        raise UsageError(f"{varied.name} is to take more than {MOST_CASES} values", "Take fewer.")
    asked = list(dict.fromkeys(s.label for s in choices(ruleset, what.steps) if s.player))
    goal = _goal(procedure, best) if asked and chosen else None
    if best is not None and goal is None:
        raise UsageError(f"nothing is chosen on the way of {procedure.label}", "Leave --best out.")
    said = replace(said, ask=_once(said))
    heard = [_heard(what, _also(said, varied, word)) for word in varied.words]
    cases = [Case({**what.said, **one.inputs}, one.figures, one.dice) for one in heard]
    odds = Odds(what.state, procedure, cases, what.unit, what.bare, goal, MOST)
    flags = (o.id for o in procedure.outputs if is_flag(ruleset, procedure, o.id))
    found = tuple(odds.of(case) for case in cases)
    return Reckoned(what.label, varied, found, frozenset(flags), goal, tuple(asked))


def pool(ruleset: Ruleset, dice: Mapping[str, int], varied: Varied = Varied()) -> Reckoned:
    """Return what can be left of a pool of symbol dice.

    Raises UnknownId for a die that there is not, UsageError for too many.
    """
    if not ruleset.symbol_dice:
        raise UsageError(f"{ruleset.head.name} has no dice with symbols")
    cases = []
    for word in varied.words:
        counts = {**dice, **({varied.name: _count(varied.name, word)} if varied.name else {})}
        for name in counts:
            if name not in ruleset.symbol_dice:
                raise UnknownId(f"die of {ruleset.head.name}", name, ruleset.symbol_dice)
        if sum(counts.values()) > MOST_POOL:
            raise UsageError(f"a pool has at most {MOST_POOL} dice")
        cases.append(tuple(_left(ruleset, counts)))
    order = list(ruleset.symbols)
    mirrored = (
        name
        for name, symbol in ruleset.symbols.items()
        if symbol.cancels in order[: order.index(name)]
    )
    return Reckoned("Pool", varied, tuple(cases), pooled=True, mirrored=frozenset(mirrored))


def _left(ruleset: Ruleset, counts: Mapping[str, int]) -> Iterator[Outcome]:
    """Yield what can be left of each symbol, by itself."""
    for name, symbol in ruleset.symbols.items():
        falls = [(left[name], ways) for left, ways in pool_falls(ruleset, counts, [name])]
        whole = sum(ways for _number, ways in falls)
        found: dict[int | str, Fraction] = {n: Fraction(ways, whole) for n, ways in sorted(falls)}
        yield Outcome(name, symbol.label, Chances(found))


def _count(name: str, word: str) -> int:
    if not word.strip().isdecimal():
        raise UsageError(f"{name}={word} is no number of dice")
    return int(word)


def read_pool(text: str) -> dict[str, int]:
    """Read ``ability=1,proficiency=2``. Raises UsageError."""
    found: dict[str, int] = {}
    for part in text.split(","):
        name, _equals, number = part.partition("=")
        name = name.strip().casefold()
        if name in found:
            raise UsageError(f"the pool has {name} twice")
        found[name] = _count(name, number)
    return found


def _goal(procedure: Procedure, best: str | None) -> str:
    """Return the output that a player means by its id or label."""
    if best is None:
        return next((one.id for one in procedure.outputs if one.goal), procedure.outputs[0].id)
    for one in procedure.outputs:
        if best.strip().casefold() in (one.id, one.label.casefold()):
            return one.id
    raise UnknownId(f"result of {procedure.label}", best, [one.id for one in procedure.outputs])


def _also(said: Said, varied: Varied, word: str) -> Said:
    if not varied.name:
        return said
    if varied.name in said.words:
        raise UsageError(f"{varied.name} is set and varied", "Leave one of the two out.")
    return said.also(**{varied.name: word})


def _once(said: Said) -> Any:
    """Return what asks for an input only once for all cases."""
    if said.ask is None:
        return None
    answers: dict[str, int | str] = {}

    def ask(one: Input, read: Read) -> int | str:
        if one.id not in answers:
            assert said.ask is not None
            answers[one.id] = said.ask(one, read)
        return answers[one.id]

    return ask


def _heard(what: Meant, said: Said) -> Heard:
    if what.bare:
        return all_given(what.state, what.procedure, said)
    return hear(
        what.state, what.label, what.inputs, what.steps, said, what.unit,
        figures=True, known=what.said,
    )  # fmt: skip
