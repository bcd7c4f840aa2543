"""Trying a procedure: for a character, or with given figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from charforge.character.state import CHARACTER, State, Unit
from charforge.errors import CharforgeError, ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.procedures.context import UnknownFigure
from charforge.procedures.inputs import values_of
from charforge.procedures.run import ProcedureResult, run_procedure
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Input, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.usecases.dice_source import (
    DiceSource,
    InputReader,
    ParsedInputs,
    TypedInputs,
    parse_inputs,
)
from charforge.usecases.lookup import find_unit
from charforge.usecases.play import find_rule

# Values that replace missing inputs so that a run goes on, and the examples in messages.
PLACEHOLDERS: Mapping[str, int | str] = {"amount": "0", "text": "", "item": "", "flag": 0}
EXAMPLES: Mapping[str, str] = {"amount": "1d6", "text": "somebody", "item": "own", "flag": "no"}


def find_procedure(ruleset: Ruleset, named: str) -> Procedure:
    """Return a procedure by id or label. Raises UnknownId with the nearest one."""
    return find_rule(ruleset, named) or ruleset.procedure(named)


def resolve(
    ruleset: Ruleset,
    named: str,
    typed: TypedInputs,
    seed: str,
    opened: LoadedCharacter | None = None,
    unit: str | None = None,
) -> ProcedureResult:
    """Run a procedure without changing anything; a character, if any, gives the figures.

    Without one each figure that is read must be given. Raises
    ProcedureError with all inputs and figures that are missing.
    """
    procedure = find_procedure(ruleset, named)
    if opened is None:
        state, bearer = unknown_unit(ruleset, procedure), CHARACTER
        inputs = parse_all_inputs(state, procedure, typed)
    else:
        state = opened.character.state
        bearer = find_unit(state, unit).id
        inputs = _parse(state, procedure, typed, bearer)
    dice = DiceSource(seed, procedure.id, inputs.dice)
    result = run_procedure(
        state, procedure, inputs.inputs, dice, bearer, typed.choose, inputs.figures, opened is None
    )
    dice.refuse_unused(procedure.label)
    return result


def _parse(
    state: State, procedure: Procedure, typed: TypedInputs, unit: str, no_character: bool = False
) -> ParsedInputs:
    return parse_inputs(
        state, procedure.label, procedure.inputs, procedure.steps, typed, unit, no_character,
        figures=True,
    )  # fmt: skip


def unknown_unit(ruleset: Ruleset, procedure: Procedure) -> State:
    """Return the state of a unit of which only the type is known."""
    unit_type = procedure.units[0] if procedure.units else next(iter(ruleset.units))
    return State(ruleset, units=(Unit(CHARACTER, ruleset.units[unit_type], ""),))


def parse_all_inputs(state: State, procedure: Procedure, typed: TypedInputs) -> ParsedInputs:
    """Parse what a player typed where there is no character.

    Raises ProcedureError with every input and every figure that is
    missing, and an example of each.
    """
    missing: dict[str, _Missing] = {}

    def placeholder(one: Input, _read: InputReader) -> int | str:
        if one.type != "item":  # of an item its figures are given
            missing[one.id] = _missing(state, one, f"it must be given: {one.label}")
        return _placeholder(state, one)

    inputs = _parse(state, procedure, replace(typed, ask=placeholder), CHARACTER, True)
    unknown = {
        name
        for one in procedure.inputs
        if one.type == "value" and one.id in missing
        for name in values_of(state.ruleset, one)
    }
    for one in _missing_in_run(state, procedure, inputs):
        if one.name not in unknown:  # else nobody can tell which figure the rule reads
            missing[one.name] = one
    if missing:
        problems = [("" if one.choice else name, one.reason) for name, one in missing.items()]
        examples = {name: one.example for name, one in missing.items()}
        raise ProcedureError(procedure.label, problems, examples=examples)
    return inputs


@dataclass(frozen=True)
class _Missing:
    """A missing input or figure: why it is needed, and an example.

    With ``choice`` another input would serve instead, as the reason says.
    """

    name: str
    reason: str
    example: str
    choice: bool = False


def _missing(state: State, one: Input, reason: str, choice: bool = False) -> _Missing:
    example = EXAMPLES.get(one.type) or str(_placeholder(state, one))
    return _Missing(one.id, reason, example, choice)


def _placeholder(state: State, one: Input) -> int | str:
    """Return a valid value of an input, so that a run goes on without it."""
    if one.type == "value":
        return values_of(state.ruleset, one)[0]
    if one.type == "number":
        least = one.minimum.constant if one.minimum is not None else None
        return max(1, least or 1)
    return one.options[0] if one.options else PLACEHOLDERS[one.type]


def _missing_in_run(state: State, procedure: Procedure, parsed: ParsedInputs) -> Iterator[_Missing]:
    """Yield what else a run needs: figures, and one of several inputs that a rule needs.

    Each gets a placeholder in turn, to find the next.
    """
    inputs, figures = dict(parsed.inputs), dict(parsed.figures)
    while True:
        error = _error_of(state, procedure, inputs, figures, parsed.dice)
        if isinstance(error, UnknownFigure):
            name = error.figure
            figures[name] = 1  # 0 would often lead to the rarest end of a rule
            yield _missing_figure(state, name)
            continue
        if not isinstance(error, RuleRefusal):
            return  # other errors are shown once everything is given
        needed = _input_for(state, procedure, inputs, figures, parsed.dice, error)
        if needed is None:
            return
        inputs[needed.id] = _placeholder(state, needed)
        yield _missing(state, needed, error.reason, choice=True)


def _missing_figure(state: State, name: str) -> _Missing:
    """Return a figure as missing; the example is its value before any decisions."""
    value = state.ruleset.values.get(name)
    values = state.values(CHARACTER)
    example = str(values.base(name)) if name in values else "1"
    reason = f"it must be given: {value.name if value else name} (or give a FILE)"
    return _Missing(name, reason, example)


def _input_for(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    figures: Mapping[str, int],
    dice: Mapping[str, tuple[int, ...]],
    refusal: RuleRefusal,
) -> Input | None:
    """Return an optional input with which a rule would not refuse."""
    left = [one for one in procedure.inputs if one.optional and one.id not in inputs]
    for one in sorted(left, key=lambda one: one.type == "value"):
        more = {**inputs, one.id: _placeholder(state, one)}
        error = _error_of(state, procedure, more, figures, dice)
        if not isinstance(error, RuleRefusal) or error.reason != refusal.reason:
            return one
    return None


def _error_of(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    figures: Mapping[str, int],
    dice: Mapping[str, tuple[int, ...]],
) -> CharforgeError | None:
    """Return the error of a run, None without one."""
    lowest = _LowestDice("", procedure.id, dice)
    try:
        run_procedure(state, procedure, inputs, lowest, figures=figures, no_character=True)
    except CharforgeError as error:
        return error
    return None


class _LowestDice(DiceSource):
    """Dice that show their lowest face where none are given: what is missing is not random."""

    def random_faces(self, _name: str, dice: Dice, _attempt: int) -> list[int]:
        """Return the lowest faces."""
        return [dice.faces[0]] * dice.number
