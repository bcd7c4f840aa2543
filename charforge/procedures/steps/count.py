"""The step ``count``: count uses of what an entity limits."""

from __future__ import annotations

from charforge.errors import RuleRefusal
from charforge.procedures.context import ProcedureContext
from charforge.procedures.limits import limit_of_entity
from charforge.procedures.steps.base import NameReader, Names, StepKind
from charforge.rules.models import Count


class CountKind(StepKind[Count]):
    """Counts uses of an entity's limit; refuses if none is left."""

    def run(self, context: ProcedureContext, step: Count) -> None:
        """Count the uses. Raises RuleRefusal."""
        limit = limit_of_entity(context.state, context.unit, step.uses_of)
        uses = context.evaluate(step.times)
        name = context.state.ruleset.entity(step.uses_of).name
        missing = limit.missing_condition(context.state)
        if missing and context.recorded is None:
            raise RuleRefusal(f"{name}: {missing}")
        reason = limit.refusal(context.state, uses)
        if reason:
            context.refuse(step, context.words(step.say) or f"{name}: {reason}")
        context.state = limit.count(context.state, uses)

    def reads(self, step: Count, names: NameReader) -> Names:
        """Return also the names in the limit and in its message."""
        limit = names.ruleset.entity(step.uses_of).uses
        times = names.names(None if limit is None else limit.times)
        return super().reads(step, names) | times | names.figures_of([step.say])
