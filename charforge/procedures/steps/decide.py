"""The step ``choose``: ask for a number while the procedure runs."""

from __future__ import annotations

from charforge.errors import not_between
from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import NameReader, Names, StepKind
from charforge.rules.models import Decide


class DecideKind(StepKind[Decide]):
    """Asks for a number within bounds. Odds try every number (see ``odds.branches``)."""

    def run(self, context: ProcedureContext, step: Decide) -> None:
        """Take the number from the answers, else ask the chooser. Raises ProcedureError."""
        low, high = context.evaluate(step.minimum), context.evaluate(step.maximum)
        name = context.choice_name(step.id)
        high = max(low, high)
        if name in context.answers:
            value = int(context.answers[name])
            if not low <= value <= high and context.recorded is None:
                raise context.refused(name, _reason(context, step, value, low, high))
        else:
            value = suggested = min(max(context.evaluate(step.default), low), high)
            if low < high:
                value = context.choose(step, low, high, suggested, context.messages or ())
            if value != suggested:
                context.answers[name] = value
        context.variables[step.id] = value
        context.add_message(step, lambda: f"{step.label}: {value}", step.id, value)

    def number_choice(self, step: Decide) -> Decide:
        """Return the step."""
        return step

    def reads(self, step: Decide, names: NameReader) -> Names:
        """Return also the names in its message for a number that is too high."""
        return super().reads(step, names) | names.figures_of([step.beyond])


def _reason(context: ProcedureContext, step: Decide, value: int, low: int, high: int) -> str:
    """Return why a number is not allowed: the pack's words if it is too high."""
    bounds = not_between(value, low, high)
    return f"{bounds}. {context.words(step.beyond)}" if step.beyond and value > high else bounds
