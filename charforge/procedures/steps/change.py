"""The steps ``change`` and ``refill``: resources of the unit and of the item it uses."""

from __future__ import annotations

from charforge.character import play_state
from charforge.character.holdings import total_capacity
from charforge.errors import RuleRefusal
from charforge.expressions.template import MINUS
from charforge.language import _
from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import StepKind
from charforge.rules.models import ChangeStep, Refill


class ChangeKind(StepKind[ChangeStep]):
    """Changes a resource within its bounds."""

    def run(self, context: ProcedureContext, step: ChangeStep) -> None:
        """Change the resource; the variable is the real difference."""
        name, by = context.target(step.value), context.evaluate(step.by)
        if context.no_character:
            difference = by
            if name in context.figures:
                difference = _bounded(context, name, by)
                context.figures[name] += difference
        else:
            context.state, difference = play_state.change_resource(
                context.state, context.affected_unit(step.of), name, by
            )
        if step.id is not None:
            context.variables[step.id] = difference
        if difference or step.say:
            unit = context.affected_unit(step.of)
            context.add_message(
                step, lambda: _message(context, name, difference, unit), name, difference
            )


def _message(context: ProcedureContext, name: str, difference: int, unit: str) -> str:
    """Return the message: the difference, and the new figure where it is known."""
    ruleset = context.state.ruleset
    whose = "" if unit == context.unit else f"{context.state.unit(unit).name}: "
    if context.no_character:
        now = context.figures.get(name)
    else:
        now = context.state.values(unit).read(name)
    left = "" if now is None else f" → {ruleset.figure_text(name, now)}"
    sign = "+" if difference >= 0 else MINUS
    return f"{whose}{ruleset.values[name].label} {sign}{abs(difference)}{left}"


def _bounded(context: ProcedureContext, name: str, by: int) -> int:
    """Return ``by``, limited so that a given figure stays above the printed minimum."""
    units = context.state.ruleset.head.units
    computed = next((unit.values[name] for unit in units if name in unit.values), None)
    minimum = None if computed is None else computed.minimum
    least = None if minimum is None else minimum.constant
    return by if least is None else max(by, least - context.figures[name])


class RefillKind(StepKind[Refill]):
    """Restores a capacity of the item that is used, such as its ammo."""

    def run(self, context: ProcedureContext, step: Refill) -> None:
        """Restore all of it, or ``by``. Raises RuleRefusal without an item."""
        if context.holding is None:
            raise RuleRefusal(_("no item to refill was named"))
        capacities = context.holding.entity.capacities
        capacity = next(known for known in capacities if known.id == step.capacity)
        room = total_capacity(context.state, context.holding, capacity)
        by = room if step.by is None else context.evaluate(step.by)
        context.state, difference = play_state.change_capacity(
            context.state, context.holding, capacity, by
        )
        now = play_state.capacity_left(context.state, context.holding, capacity)
        message = f"{capacity.label} +{difference} → {now}"
        context.add_message(step, message, capacity.id, difference)
