"""Recorded runs: a procedure or an ability that a log repeats with its inputs and dice."""

from __future__ import annotations

from typing import NamedTuple

from charforge.character.events import AbilityEvent, ProcedureEvent
from charforge.character.state import State
from charforge.errors import ProcedureError
from charforge.expressions.dice import Dice
from charforge.language import _
from charforge.procedures import abilities, run
from charforge.procedures.run import ProcedureResult
from charforge.replay.decision_walk import TargetMissing

RunEvent = ProcedureEvent | AbilityEvent


class RecordedRoll(NamedTuple):
    """One roll of a run: its label, its dice and their faces."""

    label: str
    dice: Dice
    faces: list[int]


class RecordedDice:
    """The recorded dice of a run, returned in their order; ``rolls`` are those rolled so far."""

    def __init__(self, faces: dict[str, list[list[int]]]) -> None:
        self.rolls: list[RecordedRoll] = []
        self._left = {name: list(rolls) for name, rolls in faces.items()}

    def left(self, name: str) -> int:
        """Return how many rolls of this name are left."""
        return len(self._left.get(name, ()))

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the next faces of a roll, by its id. Raises ProcedureError if there are none."""
        rolls = self._left.get(name)
        if not rolls:
            reason = _("no roll of {words} is recorded for it").format(words=dice.words)
            raise ProcedureError(_("the recorded dice"), [(label or name, reason)])
        faces = rolls.pop(0)
        self.rolls.append(RecordedRoll(label or name, dice, faces))
        return faces


def repeat_run(
    state: State, event: RunEvent, dice: RecordedDice, quiet: bool = False
) -> ProcedureResult:
    """Run the procedure or ability of an event once more, from a state.

    With ``quiet`` there are no messages and no outputs. Raises TargetMissing
    if the unit or the ability is gone, ProcedureError or RuleRefusal where
    the rules do not allow it.
    """
    if not state.has_unit(event.unit):
        raise TargetMissing
    if isinstance(event, ProcedureEvent):
        procedure = state.ruleset.procedure(event.procedure)
        return run.run_procedure(
            state, procedure, event.inputs, dice, event.unit, quiet=quiet, recorded=dice.left
        )
    ability = abilities.ability_of(state, event.unit, event.holding, event.ability)
    if ability is None:
        raise TargetMissing
    return abilities.use_ability(
        state, ability, event.inputs, dice, untrained=event.untrained, quiet=quiet,
        recorded=dice.left, permit=abilities.permit_of(event),
    )  # fmt: skip
