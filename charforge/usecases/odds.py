"""Exact odds of a procedure, an attack, a check or a pool of dice.

Nothing is changed: the inputs of ``use`` and ``resolve`` give the chances of
every result.
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
from charforge.odds.liveness import is_flag
from charforge.procedures import abilities as using, run
from charforge.procedures.abilities import Ability
from charforge.procedures.inputs import choices
from charforge.procedures.pools import outcomes as pool_falls
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Input, Procedure, Steps
from charforge.rules.ruleset import Ruleset
from charforge.usecases.dice_source import (
    InputAsker,
    InputReader,
    ParsedInputs,
    PossibleInputs,
    TypedInputs,
    parse_inputs,
    possible_inputs,
)
from charforge.usecases.lookup import find_ability, find_unit, has_named
from charforge.usecases.play import checkable_names, find_checkable, find_rule
from charforge.usecases.resolve import find_procedure, parse_all_inputs, unknown_unit

MOST_CASES = 100
MOST_POOL = 60  # dice
WIDEST = 80  # of a line that lists what there is


@dataclass(frozen=True)
class VariedInput:
    """An input that gets several values, one a case; without a name there is one case."""

    name: str = ""
    words: tuple[str, ...] = ("",)


@dataclass(frozen=True)
class OddsResult:
    """The odds of a subject, case by case.

    ``flags`` are the outputs that are yes or no, ``best`` the one for which
    numbers were chosen (``choices`` are their labels), ``mirrored`` the
    symbols of a pool that are an earlier one's negative.
    """

    label: str
    varied: VariedInput
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
class OddsSubject:
    """A procedure whose odds are wanted: who runs it, and the inputs that are known already."""

    label: str
    state: State
    unit: str
    procedure: Procedure
    inputs: tuple[Input, ...]
    steps: Steps
    known_inputs: Mapping[str, Any]
    no_character: bool = False


def find_subject(
    opened: LoadedCharacter, named: str, action: str | None = None, unit: str | None = None
) -> OddsSubject:
    """Return the subject that a player names: an attack, a procedure or a check of a score.

    Raises UnknownId for a name that is nearly right, else UsageError with
    everything that has odds.
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
        return OddsSubject(rule.label, state, bearer, rule, rule.inputs, rule.steps, {})
    procedure, said = using.attack_procedure(state, ability, ability.attack)
    inputs, steps = using.ability_inputs(state, ability)
    roller = using.attack_unit(state, ability)
    after = using.state_once_paid(state, ability)
    return OddsSubject(ability.name, after, roller, procedure, inputs, steps, said)


def _check(state: State, named: str, unit: str) -> OddsSubject | None:
    """Return the check of a score, or of something held, by its name."""
    procedure = state.ruleset.procedures.get(state.ruleset.head.play.check or "")
    checkable = None if procedure is None else find_checkable(state, procedure, named, unit)
    if procedure is None or checkable is None:
        return None
    name, value = checkable
    inputs = tuple(one for one in procedure.inputs if one.id != name)
    score, held = state.ruleset.values.get(str(value)), state.holding(str(value))
    whose = score.title if score is not None else held.name if held is not None else named
    label = f"{procedure.label}: {whose}"
    return OddsSubject(label, state, unit, procedure, inputs, procedure.steps, {name: value})


def odds_offered(opened: LoadedCharacter, unit: str | None = None) -> str:
    """Return a list of everything that has odds: a line each for attacks, scores and rules."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    attacks = [one.name for one in using.all_abilities(state, bearer) if one.attack]
    check = opened.ruleset.procedures.get(opened.ruleset.head.play.check or "")
    sorts = {
        "attacks": attacks,
        "scores": [] if check is None else list(checkable_names(state, check, bearer)),
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
    """Return the attack of this name; None if it names a rule.

    Raises UnknownId, or UsageError for an ability that is not an attack.
    """
    state = opened.character.state
    if rule and action is None and not has_named(state, unit, named):
        return None
    try:
        ability = find_ability(state, unit, named, action)
    except UnknownId as unknown:
        known = [one.name for one in using.all_abilities(state, unit) if one.attack]
        rules = opened.ruleset.procedures.values()
        known += [word for one in rules for word in (one.id, one.label)]
        if nearest(named, known):
            raise UnknownId("attack or rule here", named, known) from unknown
        listed = f"{named!r} has no odds; these have:\n{odds_offered(opened, unit)}"
        raise UsageError(listed) from unknown
    if ability.attack is not None:
        return ability
    if rule and action is None:
        return None
    raise UsageError(
        f"{ability.name} is no attack, so it has no odds of its own",
        "Name the rule that it uses, such as a check.",
    )


def subject_without_character(ruleset: Ruleset, named: str) -> OddsSubject:
    """Return a procedure without a character, so that every figure must be given."""
    rule = find_procedure(ruleset, named)
    state = unknown_unit(ruleset, rule)
    return OddsSubject(rule.label, state, CHARACTER, rule, rule.inputs, rule.steps, {}, True)


def subject_inputs(subject: OddsSubject) -> PossibleInputs:
    """Return the inputs that a subject takes."""
    usual = (
        {}
        if subject.no_character
        else run.default_inputs(subject.state, subject.unit, subject.inputs, subject.known_inputs)
    )
    return possible_inputs(
        subject.state.ruleset, subject.label, subject.inputs, subject.steps, usual
    )


def calculate_odds(
    subject: OddsSubject,
    typed: TypedInputs,
    varied: VariedInput = VariedInput(),
    best: str | None = None,
    chosen: bool = True,
) -> OddsResult:
    """Return the exact odds of a subject, for each value of the varied input.

    ``best`` names the output for which numbers are chosen, by default the
    procedure's goal; with ``chosen`` false they are as suggested. Raises
    ProcedureError with everything missing or wrong, UsageError for too many
    branches.
    """
    procedure, ruleset = subject.procedure, subject.state.ruleset
    if not procedure.outputs:
        raise UsageError(f"{procedure.label} has no results, so there are no odds of it")
    if len(varied.words) > MOST_CASES:
        raise UsageError(f"{varied.name} is to take more than {MOST_CASES} values", "Take fewer.")
    asked = list(dict.fromkeys(s.label for s in choices(ruleset, subject.steps) if s.player))
    goal = _goal(procedure, best) if asked and chosen else None
    if best is not None and goal is None:
        raise UsageError(f"nothing is chosen on the way of {procedure.label}", "Leave --best out.")
    typed = replace(typed, ask=_ask_once(typed))
    parsed = [_parse(subject, _with_varied(typed, varied, word)) for word in varied.words]
    cases = [Case({**subject.known_inputs, **one.inputs}, one.figures, one.dice) for one in parsed]
    odds = Odds(subject.state, procedure, cases, subject.unit, subject.no_character, goal, MOST)
    flags = (o.id for o in procedure.outputs if is_flag(ruleset, procedure, o.id))
    results = tuple(odds.of(case) for case in cases)
    return OddsResult(subject.label, varied, results, frozenset(flags), goal, tuple(asked))


def pool_odds(
    ruleset: Ruleset, dice: Mapping[str, int], varied: VariedInput = VariedInput()
) -> OddsResult:
    """Return the odds of the symbols left in a pool, each by itself.

    Raises UnknownId for an unknown die, UsageError for too many.
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
    return OddsResult("Pool", varied, tuple(cases), pooled=True, mirrored=frozenset(mirrored))


def _left(ruleset: Ruleset, counts: Mapping[str, int]) -> Iterator[Outcome]:
    """Yield the distribution of each symbol, by itself."""
    for name, symbol in ruleset.symbols.items():
        falls = [(left[name], ways) for left, ways in pool_falls(ruleset, counts, [name])]
        whole = sum(ways for _number, ways in falls)
        chances: dict[int | str, Fraction] = {n: Fraction(ways, whole) for n, ways in sorted(falls)}
        yield Outcome(name, symbol.label, Chances(chances))


def _count(name: str, word: str) -> int:
    if not word.strip().isdecimal():
        raise UsageError(f"{name}={word} is no number of dice")
    return int(word)


def read_pool(text: str) -> dict[str, int]:
    """Read ``ability=1,proficiency=2``. Raises UsageError."""
    pool: dict[str, int] = {}
    for part in text.split(","):
        name, _equals, number = part.partition("=")
        name = name.strip().casefold()
        if name in pool:
            raise UsageError(f"the pool has {name} twice")
        pool[name] = _count(name, number)
    return pool


def _goal(procedure: Procedure, best: str | None) -> str:
    """Return the output with this id or label; by default the goal, or the first."""
    if best is None:
        return next((one.id for one in procedure.outputs if one.goal), procedure.outputs[0].id)
    for one in procedure.outputs:
        if best.strip().casefold() in (one.id, one.label.casefold()):
            return one.id
    raise UnknownId(f"result of {procedure.label}", best, [one.id for one in procedure.outputs])


def _with_varied(typed: TypedInputs, varied: VariedInput, word: str) -> TypedInputs:
    if not varied.name:
        return typed
    if varied.name in typed.words:
        raise UsageError(f"{varied.name} is set and varied", "Leave one of the two out.")
    return typed.also(**{varied.name: word})


def _ask_once(typed: TypedInputs) -> InputAsker | None:
    """Return an asker that asks for each input once for all cases."""
    if typed.ask is None:
        return None
    answers: dict[str, int | str] = {}

    def ask(one: Input, read: InputReader) -> int | str:
        if one.id not in answers:
            assert typed.ask is not None
            answers[one.id] = typed.ask(one, read)
        return answers[one.id]

    return ask


def _parse(subject: OddsSubject, typed: TypedInputs) -> ParsedInputs:
    if subject.no_character:
        return parse_all_inputs(subject.state, subject.procedure, typed)
    return parse_inputs(
        subject.state, subject.label, subject.inputs, subject.steps, typed, subject.unit,
        figures=True, known=subject.known_inputs,
    )  # fmt: skip
