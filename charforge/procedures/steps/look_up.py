"""The step ``look_up``: read a value or a condition of the unit."""

from __future__ import annotations

from charforge.character.state import State
from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import StepKind
from charforge.rules.models import LookUp
from charforge.rules.ruleset import Ruleset


class LookUpKind(StepKind[LookUp]):
    """Reads a figure of the unit into a variable."""

    def run(self, context: ProcedureContext, step: LookUp) -> None:
        """Read a value, now or lasting, or how much of a condition the unit is under."""
        if step.condition is not None:
            _look_up_condition(context, step, step.condition)
            return
        assert step.value is not None
        name = context.target(step.value)
        if step.lasting and not context.no_character and name not in context.figures:
            value = context.state.values(context.unit).read(name)
        else:
            value = int(context.read(name))
        context.variables[step.id] = value
        context.add_message(step, lambda: _figure(context.state, name, value), step.id, value)


def _figure(state: State, name: str, value: int) -> str:
    return f"{state.ruleset.values[name].label} {state.ruleset.figure_text(name, value)}"


def names_of(ruleset: Ruleset, about: str) -> set[str]:
    """Return what a condition about somebody or something may say: of a value any of its names."""
    value = ruleset.values.get(about)
    names = [about] if value is None else [value.id, value.label, value.name]
    return {name.casefold() for name in names}


def _look_up_condition(context: ProcedureContext, step: LookUp, condition: str) -> None:
    entity = context.state.ruleset.entity(context.target(condition))
    about = None if step.about is None else str(context.variables[step.about[1:]]) or None
    known = None if about is None else names_of(context.state.ruleset, about)
    value = sum(
        active.amount
        for active in context.state.active_conditions(context.affected_unit(step.of))
        if active.entity.id == entity.id and (known is None or active.about.casefold() in known)
    )
    context.variables[step.id] = value
    named = f"{entity.name} ({about})" if about else entity.name
    context.add_message(step, lambda: f"{named} {value}", step.id, value)
