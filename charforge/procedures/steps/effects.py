"""Steps that change the unit: resources, conditions, cooldowns and counted uses."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from charforge.character import state_changes
from charforge.character.holdings import total_capacity
from charforge.character.state import Holding, Unit
from charforge.character.state_changes import limit_of_entity
from charforge.character.state_data import about_subject, names_of
from charforge.errors import RuleRefusal
from charforge.expressions import dice as dice_module
from charforge.expressions.formula import SHARED
from charforge.expressions.template import signed_number
from charforge.language import _
from charforge.procedures.context import ProcedureContext, ended_text
from charforge.procedures.steps.base import NO_NAMES, NameReader, NameSet, StepKind
from charforge.rules.models import (
    Action,
    ChangeStep,
    Count,
    Entity,
    Lift,
    Pass,
    Put,
    Recover,
    Refill,
)
from charforge.rules.models.procedures import cooldown_number


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
            context.state, difference = state_changes.change_resource(
                context.state, context.affected_unit(step.of), name, by
            )
        if step.id is not None:
            context.variables[step.id] = difference
        if name.startswith(SHARED) and context.state.shared is None and not context.no_character:
            context.add_message(
                step, lambda: state_changes.unshared_text(context.state, name, by), name, by
            )
        elif difference or step.say:
            unit = context.affected_unit(step.of)
            now = _new_figure(context, name, unit)
            context.add_message(
                step, lambda: _message(context, name, difference, unit, now), name, difference
            )


def _new_figure(context: ProcedureContext, name: str, unit_id: str) -> int | None:
    """Return the present figure of a resource; None where it is not known."""
    if context.no_character:
        return context.figures.get(name)
    return context.state.values(unit_id).read(name)


def _message(
    context: ProcedureContext, name: str, difference: int, unit_id: str, now: int | None
) -> str:
    """Return the message: the difference, and the new figure where it is known."""
    ruleset = context.state.ruleset
    whose = "" if unit_id == context.unit else f"{context.state.unit(unit_id).name}: "
    left = "" if now is None else f" → {ruleset.figure_text(name, now)}"
    return f"{whose}{ruleset.value_label(name)} {signed_number(difference)}{left}"


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
        context.state, difference = state_changes.change_capacity(
            context.state, context.holding, capacity, by
        )
        now = state_changes.capacity_left(context.state, context.holding, capacity)
        message = f"{capacity.label} +{difference} → {now}"
        context.add_message(step, message, capacity.id, difference)


class PutKind(StepKind[Put]):
    """Puts a condition on the unit."""

    def put_condition(self, step: Put) -> str:
        """Return the condition."""
        return step.condition

    def run(self, context: ProcedureContext, step: Put) -> None:
        """Put the condition on the unit, or add to one that counts."""
        entity = context.state.ruleset.entity(context.target(step.condition))
        units = [context.state.unit(context.unit)]
        if step.to is not None:
            units = [u for u in context.state.units if u not in units and _has(context, u, step.to)]
        if len(units) != 1:
            words = [quote(context.state.unit_word(unit)) for unit in units]
            commands = [f"condition {entity.slug} --unit {word}" for word in words]
            context.add_message(step, lambda: _choose_unit(entity, commands), entity.id)
            return
        unit = units[0].id
        amount = context.evaluate(step.amount)
        turns = None if step.turns is None else context.evaluate(step.turns)
        about, subject = _concerned(context, step)
        before = state_changes.amount_about(context.state, unit, entity, about)
        context.state = state_changes.add_condition(
            context.state, unit, entity, amount, about, turns, subject
        )
        after = state_changes.amount_about(context.state, unit, entity, about)

        def message() -> str:
            named = about_subject(entity.name, subject)
            named = named if step.to is None else f"{units[0].title}: {named}"
            if entity.counts:
                return f"{named} {before} → {after}"
            return _("now {named}").format(named=named)

        if after != before or not entity.counts:
            context.add_message(step, message, entity.id, after)

    def reads(self, step: Put, names: NameReader) -> NameSet:
        """Return also the names in the condition's limit; of any, where an input names it."""
        entity = names.ruleset.entities.get(step.condition)
        possible = (entity,) if entity is not None else names.ruleset.conditions
        limits = (
            condition.condition.most for condition in possible if condition.condition is not None
        )
        read = NO_NAMES.union(*(limit.names for limit in limits if limit is not None))
        return super().reads(step, names) | read


def _concerned(context: ProcedureContext, step: Put | Lift) -> tuple[str, str]:
    """Return what a condition is about, and that as players read it; empty if it is not."""
    if step.about is None:
        return "", ""
    variable = step.about[1:]
    about = str(context.variables[variable])
    return about, context.subject(variable) if about else ""


def _has(context: ProcedureContext, unit: Unit, name: str) -> bool:
    """Return whether a unit is, or holds, an entity with this id, kind or tag."""
    held = [holding.entity for holding in context.state.held(unit.id)]
    own = [unit.entity] if unit.entity is not None else []
    return any(name in names_of(entity) for entity in (*own, *held))


def _choose_unit(entity: Entity, commands: list[str]) -> str:
    """Return the message for a condition that one of several units gets, or that none can get."""
    if not commands:
        return _("none of your units can get {name}").format(name=entity.name)
    return _("{name} is for one of several units. Choose one: {commands}").format(
        name=entity.name, commands=_(" or ").join(commands)
    )


class LiftKind(StepKind[Lift]):
    """Takes a condition off the unit."""

    def run(self, context: ProcedureContext, step: Lift) -> None:
        """Take off all of the condition, or ``amount``."""
        entity = context.state.ruleset.entity(context.target(step.condition))
        amount = None if step.amount is None else context.evaluate(step.amount)
        about, subject = _concerned(context, step)
        unit = context.affected_unit(step.of)
        before = state_changes.amount_about(context.state, unit, entity, about)
        context.state, lifted = state_changes.remove_condition(
            context.state, unit, entity, amount, about or None
        )
        if lifted:
            now = state_changes.amount_about(context.state, unit, entity, about)
            name = about_subject(entity.name, subject)
            message = (
                f"{name} {before} → {now}"
                if now and entity.counts
                else _("no longer {name}").format(name=name)
            )
            context.add_message(step, message, entity.id, now)


class PassKind(StepKind[Pass]):
    """Lets a moment pass: conditions that last until it count down and end."""

    def run(self, context: ProcedureContext, step: Pass) -> None:
        """Let the moment pass, with a message for each condition that ends."""
        context.state, ended = state_changes.pass_moment(context.state, context.unit, step.moment)
        for condition in ended if context.messages is not None else ():
            if condition.internal:
                continue
            name = condition.entity.id
            # The condition's own rule says when it ends, whichever procedure let the moment pass.
            sourced = step.model_copy(update={"source": step.source or name})
            context.add_message(sourced, ended_text(condition), name, 0)


class RecoverKind(StepKind[Recover]):
    """Rolls for effects on cooldown, or brings all of them off it."""

    always_writes = False  # ``roll`` and ``number`` only where dice are rolled

    def run(self, context: ProcedureContext, step: Recover) -> None:
        """Recover each effect that the step selects and its formula lets recover."""
        recovered = 0
        for holding, action, number in list(_selected(context, step)):
            key = (holding.id, state_changes.action_key(holding.entity, action))
            name = holding.name
            message, off = _("{name} is ready again").format(name=name), True
            if step.dice:
                dice = dice_module.parse_dice(step.dice, context.state.ruleset.dice)
                faces = context.roll_dice(f"{step.id}.{key[0]}.{key[1]}", dice, name)
                context.variables |= {"roll": dice.total(faces), "number": number or 0}
                off = bool(context.evaluate(step.judged))
                shown = dice.describe(faces)
                message = _("{name}: rolled {shown}, ").format(name=name, shown=shown) + (
                    _("ready again") if off else _("still on cooldown")
                )
            if off:
                context.state = state_changes.end_cooldown(context.state, key)
                recovered += 1
            context.add_message(step, message, holding.entity.id, int(off))
        context.variables[step.id] = recovered


def _selected(
    context: ProcedureContext, step: Recover
) -> Iterator[tuple[Holding, Action, int | None]]:
    """Yield the effects on cooldown that a step is for, with the number of their cooldown."""
    unit = context.state.unit(context.unit)
    for holding, action in state_changes.unit_cooldowns(context.state, unit):
        if step.is_for(action.cooldown) and (
            step.item is None or context.target(step.item) == holding.id
        ):
            yield holding, action, cooldown_number(action.cooldown)


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

    def reads(self, step: Count, names: NameReader) -> NameSet:
        """Return also the names in the limit and in its message."""
        limit = names.ruleset.entity(step.uses_of).uses
        times = names.names(None if limit is None else limit.times)
        return super().reads(step, names) | times | names.figures_of([step.say])
