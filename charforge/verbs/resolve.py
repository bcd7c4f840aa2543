"""Trying a procedure without changing anything: for a character, or with typed figures.

Without a character, everything that is missing is found at once: a trial
run with the lowest dice goes on with a placeholder for each missing input
and figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character import state_changes
from charforge.character.state import CHARACTER, State, Unit, find_unit
from charforge.errors import CharforgeError, MissingInput, ProcedureError, RuleRefusal, UsageError
from charforge.expressions.template import true_minus
from charforge.language import _
from charforge.odds.liveness import is_flag
from charforge.procedures.context import RunSettings, UnknownFigure
from charforge.procedures.inputs import DiceSource, LowestDice, values_of
from charforge.procedures.run import ProcedureResult, run_procedure, unit_inputs
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Input, Procedure
from charforge.rules.models.entities import LEVEL
from charforge.rules.ruleset import Ruleset
from charforge.verbs.lookup import find_procedure
from charforge.verbs.typed_inputs import (
    InputReader,
    ParsedInputs,
    PlannedRun,
    TypedInputs,
    parse_inputs,
)

# By type of input: values that replace missing ones in a trial run, and examples for messages.
PLACEHOLDERS: Mapping[str, int | str] = {
    "amount": "0", "text": "", "item": "", "flag": 0, "numbers": "",
}  # fmt: skip
INPUT_EXAMPLES: Mapping[str, str] = {
    "amount": "1d6", "text": "somebody", "item": "own", "flag": "no", "numbers": "5,6",
}  # fmt: skip


class Resolution(NamedTuple):
    """A rule that was tried: its result, the state it began with, the unit, the typed figures."""

    result: ProcedureResult
    before: State
    unit: str
    figures: frozenset[str]


def output_texts(ruleset: Ruleset, procedure: Procedure, result: ProcedureResult) -> dict[str, str]:
    """Return the outputs of a run in words, by label: yes or no for what is always 0 or 1."""
    texts = {}
    for name, value in result.outputs.items():
        text = (_("yes") if value else _("no")) if is_flag(ruleset, procedure, name) else str(value)
        texts[result.labels[name]] = true_minus(text)
    return texts


def resolve_procedure(
    ruleset: Ruleset,
    named: str,
    typed: TypedInputs,
    seed: str,
    opened: LoadedCharacter | None = None,
    unit_id: str | None = None,
    rules: Mapping[str, str] = MappingProxyType({}),
) -> Resolution:
    """Return the result of a procedure with an id or label, which changes nothing.

    The figures are those of ``unit_id`` of the character ``opened``, except for
    typed ones; without a character each figure that is read must be typed, and
    ``rules`` are its table rules.
    ``seed`` rolls the dice that were not typed. Raises UnknownId, UsageError for a rule that
    does nothing without a character, or ProcedureError with all inputs and figures that are
    missing.
    """
    procedure = find_procedure(ruleset, named)
    if opened is None:
        state, bearer = unknown_unit(ruleset, procedure, rules), CHARACTER
        own: Mapping[str, int | str] = {}
        parsed = parse_all_inputs(state, procedure, typed)
    else:
        state = opened.character.state
        bearer = find_unit(state, unit_id).id
        own = unit_inputs(state, bearer, procedure)
        parsed = _parse(state, procedure, typed, bearer, supplied=own)
        state = _with_resources(state, bearer, parsed.figures, procedure.label)
        state = _with_assumed(state, bearer, _fixed_figures(state, bearer, parsed.figures))
    dice = DiceSource(seed, procedure.id, parsed.dice)
    figures = parsed.figures if opened is None else _fixed_figures(state, bearer, parsed.figures)
    settings = RunSettings(dice.roll, typed.choose, figures=figures, no_character=opened is None)
    result = run_procedure(state, procedure, {**own, **parsed.inputs}, settings, bearer)
    for_some_units = any(step.units for step in procedure.steps)  # none of them runs without one
    if opened is None and for_some_units and not (result.steps or result.outputs):
        raise UsageError(
            _("{label} needs a character").format(label=procedure.label), _("Add its FILE.")
        )
    dice.refuse_unused(procedure.label)
    return Resolution(result, state, bearer, frozenset(parsed.figures))


def _with_resources(state: State, unit_id: str, figures: Mapping[str, int], label: str) -> State:
    """Return the state with typed resources at their numbers, so that rules can change them.

    Raises ProcedureError for a number that a resource cannot have.
    """
    problems = []
    for name, number in figures.items():
        if not _is_resource(state, unit_id, name):
            continue
        by = number - state.values(unit_id).base(name)
        state, real = state_changes.change_resource(state, unit_id, name, by)
        if real != by:
            nearest = state.values(unit_id).base(name)
            problems.append(
                (
                    name,
                    _("{number} is not possible; the nearest possible number is {nearest}").format(
                        number=number, nearest=nearest
                    ),
                )
            )
    if problems:
        raise ProcedureError(label, problems)
    return state


def _with_assumed(state: State, unit_id: str, figures: Mapping[str, int]) -> State:
    """Return the state with typed figures, which also count in the values computed from them."""
    level = {LEVEL: figures[LEVEL]} if LEVEL in figures and unit_id == CHARACTER else {}
    known = state.unit(unit_id).type.values
    assumed = {(unit_id, name): number for name, number in figures.items() if name in known}
    return state.with_changes(assumed=assumed, **level) if assumed or level else state


def _fixed_figures(state: State, unit_id: str, figures: Mapping[str, int]) -> dict[str, int]:
    """Return the typed figures that no rule changes: all but resources."""
    return {n: number for n, number in figures.items() if not _is_resource(state, unit_id, n)}


def _is_resource(state: State, unit_id: str, name: str) -> bool:
    computed = state.unit(unit_id).type.values.get(name)
    return computed is not None and computed.resource


def _parse(
    state: State,
    procedure: Procedure,
    typed: TypedInputs,
    unit_id: str,
    no_character: bool = False,
    supplied: Mapping[str, int | str] | None = None,
) -> ParsedInputs:
    run = PlannedRun.of_procedure(procedure, unit_id, supplied or {})
    return parse_inputs(state, run, typed, no_character, figures=True)


def unknown_unit(
    ruleset: Ruleset, procedure: Procedure, rules: Mapping[str, str] = MappingProxyType({})
) -> State:
    """Return a state with one unit of which only the type is known: one that can run it."""
    unit_type = procedure.units[0] if procedure.units else next(iter(ruleset.units))
    return State(ruleset, units=(Unit(CHARACTER, ruleset.units[unit_type], ""),), rules=rules)


def parse_all_inputs(state: State, procedure: Procedure, typed: TypedInputs) -> ParsedInputs:
    """Parse what a player typed where there is no character.

    Raises ProcedureError with every input and every figure that is
    missing, and an example of each.
    """
    missing: dict[str, _MissingFigure] = {}

    def placeholder(input_: Input, _options: tuple[str, ...], _read: InputReader) -> int | str:
        if input_.type != "item":  # of an item its figures are typed
            missing[input_.id] = _missing_input(
                state, input_, _("missing: {label}").format(label=input_.label)
            )
        return _placeholder(state, input_)

    parsed = _parse(state, procedure, replace(typed, ask=placeholder), CHARACTER, True)
    unknown = {
        name
        for input_ in procedure.inputs
        if input_.type == "value" and input_.id in missing
        for name in values_of(state.ruleset, input_)
    }
    for needed in _missing_in_run(state, procedure, parsed):
        if needed.name not in unknown:  # else nobody can tell which figure the rule reads
            missing[needed.name] = needed
    if missing:
        problems = [
            ("" if needed.choice else name, needed.reason) for name, needed in missing.items()
        ]
        examples = {name: needed.example for name, needed in missing.items()}
        raise ProcedureError(procedure.label, problems, examples=examples)
    return parsed


@dataclass(frozen=True)
class _MissingFigure:
    """A missing input or figure: why it is needed, and an example of a value.

    With ``choice`` another input would serve instead, as the reason says.
    """

    name: str
    reason: str
    example: str
    choice: bool = False


def _missing_input(
    state: State, input_: Input, reason: str, choice: bool = False
) -> _MissingFigure:
    example = INPUT_EXAMPLES.get(input_.type) or str(_placeholder(state, input_))
    return _MissingFigure(input_.id, reason, example, choice)


def _placeholder(state: State, input_: Input) -> int | str:
    """Return a valid value of an input, so that a run goes on without it."""
    if input_.type == "value":
        return values_of(state.ruleset, input_)[0]
    if input_.type == "number":
        minimum = input_.minimum.constant if input_.minimum is not None else None
        return max(1, minimum or 1)
    return input_.options[0] if input_.options else PLACEHOLDERS[input_.type]


def _missing_in_run(
    state: State, procedure: Procedure, parsed: ParsedInputs
) -> Iterator[_MissingFigure]:
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
        input_ = _input_for(state, procedure, inputs, figures, parsed.dice, error)
        if input_ is None:
            return
        inputs[input_.id] = _placeholder(state, input_)
        yield _missing_input(state, input_, error.reason, choice=True)


def _missing_figure(state: State, name: str) -> _MissingFigure:
    """Return a figure as missing; the example is its value before any decisions."""
    value = state.ruleset.values.get(name)
    values = state.values(CHARACTER)
    example = str(values.base(name)) if name in values else "1"
    reason = _("missing: {name} (or give a character file)").format(
        name=value.name if value else name
    )
    return _MissingFigure(name, reason, example)


def _input_for(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    figures: Mapping[str, int],
    dice: Mapping[str, tuple[int, ...]],
    refusal: RuleRefusal,
) -> Input | None:
    """Return an optional input with which a rule would not refuse.

    Of a rule that asks which inputs are given, the next one may refuse then:
    that one's input is looked for after it.
    """
    asks_for_inputs = isinstance(refusal, MissingInput)
    left = [i for i in procedure.inputs if i.optional and i.id not in inputs]
    for input_ in sorted(left, key=lambda input_: input_.type == "value"):
        more = {**inputs, input_.id: _placeholder(state, input_)}
        error = _error_of(state, procedure, more, figures, dice)
        if not isinstance(error, RuleRefusal):
            return input_
        if asks_for_inputs and error.reason != refusal.reason:
            return input_
    return None


def _error_of(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    figures: Mapping[str, int],
    dice: Mapping[str, tuple[int, ...]],
) -> CharforgeError | None:
    settings = RunSettings(LowestDice(dice).roll, figures=figures, no_character=True)
    try:
        run_procedure(state, procedure, inputs, settings)
    except CharforgeError as error:
        return error
    return None
