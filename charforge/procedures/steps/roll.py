"""The steps ``roll`` and ``reroll``: dice with numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from charforge.expressions import dice as dice_module
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.expressions.template import MINUS, parse_figure, signed_amount
from charforge.language import _, dice_notation
from charforge.procedures.context import MOST_DICE, MOST_SIDES, ProcedureContext
from charforge.procedures.inputs import read_faces
from charforge.procedures.steps.base import SIDES, DiceInput, NameReader, Names, StepKind
from charforge.rules.models import Reroll, RollDice
from charforge.rules.ruleset import Ruleset


class RollKind(StepKind[RollDice]):
    """Rolls dice; the variables are their sum and their faces."""

    def run(self, context: ProcedureContext, step: RollDice) -> None:
        """Roll the dice, and add the formula of an amount."""
        plus, notations = 0, tuple(filter(None, [step.dice]))
        if step.sides is not None:
            notations = (_one_die(context, step, context.evaluate(step.sides)),)
        if step.figure:
            amount = parse_figure(str(context.variables[step.figure]) or "0")
            plus, notations = context.evaluate(amount.formula), amount.dice
        times = 1 if step.figure else context.evaluate(step.times)
        rolled: list[int] = []
        faces: list[int] = []
        dropped: list[int] = []
        for dice in (dice for notation in notations for dice in _sets(context, notation, times)):
            if not (step.lenient and context.never_rolled(step.id)):
                shown_faces = context.roll_dice(step.id, dice, step.label)
                rolled += shown_faces
                faces += dice.counted(shown_faces)
                dropped += dice.dropped(shown_faces)
        total = sum(faces) + plus
        context.variables[step.id] = total
        context.variables[f"{step.id}_dice"] = tuple(faces)

        def message() -> str:
            summed = len(faces) > 1 or (faces and plus)
            shown = f"{_addends(faces, plus)} = {total}" if summed else signed_amount((), total)
            without = (
                _(" (dropped {names})").format(names=" ".join(map(str, dropped))) if dropped else ""
            )
            return f"{step.label or step.id}: {shown}{without}"

        context.add_message(step, message, step.id, total, rolled)

    def dice_inputs(self, step: RollDice, ruleset: Ruleset) -> Iterator[DiceInput]:
        """Yield the roll itself; its faces are typed as ``3,4``."""
        label = step.label or step.id
        yield DiceInput(
            step.id, f"{label} ({dice_notation(step.dice)})" if step.dice else label, read_faces
        )

    def needs_faces(self, step: RollDice, read_later: Names) -> bool:
        """Return whether the faces are read later, not only their sum."""
        return step.repeat is not None or f"{step.id}_dice" in read_later


def _sets(context: ProcedureContext, notation: str, times: int) -> Iterable[Dice]:
    """Return the dice of a notation, ``times`` as many; apart, if each time some are dropped."""
    ruleset = context.state.ruleset
    dice = ruleset.cached(
        ("dice", notation), lambda: dice_module.parse_dice(notation, ruleset.dice)
    )
    if times < 1:
        return ()
    if times == 1:
        return (dice,)
    number = dice.number * times
    if dice.keep and number <= MOST_DICE:
        return (dice,) * times
    return (Dice(number, dice.faces, f"{number}d{dice.notation.partition('d')[2]}"),)


def _one_die(context: ProcedureContext, step: RollDice, sides: int) -> str:
    """Return the notation of a die with so many sides. Raises ProcedureError."""
    if not 1 <= sides <= MOST_SIDES:
        raise context.refused(
            step.id,
            _("a die can have 1 to {most_sides} sides, not {sides}").format(
                most_sides=MOST_SIDES, sides=sides
            ),
        )
    return f"1d{sides}"


def _addends(faces: Iterable[int], plus: int) -> str:
    rolled = " + ".join(map(str, faces))
    if not plus:
        return rolled
    return f"{rolled} {'+' if plus > 0 else MINUS} {abs(plus)}"


class RerollKind(StepKind[Reroll]):
    """Rolls some dice of an earlier roll again."""

    def run(self, context: ProcedureContext, step: Reroll) -> None:
        """Roll the dice again, ``times`` over."""
        for _time in range(self.times(context, step)):
            if not (step.lenient and context.never_rolled(step.id)):
                _reroll_once(context, step)

    def reads(self, step: Reroll, names: NameReader) -> Names:
        """Return also the roll itself: its sum, its faces and its dice."""
        return super().reads(step, names) | {step.id, f"{step.id}_dice", f"{step.id}{SIDES}"}

    def writes(self, step: Reroll, ruleset: Ruleset) -> Names:
        """Return the sum and the faces of the roll."""
        return frozenset({step.id, f"{step.id}_dice"})

    def single(self, step: Reroll) -> Reroll:
        """Return the step with one reroll, unless it has a ``repeat`` of its own."""
        if step.repeat is not None:
            return step
        return step.model_copy(update={"times": Formula(1), "when": None})

    def times(self, context: ProcedureContext, step: Reroll) -> int:
        """Return the number of rerolls. Raises ProcedureError for too many."""
        times = context.evaluate(step.times)
        if times > MOST_DICE:
            reason = _("{times} rerolls are too many (at most {most_dice})").format(
                times=times, most_dice=MOST_DICE
            )
            raise context.refused(step.id, reason)
        return max(times, 0)


def _reroll_once(context: ProcedureContext, step: Reroll) -> None:
    before = context.variables.get(f"{step.id}_dice", ())
    assert isinstance(before, tuple)
    number = len(before) if step.which == "all" else min(context.evaluate(step.count), len(before))
    if number <= 0:
        return
    order = sorted(range(len(before)), key=lambda at: (before[at], at))
    places = order[-number:] if step.which == "highest" else order[:number]
    sides = context.sides[step.id]
    faces = context.roll_dice(step.id, Dice(number, sides, f"{number}d{len(sides)}"), "")
    after = list(before)
    for at, face in zip(places, faces, strict=True):
        after[at] = face
    total = context.variables[step.id]
    assert isinstance(total, int)
    total += sum(after) - sum(before)
    context.variables[step.id] = total
    context.variables[f"{step.id}_dice"] = tuple(after)

    def message() -> str:
        return _("rerolled: {names} → {str_names}").format(
            names=" ".join(map(str, before)), str_names=" ".join(map(str, after))
        )

    context.add_message(step, message, step.id, total, after)
