"""The step ``call``: run another procedure."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.procedures.context import ProcedureContext
from charforge.procedures.inputs import KnownInputs, NeededInput
from charforge.procedures.steps.base import (
    Flags,
    NameReader,
    Names,
    StepKind,
    find_missing_inputs,
    kind_of,
    refuse_unit,
    run_steps,
)
from charforge.rules.models import Call, Procedure


class CallKind(StepKind[Call]):
    """Runs another procedure within this one. Odds follow its steps one by one."""

    def run(self, context: ProcedureContext, step: Call) -> None:
        """Run the procedure; its messages go among ours."""
        procedure, inner = enter_call(context, step)
        run_steps(inner, procedure.steps)
        context.state = inner.state
        for ours, theirs in step.take.items():
            context.variables[ours] = inner.variables.get(theirs, 0)

    def entered_call(self, step: Call) -> Call:
        """Return the step."""
        return step

    def missing_inputs(self, step: Call, known: KnownInputs) -> Iterator[NeededInput]:
        """Yield the inputs that are missing within the called procedure."""
        called = known.ruleset.procedure(step.procedure)
        inner = known.passed(called.inputs, {**step.with_, **called.words_given(step.with_)})
        return find_missing_inputs(called.steps, inner)

    def reads_inside(self, step: Call, names: NameReader) -> Names:
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


def enter_call(context: ProcedureContext, step: Call) -> tuple[Procedure, ProcedureContext]:
    """Return the procedure that a step calls, and its context with the inputs set."""
    procedure = context.state.ruleset.procedure(step.procedure)
    refuse_unit(context.state, procedure, context.unit)
    inner = context.nested(procedure.source)
    given = {**step.with_, **procedure.words_given(step.with_)}
    inputs = {name: context.input_value(value) for name, value in given.items()}
    inner.set_inputs(procedure.inputs, inputs)
    return procedure, inner
