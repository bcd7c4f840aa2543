"""The steps of a procedure that roll: dice, symbol dice, and dice again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from charforge.errors import ProcedureError
from charforge.expressions import dice as dice_module
from charforge.expressions.dice import Dice
from charforge.expressions.template import MINUS, parse_figure, signed_amount
from charforge.procedures import pools
from charforge.procedures.context import MOST_DICE, MOST_SIDES, Running
from charforge.rules.models import Reroll, RollDice, RollPool
from charforge.rules.ruleset import Ruleset


def roll_dice(running: Running, step: RollDice) -> None:
    """Roll dice, and add what an amount adds."""
    plus, notations = 0, tuple(filter(None, [step.dice]))
    if step.sides is not None:
        notations = (_sided(running, step, running.whole(step.sides)),)
    if step.figure:
        amount = parse_figure(str(running.variables[step.figure]) or "0")
        plus, notations = running.whole(amount.formula), amount.dice
    times = 1 if step.figure else running.whole(step.times)
    faces: list[int] = []
    for notation in notations:
        if times > 0:
            rolled = _times(running.state.ruleset, notation, times)
            faces += running.rolled(step.id, rolled, step.label)
    total = sum(faces) + plus
    running.variables[step.id] = total
    running.variables[f"{step.id}_dice"] = tuple(faces)

    def told() -> str:
        summed = len(faces) > 1 or (faces and plus)
        shown = f"{_shown(faces, plus)} = {total}" if summed else signed_amount((), total)
        return f"{step.label or step.id}: {shown}"

    running.tell(step, told, step.id, total, faces)


def _times(ruleset: Ruleset, notation: str, times: int) -> Dice:
    """Return dice so many times over; those of a notation are read once."""
    read = ruleset.kept(("dice", notation), lambda: dice_module.parse_dice(notation, ruleset.dice))
    if times == 1:
        return read
    number = read.number * times
    return Dice(number, read.faces, f"{number}d{read.notation.partition('d')[2]}")


def _sided(running: Running, step: RollDice, sides: int) -> str:
    """Return the notation of a die of so many sides, which must be such as there are."""
    if not 1 <= sides <= MOST_SIDES:
        told = f"a die has 1 to {MOST_SIDES} sides, not {sides}"
        raise running.refused(step.id, told)
    return f"1d{sides}"


def roll_pool(running: Running, step: RollPool) -> None:
    """Roll symbol dice, and count what is left of each symbol."""
    ruleset = running.state.ruleset
    pool = pools.counts(step.dice, running.whole)
    rolled: dict[str, list[int]] = {}
    found: Counter[str] = Counter()
    for name, number in pool.items():
        die = ruleset.symbol_dice[name]
        rolled[name] = running.rolled(step.roll(name), die.many(number, ruleset.symbols), die.label)
        found += pools.shown(die, rolled[name])
    left = pools.net(ruleset, found)
    running.variables |= {f"{step.id}_{symbol}": number for symbol, number in left.items()}

    def told() -> str:
        label = f"{step.label}: " if step.label else ""
        return f"{label}{pools.words(ruleset, pool)}: {pools.result(ruleset, left)}"

    faces = [face for name in pools.in_order(ruleset, rolled) for face in rolled[name]]
    running.tell(step, told, step.id, None, faces)


def reroll(running: Running, step: Reroll) -> None:
    """Roll some dice of an earlier roll again, as often as it says."""
    times = running.whole(step.times)
    if times > MOST_DICE:
        told = f"{times} rerolls are too many: at most {MOST_DICE}"
        raise ProcedureError(running.source, [(step.id, told)])
    for _time in range(times):
        _reroll_once(running, step)


def _reroll_once(running: Running, step: Reroll) -> None:
    former = running.variables.get(f"{step.id}_dice", ())
    assert isinstance(former, tuple)
    number = len(former) if step.which == "all" else min(running.whole(step.count), len(former))
    if number <= 0:
        return
    order = sorted(range(len(former)), key=lambda at: (former[at], at))
    chosen = order[-number:] if step.which == "highest" else order[:number]
    sides = running.sides[step.id]
    fresh = running.rolled(step.id, Dice(number, sides, f"{number}d{len(sides)}"), "")
    after = list(former)
    for at, face in zip(chosen, fresh, strict=True):
        after[at] = face
    total = running.variables[step.id]
    assert isinstance(total, int)
    total += sum(after) - sum(former)
    running.variables[step.id] = total
    running.variables[f"{step.id}_dice"] = tuple(after)

    def told() -> str:
        return f"rerolled: {' '.join(map(str, former))} → {' '.join(map(str, after))}"

    running.tell(step, told, step.id, total, after)


def _shown(faces: Iterable[int], plus: int) -> str:
    rolled = " + ".join(map(str, faces))
    if not plus:
        return rolled
    return f"{rolled} {'+' if plus > 0 else MINUS} {abs(plus)}"
