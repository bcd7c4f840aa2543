"""The step ``require``: refuse to go on unless a formula holds."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.errors import MissingInput, RuleRefusal
from charforge.language import _
from charforge.procedures.context import ProcedureContext
from charforge.procedures.inputs import KnownInputs, NeededInput
from charforge.procedures.steps.base import NameReader, Names, StepKind
from charforge.rules.models import Require
from charforge.rules.models.procedures import GIVEN


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

    def missing_inputs(self, step: Require, known: KnownInputs) -> Iterator[NeededInput]:
        """Yield the inputs of which any one would satisfy the step."""
        if not _asks_for_inputs(step) or known.holds(step.that) is not False:
            return
        missing = {
            name: input_ for name, input_ in known.missing.items() if name in step.that.names
        }
        options = tuple(
            input_ for name, input_ in missing.items() if known.holds(step.that, [name])
        )
        possible = known.holds(step.that, missing)
        yield NeededInput(step.say or str(step.that), options, bool(possible))

    def reads(self, step: Require, names: NameReader) -> Names:
        """Return also the names in its message: a refusal is a result of its own."""
        return super().reads(step, names) | names.figures_of([step.say])


def _asks_for_inputs(step: Require) -> bool:
    return any(name.endswith(GIVEN) for name in step.that.names)
