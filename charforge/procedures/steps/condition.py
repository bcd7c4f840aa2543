"""The steps ``put``, ``lift`` and ``pass``: conditions of the unit."""

from __future__ import annotations

from charforge.character import play_state
from charforge.language import _
from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import NO_NAMES, NameReader, Names, StepKind
from charforge.rules.models import Lift, Pass, Put


class PutKind(StepKind[Put]):
    """Puts a condition on the unit."""

    def run(self, context: ProcedureContext, step: Put) -> None:
        """Put the condition on the unit, or add to one that counts."""
        entity = context.state.ruleset.entity(context.target(step.condition))
        amount = context.evaluate(step.amount)
        before = context.state.condition_amount(context.unit, entity.id)
        turns = None if step.turns is None else context.evaluate(step.turns)
        about = "" if step.about is None else str(context.variables[step.about[1:]])
        context.state = play_state.add_condition(
            context.state, context.unit, entity, amount, about, turns
        )
        after = context.state.condition_amount(context.unit, entity.id)
        counts = entity.condition is not None and entity.condition.counts

        def message() -> str:
            named = f"{entity.name} ({about})" if about else entity.name
            return f"{named} {before} → {after}" if counts else _("now {named}").format(named=named)

        if after != before or not counts:
            context.add_message(step, message, entity.id, after)

    def reads(self, step: Put, names: NameReader) -> Names:
        """Return also the names in the condition's limit; of any, where an input names it."""
        entity = names.ruleset.entities.get(step.condition)
        possible = (entity,) if entity is not None else names.ruleset.conditions
        limits = (
            condition.condition.most for condition in possible if condition.condition is not None
        )
        read = NO_NAMES.union(*(limit.names for limit in limits if limit is not None))
        return super().reads(step, names) | read


class LiftKind(StepKind[Lift]):
    """Takes a condition off the unit."""

    def run(self, context: ProcedureContext, step: Lift) -> None:
        """Take off all of the condition, or ``amount``."""
        entity = context.state.ruleset.entity(context.target(step.condition))
        amount = None if step.amount is None else context.evaluate(step.amount)
        about = None if step.about is None else str(context.variables[step.about[1:]]) or None
        unit = context.affected_unit(step.of)
        before = context.state.condition_amount(unit, entity.id)
        context.state, lifted = play_state.remove_condition(
            context.state, unit, entity, amount, about
        )
        if lifted:
            now = context.state.condition_amount(unit, entity.id)
            message = (
                f"{entity.name} {before} → {now}"
                if now
                else _("no longer {name}").format(name=entity.name)
            )
            context.add_message(step, message, entity.id, now)


class PassKind(StepKind[Pass]):
    """Lets a moment pass: conditions that last until it count down and end."""

    def run(self, context: ProcedureContext, step: Pass) -> None:
        """Let the moment pass, with a message for each condition that ends."""
        context.state, ended = play_state.pass_moment(context.state, context.unit, step.moment)
        for condition in ended if context.messages is not None else ():
            if condition.hidden:
                continue
            about, name = f" ({condition.about})" if condition.about else "", condition.entity.id
            # The condition's own rule says when it ends, whichever procedure let the moment pass.
            sourced = step.model_copy(update={"source": step.source or name})
            context.add_message(
                sourced,
                _("{name}{about} ends").format(name=condition.entity.name, about=about),
                name,
                0,
            )
