"""Steps that ask, decide and call: ``choose``, ``let``, ``require``, ``call`` and ``say``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, MutableMapping

from charforge.errors import MissingInput, RuleRefusal, not_between
from charforge.language import _, with_colon
from charforge.procedures.context import ProcedureContext, Variable
from charforge.procedures.inputs import KnownInputs, NeededInput
from charforge.procedures.steps.base import (
    Flags,
    NameReader,
    NameSet,
    ProcedureStopped,
    StepKind,
    find_missing_inputs,
    kind_of,
    refuse_unit,
    run_steps,
)
from charforge.rules.models import Call, ChooseStep, Let, Procedure, Require, SayStep, Steps
from charforge.rules.models.procedures import GIVEN_FLAG
from charforge.rules.ruleset import Ruleset


class ChooseStepKind(StepKind[ChooseStep]):
    """Asks for a number within bounds. Odds try every number (see ``odds.branches``)."""

    def is_flag(self, step: ChooseStep, name: str, flags: Flags) -> bool:
        """Return whether it is a question of yes or no."""
        return step.yes_no

    def run(self, context: ProcedureContext, step: ChooseStep) -> None:
        """Take the number from the answers, else ask the chooser. Raises ProcedureError."""
        low, high = context.evaluate(step.minimum), context.evaluate(step.maximum)
        name = context.choice_name(step.id)
        high = max(low, high)
        if name in context.answers:
            value = int(context.answers[name])
            if not low <= value <= high and context.recorded is None:
                refusal = context.refused(name, _reason(context, step, value, low, high))
                value = context.number_outside(refusal, min(max(value, low), high))
            else:
                context.number_within(name)
        else:
            value = suggested = min(max(context.evaluate(step.default), low), high)
            if low < high:
                asked = _with_figures(context, step)
                value = context.choose(asked, low, high, suggested, context.messages or ())
            if value != suggested:
                context.answers[name] = value
        context.variables[step.id] = value
        context.add_message(
            step,
            lambda: f"{with_colon(step.listed_label)} {step.answer_text(value)}",
            step.id,
            value,
        )

    def number_choice(self, step: ChooseStep) -> ChooseStep:
        """Return the step."""
        return step

    def texts_read(self, step: ChooseStep) -> tuple[str, ...]:
        """Return its question, and its message for a number that is too high."""
        return step.label, step.beyond


def _with_figures(context: ProcedureContext, step: ChooseStep) -> ChooseStep:
    """Return the step with the figures of its label filled in."""
    if "{" not in step.label:
        return step
    return step.model_copy(update={"label": context.words(step.label)})


def _reason(context: ProcedureContext, step: ChooseStep, value: int, low: int, high: int) -> str:
    """Return why a number is not allowed: the pack's words if it is too high."""
    bounds = not_between(value, low, high)
    return f"{bounds}. {context.words(step.beyond)}" if step.beyond and value > high else bounds


class LetKind(StepKind[Let]):
    """Computes a variable from a formula."""

    def run(self, context: ProcedureContext, step: Let) -> None:
        """Compute the variable."""
        value = context.variables[step.id] = step.to.evaluate(context)
        if context.messages is not None:
            context.add_message(step, f"{step.id} = {value}", step.id, value)

    def is_flag(self, step: Let, name: str, flags: Flags) -> bool:
        """Return whether the formula gives 0 or 1 whatever its names are."""
        return _is_flag(step.to.tree, flags)


def _is_flag(node: ast.expr, flags: Flags) -> bool:
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="has")):
            return True
        case ast.Constant(value=value):
            return value in (0, 1)
        case ast.BoolOp(values=parts):
            return all(_is_flag(part, flags) for part in parts)
        case ast.IfExp(body=body, orelse=other):
            return _is_flag(body, flags) and _is_flag(other, flags)
        case ast.Name(id=name):
            return flags.variable(name)
    return False


class RequireKind(StepKind[Require]):
    """Refuses the whole procedure unless a formula holds."""

    def run(self, context: ProcedureContext, step: Require) -> None:
        """Raise RuleRefusal, or MissingInput if the formula asks which inputs were given."""
        if context.recorded is not None and step.lenient:
            return
        if context.evaluate(step.that):
            return
        reason = context.words(step.say) or _("{that} does not hold").format(that=step.that)
        if _asks_for_inputs(step):
            raise MissingInput(reason)
        if not step.lenient:
            raise RuleRefusal(reason)
        context.refuse(step, reason)

    def missing_inputs(self, step: Require, inputs: KnownInputs) -> Iterator[NeededInput]:
        """Yield the inputs of which any one would satisfy the step."""
        if not _asks_for_inputs(step) or inputs.holds(step.that) is not False:
            return
        missing = {
            name: input_ for name, input_ in inputs.missing.items() if name in step.that.names
        }
        options = tuple(
            input_ for name, input_ in missing.items() if inputs.holds(step.that, [name])
        )
        possible = inputs.holds(step.that, missing)
        yield NeededInput(step.say or str(step.that), options, bool(possible))

    def texts_read(self, step: Require) -> tuple[str, ...]:
        """Return its message: a refusal is a result of its own."""
        return (step.say,)


def _asks_for_inputs(step: Require) -> bool:
    return any(name.endswith(GIVEN_FLAG) for name in step.that.names)


class CallKind(StepKind[Call]):
    """Runs another procedure within this one. Odds follow its steps one by one."""

    def run(self, context: ProcedureContext, step: Call) -> None:
        """Run the procedure, perhaps for each value of a group; its messages go among ours."""
        calls = [*calls_of(step, context.state.ruleset)]
        if step.for_each:
            context.variables |= dict.fromkeys(step.take, 0)
            context.count_steps(len(calls))
        for call in calls:
            procedure, inner = enter_call(context, call)
            run_steps(inner, procedure.steps, step.take.values())
            context.state = inner.state
            take_outputs(step, context.variables, inner.variables)

    def entered_call(self, step: Call) -> Call:
        """Return the step."""
        return step

    def single(self, step: Call) -> Call:
        """Return the call for one value of a group."""
        return step.model_copy(update={"when": None, "for_each": {}}) if step.for_each else step

    def times(self, context: ProcedureContext, step: Call) -> int:
        """Return the number of values that it runs for."""
        return len([*calls_of(step, context.state.ruleset)])

    def missing_inputs(self, step: Call, inputs: KnownInputs) -> Iterator[NeededInput]:
        """Yield the inputs that are missing within the called procedure."""
        return find_missing_inputs(*self.called(step, inputs))

    def called(self, step: Call, inputs: KnownInputs) -> tuple[Steps, KnownInputs]:
        """Return the steps of the called procedure, and the inputs that are known there."""
        called = inputs.ruleset.procedure(step.procedure)
        given = next(calls_of(step, inputs.ruleset), step).with_
        inner = inputs.passed(called.inputs, {**given, **called.words_given(given)})
        return called.steps, inner

    def reads_inside(self, step: Call, names: NameReader) -> NameSet:
        """Return the names that the called procedure reads, its calls included."""
        called = names.ruleset.procedure(step.procedure)
        defaults = {n for input_ in called.inputs if input_.default for n in input_.default.names}
        inner = (
            kind.reads(step, names) | kind.reads_inside(step, names)
            for step, kind in ((step, kind_of(step)) for step in called.steps)
        )
        return frozenset(defaults).union(*inner)

    def is_flag(self, step: Call, name: str, flags: Flags) -> bool:
        """Return whether the output is a flag of the called procedure."""
        return flags.called(step.procedure, step.take[name])


def calls_of(step: Call, ruleset: Ruleset) -> Iterator[Call]:
    """Yield the calls of a step: itself, or one for each value of its group."""
    if not step.for_each:
        yield step
    for group in step.for_each.values():
        yield from map(step.of_value, ruleset.group(group))


def take_outputs(
    step: Call, ours: MutableMapping[str, Variable], theirs: Mapping[str, Variable]
) -> None:
    """Take the outputs of a procedure that has ended; add them up if it runs for each value."""
    for name, output in step.take.items():
        value, before = theirs.get(output, 0), ours.get(name, 0)
        if step.for_each and isinstance(value, int) and isinstance(before, int):
            value += before
        ours[name] = value


def enter_call(context: ProcedureContext, step: Call) -> tuple[Procedure, ProcedureContext]:
    """Return the procedure that a step calls, and its context with the inputs set."""
    procedure = context.state.ruleset.procedure(step.procedure)
    refuse_unit(context.state, procedure, context.unit)
    inner = context.nested(procedure.source)
    given = {**step.with_, **procedure.words_given(step.with_)}
    inputs = {name: context.input_value(value) for name, value in given.items()}
    inner.set_inputs(procedure.inputs, inputs)
    return procedure, inner


class SayStepKind(StepKind[SayStep]):
    """Adds a message; with ``stop`` it ends its procedure."""

    def run(self, context: ProcedureContext, step: SayStep) -> None:
        """Add the message. Raises ProcedureStopped."""
        context.add_message(step, "")
        if step.stop:
            raise ProcedureStopped

    def only_speaks(self, step: SayStep) -> bool:
        """Return whether it does not stop."""
        return not step.stop

    def ends(self, step: SayStep) -> bool:
        """Return whether it stops."""
        return step.stop
