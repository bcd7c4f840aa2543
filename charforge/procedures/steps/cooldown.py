"""The step ``recover``: bring effects off cooldown."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.character import play_state
from charforge.character.state import Holding
from charforge.expressions import dice as dice_module
from charforge.language import _
from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import StepKind
from charforge.rules.models import Action, Recover

NUMBER = "number"  # ``of``: the cooldowns that are printed as a number


class RecoverKind(StepKind[Recover]):
    """Rolls for effects on cooldown, or brings all of them off it."""

    always_writes = False  # ``roll`` and ``number`` only where dice are rolled

    def run(self, context: ProcedureContext, step: Recover) -> None:
        """Recover each effect that the step selects and its formula lets recover."""
        recovered = 0
        for holding, action, number in list(_selected(context, step)):
            key = (holding.id, play_state.action_key(holding.entity, action))
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
                context.state = play_state.end_cooldown(context.state, key)
                recovered += 1
            context.add_message(step, message, holding.entity.id, int(off))
        context.variables[step.id] = recovered


def _selected(
    context: ProcedureContext, step: Recover
) -> Iterator[tuple[Holding, Action, int | None]]:
    """Yield the effects on cooldown that a step is for, with the number of their cooldown."""
    unit = context.state.unit(context.unit)
    for holding, action in play_state.unit_cooldowns(context.state, unit):
        number = _printed_number(action.cooldown)
        if (step.of == NUMBER) != (number is not None):
            continue
        if step.of != NUMBER and action.cooldown != step.of:
            continue
        if step.item is None or context.target(step.item) == holding.id:
            yield holding, action, number


def _printed_number(cooldown: str) -> int | None:
    """Return the number of a cooldown such as ``5+``; None for a word."""
    digits = cooldown.rstrip("+")
    return int(digits) if digits.isdigit() else None
