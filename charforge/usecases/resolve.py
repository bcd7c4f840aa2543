"""Resolving a procedure by itself: for a character, or on figures that are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from charforge.character.state import CHARACTER, State, Unit
from charforge.errors import CharforgeError, ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.procedures import inputs as reading, run as procedures
from charforge.procedures.run import Run, UnknownFigure
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.models import Input, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.usecases.dice_source import Heard, Read, Said, Thrown, hear
from charforge.usecases.lookup import find_unit
from charforge.usecases.play import find_rule

# What stands in for an input that is not given, and what is said as an example of it.
STANDING_IN: Mapping[str, int | str] = {"amount": "0", "text": "", "item": "", "flag": 0}
EXAMPLES: Mapping[str, str] = {"amount": "1d6", "text": "somebody", "item": "own", "flag": "no"}


def find_procedure(ruleset: Ruleset, named: str) -> Procedure:
    """Return a procedure by id or label. Raises UnknownId with the nearest one."""
    return find_rule(ruleset, named) or ruleset.procedure(named)


def resolve(
    ruleset: Ruleset,
    named: str,
    said: Said,
    seed: str,
    opened: LoadedCharacter | None = None,
    unit: str | None = None,
) -> Run:
    """Run a procedure without changing anything; a character, if any, gives the figures.

    Without one each figure that is read must be given. Raises
    ProcedureError with all inputs and figures that are missing.
    """
    procedure = find_procedure(ruleset, named)
    if opened is None:
        state, bearer = nobody_known(ruleset, procedure), CHARACTER
        heard = all_given(state, procedure, said)
    else:
        state = opened.character.state
        bearer = find_unit(state, unit).id
        heard = _hear(state, procedure, said, bearer)
    thrown = Thrown(seed, procedure.id, heard.dice)
    run = procedures.run(
        state, procedure, heard.inputs, thrown, bearer, said.choose, heard.figures, opened is None
    )
    thrown.refuse_unused(procedure.label)
    return run


def _hear(state: State, procedure: Procedure, said: Said, unit: str, bare: bool = False) -> Heard:
    return hear(
        state, procedure.label, procedure.inputs, procedure.steps, said, unit, bare, figures=True
    )


def nobody_known(ruleset: Ruleset, procedure: Procedure) -> State:
    """Return the state of a unit of which nothing is known but its type."""
    sort = procedure.units[0] if procedure.units else next(iter(ruleset.units))
    return State(ruleset, units=(Unit(CHARACTER, ruleset.units[sort], ""),))


def all_given(state: State, procedure: Procedure, said: Said) -> Heard:
    """Hear what is said where there is no character.

    Raises ProcedureError with every input and every figure that is
    missing, and an example of each.
    """
    lacking: dict[str, _Lack] = {}

    def stand_in(one: Input, _read: Read) -> int | str:
        if one.type != "item":  # of an item its figures are given
            lacking[one.id] = _lack(state, one, f"it must be given: {one.label}")
        return _standing_in(state, one)

    heard = _hear(state, procedure, replace(said, ask=stand_in), CHARACTER, bare=True)
    veiled = {
        name
        for one in procedure.inputs
        if one.type == "value" and one.id in lacking
        for name in reading.values_of(state.ruleset, one)
    }
    for lack in _beyond(state, procedure, heard):
        if lack.name not in veiled:  # else nobody can tell which figure is meant
            lacking[lack.name] = lack
    if lacking:
        problems = [("" if one.choice else name, one.reason) for name, one in lacking.items()]
        examples = {name: one.example for name, one in lacking.items()}
        raise ProcedureError(procedure.label, problems, examples=examples)
    return heard


@dataclass(frozen=True)
class _Lack:
    """What is missing, why it is needed, and a word that would do.

    With ``choice`` another input might do instead, as the reason says.
    """

    name: str
    reason: str
    example: str
    choice: bool = False


def _lack(state: State, one: Input, reason: str, choice: bool = False) -> _Lack:
    example = EXAMPLES.get(one.type) or str(_standing_in(state, one))
    return _Lack(one.id, reason, example, choice)


def _standing_in(state: State, one: Input) -> int | str:
    """Return a sound word for an input, so that a run goes on without it."""
    if one.type == "value":
        return reading.values_of(state.ruleset, one)[0]
    if one.type == "number":
        least = one.minimum.constant if one.minimum is not None else None
        return max(1, least or 1)
    return one.options[0] if one.options else STANDING_IN[one.type]


def _beyond(state: State, procedure: Procedure, heard: Heard) -> Iterator[_Lack]:
    """Yield what a run needs further: figures, and one of several inputs that a rule wants.

    Each is stood in for in its turn.
    """
    inputs, figures = dict(heard.inputs), dict(heard.figures)
    while True:
        refused = _refusal(state, procedure, heard, inputs, figures)
        if isinstance(refused, UnknownFigure):
            name = refused.figure
            figures[name] = 1  # 0 would often lead to the rarest end of a rule
            yield _figure_lack(state, name)
            continue
        if not isinstance(refused, RuleRefusal):
            return  # what is wrong beyond that shows once everything is given
        wanted = _way_on(state, procedure, heard, inputs, figures, refused)
        if wanted is None:
            return
        inputs[wanted.id] = _standing_in(state, wanted)
        yield _lack(state, wanted, refused.reason, choice=True)


def _figure_lack(state: State, name: str) -> _Lack:
    """Return a figure as missing; as an example what it starts from with nobody's choices."""
    value = state.ruleset.values.get(name)
    values = state.values(CHARACTER)
    example = str(values.base(name)) if name in values else "1"
    told = f"it must be given: {value.name if value else name} (or give a FILE)"
    return _Lack(name, told, example)


def _way_on(
    state: State,
    procedure: Procedure,
    heard: Heard,
    inputs: Mapping[str, Any],
    figures: Mapping[str, int],
    refused: RuleRefusal,
) -> Input | None:
    """Return an input that may be left out, but with which a rule would not refuse."""
    left = [one for one in procedure.inputs if one.optional and one.id not in inputs]
    for one in sorted(left, key=lambda one: one.type == "value"):
        more = {**inputs, one.id: _standing_in(state, one)}
        then = _refusal(state, procedure, heard, more, figures)
        if not isinstance(then, RuleRefusal) or then.reason != refused.reason:
            return one
    return None


def _refusal(
    state: State,
    procedure: Procedure,
    heard: Heard,
    inputs: Mapping[str, Any],
    figures: Mapping[str, int],
) -> CharforgeError | None:
    """Return what a run ends in, if it does not go through."""
    lowest = _Lowest("", procedure.id, heard.dice)
    try:
        procedures.run(state, procedure, inputs, lowest, given=figures, bare=True)
    except CharforgeError as error:
        return error
    return None


class _Lowest(Thrown):
    """Dice at their lowest where none are given: what is missing is no matter of luck."""

    def fallen(self, _name: str, dice: Dice, _attempt: int) -> list[int]:
        """Return the lowest faces."""
        return [dice.faces[0]] * dice.number
