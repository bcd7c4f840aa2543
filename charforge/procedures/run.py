"""Running a procedure or an action on a state, with dice from outside.

Dice come from a function by the roll's id (``Roller``), so the same
procedure serves random dice, dice that a player rolled, a replay of recorded
faces and the calculation of odds. A run never changes the state it began
with; its result has a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import ProcedureError
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.expressions.template import parse_figure, signed_amount
from charforge.language import _, dice_notation
from charforge.procedures.context import (
    CHOSEN_AGAIN,
    ProcedureContext,
    RunSettings,
    StepMessage,
    choose_suggested,
)
from charforge.procedures.inputs import input_problems
from charforge.procedures.steps import number_choices, refuse_unit, run_steps
from charforge.rules.models import Call, Entity, Input, Output, Procedure, Require, Steps
from charforge.rules.models.procedures import GIVEN_FLAG


@dataclass(frozen=True)
class ProcedureResult:
    """The result of a procedure: state, outputs, the messages of its steps, faces.

    An output is a number, or a text from a chart. ``inputs`` are those given
    and the numbers chosen, without those that nothing asked for: with them and
    the faces the run can be repeated.
    """

    state: State
    outputs: Mapping[str, int | str]
    labels: Mapping[str, str]
    steps: tuple[StepMessage, ...]
    faces: Mapping[str, list[list[int]]]
    inputs: Mapping[str, Any]


def run_procedure(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    settings: RunSettings,
    unit_id: str = CHARACTER,
    bearer: str = "",
) -> ProcedureResult:
    """Run a procedure for a unit, as ``settings`` say.

    ``inputs`` are values by input id, and numbers chosen beforehand. ``bearer`` is the unit whose
    attack it is, where another one rolls it. Raises ProcedureError for inputs that are missing or
    wrong (all together), RuleRefusal where a rule refuses.
    """
    all_figures = settings.figures if settings.no_character else None
    problems = list(
        _problems(state, procedure.inputs, procedure.steps, inputs, unit_id, all_figures)
    )
    if problems:
        raise ProcedureError(procedure.label, problems)
    refuse_unit(state, procedure, unit_id)
    context = ProcedureContext.of(settings, state, unit_id, procedure.source, inputs)
    context.bearer, context.label = bearer, procedure.label
    context.set_inputs(procedure.inputs, inputs)
    run_steps(context, procedure.steps, (output.id for output in procedure.outputs))
    return _result(context, procedure.inputs, () if settings.quiet else procedure.outputs, inputs)


class ActionUser(NamedTuple):
    """Who uses an action: the unit, the entity whose action it is, and the item, if it is one."""

    unit_id: str
    entity: Entity
    holding: Holding | None = None


def run_action(
    state: State,
    user: ActionUser,
    inputs: tuple[Input, ...],
    steps: Steps,
    answers: Mapping[str, Any],
    settings: RunSettings,
) -> ProcedureResult:
    """Run the steps of an action.

    ``answers`` are values by input id. Raises as ``run_procedure`` does.
    """
    problems = list(_problems(state, inputs, steps, answers, user.unit_id))
    if problems:
        raise ProcedureError(user.entity.name, problems)
    context = ProcedureContext.of(settings, state, user.unit_id, user.entity.id, answers)
    context.holding = user.holding
    context.set_inputs(inputs, answers)
    run_steps(context, steps)
    return _result(context, inputs, (), answers)


def require_before_inputs(
    state: State, user: ActionUser, inputs: tuple[Input, ...], steps: Steps, settings: RunSettings
) -> None:
    """Raise RuleRefusal if the requirements at the start of steps refuse whatever the inputs are.

    Those that read an input are passed over. What the first other step calls is tried, too.
    """
    asked = {input_.id for input_ in inputs}
    context = ProcedureContext.of(settings, state, user.unit_id, user.entity.id, {})
    context.holding = user.holding
    for step in steps:
        if isinstance(step, Call) and step.when is None and not step.for_each:
            called = state.ruleset.procedure(step.procedure)
            refuse_unit(state, called, user.unit_id)
            require_before_inputs(state, user, called.inputs, called.steps, settings)
        if not isinstance(step, Require):
            return
        names = {*step.that.names, *(step.when.names if step.when is not None else ())}
        if not any(name.removesuffix(GIVEN_FLAG) in asked for name in names):
            run_steps(context, (step,))


def unit_inputs(state: State, unit_id: str, procedure: Procedure) -> Mapping[str, int | str]:
    """Return the inputs of a procedure that a unit settles itself, such as a printed defence."""
    entity = state.unit(unit_id).entity
    return {} if entity is None else entity.supplies.get(procedure.id, {})


def replaced_inputs(
    state: State,
    unit_id: str,
    inputs: tuple[Input, ...],
    supplied: Mapping[str, Any],
    answers: Mapping[str, Any],
) -> Iterator[str]:
    """Yield why answers cannot replace the inputs that an attack or a unit supplies itself."""
    known = {**supplied, **answers}
    for input_ in inputs:
        value, own = answers.get(input_.id), supplied.get(input_.id)
        if input_.instead is None or value is None or own is None or str(value) == str(own):
            continue
        allowed = input_.instead.get(str(value))
        if allowed is None or not condition_holds(state, unit_id, allowed, inputs, known):
            texts = (_value_text(state, input_, one) for one in (own, value))
            reason = input_.otherwise or _("Nothing allows a different value.")
            yield _("{} is {}, not {}. {}").format(input_.id, *texts, reason)


def higher_scores(
    state: State,
    unit_id: str,
    inputs: tuple[Input, ...],
    settled: Mapping[str, Any],
    answers: Mapping[str, Any],
    figures: Mapping[str, int] = MappingProxyType({}),
) -> Iterator[tuple[Input, dict[str, int]]]:
    """Yield each score that the player may replace with a higher one now, and has not answered.

    With it come all scores that are possible and their figures, the highest first. ``settled``
    are the inputs of an attack or a unit, ``figures`` replace values of the unit.
    """
    known = {**settled, **answers}
    values = state.values(unit_id)
    for input_ in inputs:
        own = str(settled.get(input_.id))
        if input_.type != "value" or not input_.instead or input_.id in answers:
            continue
        if own not in values:
            continue
        names = [own] + [
            name
            for name, allowed in input_.instead.items()
            if name in values and condition_holds(state, unit_id, allowed, inputs, known)
        ]
        scores = {name: figures.get(name, values.now(name)) for name in names}
        ordered = sorted(scores, key=scores.__getitem__, reverse=True)
        if scores[ordered[0]] > scores[own]:
            yield input_, {name: scores[name] for name in ordered}


def _value_text(state: State, input_: Input, value: object) -> str:
    """Return the value of an input in words."""
    if input_.type == "flag":
        return _("yes") if value else _("no")
    if input_.type == "amount":
        return dice_notation(str(value))
    named = state.ruleset.values.get(str(value)) if input_.type == "value" else None
    return str(value) if named is None else named.label


def default_inputs(
    state: State,
    unit_id: str,
    inputs: tuple[Input, ...],
    answers: Mapping[str, Any],
    holding: Holding | None = None,
) -> dict[str, int | str]:
    """Return the values that inputs have before anything is typed: ``answers``, else defaults.

    Inputs without either are left out. ``holding`` is the item used.
    """
    context = ProcedureContext(state, unit_id, _no_dice, choose_suggested, "", {}, False, holding)
    context.set_inputs(inputs, answers)
    defaults: dict[str, int | str] = {}
    for input_ in inputs:
        value = context.variables[input_.id]
        if isinstance(value, tuple) or value in (None, ""):
            continue
        if input_.type == "amount":
            amount = parse_figure(str(value))
            value = signed_amount(amount.dice, context.evaluate(amount.formula))
        if input_.id in answers or input_.default is not None or input_.default_word:
            defaults[input_.id] = value
    return defaults


def condition_holds(
    state: State,
    unit_id: str,
    condition: Formula,
    inputs: tuple[Input, ...],
    answers: Mapping[str, Any],
) -> bool:
    """Return whether a formula over a unit's figures and these inputs holds, without dice."""
    return bool(condition_value(state, unit_id, condition, inputs, answers))


def condition_value(
    state: State,
    unit_id: str,
    formula: Formula,
    inputs: tuple[Input, ...],
    answers: Mapping[str, Any],
) -> int:
    """Return the value of a formula over a unit's figures and these inputs, without dice."""
    context = ProcedureContext(state, unit_id, _no_dice, choose_suggested, "", {}, False)
    context.set_inputs(inputs, answers)
    return context.evaluate(formula)


def _no_dice(name: str, dice: Dice, _label: str) -> list[int]:
    raise ProcedureError(
        name, [(name, _("a condition cannot roll {notation}").format(notation=dice.shown))]
    )


def _problems(
    state: State,
    inputs: tuple[Input, ...],
    steps: Steps,
    answers: Mapping[str, Any],
    unit_id: str,
    figures: Mapping[str, int] | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield inputs that do not exist, then what is wrong with the others: ``(input, reason)``."""
    known = {input_.id for input_ in inputs}
    if not answers.keys() <= known:
        chosen = {step.id for step in number_choices(state.ruleset, steps)}
        for name in answers:
            if name not in known and name.partition(CHOSEN_AGAIN)[0] not in chosen:
                yield name, _("this rule does not ask for it")
    yield from input_problems(state, inputs, answers, unit_id, figures)


def _is_shown(context: ProcedureContext, output: Output) -> bool:
    """Return whether a result is shown: it may have a meaning only in some runs."""
    if output.shown == "always" or output.when is None:
        return True
    return bool(context.evaluate(output.when))


def _result(
    context: ProcedureContext,
    declared: Iterable[Input],
    outputs: tuple[Output, ...],
    inputs: Mapping[str, Any],
) -> ProcedureResult:
    variables = context.variables
    shown = [output for output in outputs if output.id in variables and _is_shown(context, output)]
    values = {output.id: variables[output.id] for output in shown}
    answers = {**inputs, **context.answers}
    asked = {*(one.id for one in declared), *context.times_asked}
    return ProcedureResult(
        context.state,
        {name: value for name, value in values.items() if not isinstance(value, tuple)},
        {output.id: output.label for output in outputs},
        tuple(context.messages or ()),
        context.faces,
        {name: one for name, one in answers.items() if name.partition(CHOSEN_AGAIN)[0] in asked},
    )
