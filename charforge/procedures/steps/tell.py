"""The step ``say``: add a message, and perhaps stop."""

from __future__ import annotations

from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import ProcedureStopped, StepKind
from charforge.rules.models import Tell


class TellKind(StepKind[Tell]):
    """Adds a message; with ``stop`` it ends its procedure."""

    def run(self, context: ProcedureContext, step: Tell) -> None:
        """Add the message. Raises ProcedureStopped."""
        context.add_message(step, "")
        if step.stop:
            raise ProcedureStopped

    def only_speaks(self, step: Tell) -> bool:
        """Return whether it does not stop."""
        return not step.stop

    def ends(self, step: Tell) -> bool:
        """Return whether it stops."""
        return step.stop
