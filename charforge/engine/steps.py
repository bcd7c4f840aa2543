"""The steps of a procedure: what each one does to a run on its way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from charforge import dice as dice_module
from charforge.content.models import (
    AnyProcedureStep,
    Call,
    Change,
    Decide,
    Let,
    Lift,
    LookUp,
    Pass,
    Procedure,
    Put,
    Recover,
    Refill,
    Require,
    Reroll,
    RollDice,
    Tell,
)
from charforge.dice import Dice
from charforge.engine import play
from charforge.engine.running import MOST_DICE, Running
from charforge.engine.state import State
from charforge.errors import ProcedureError, RuleRefusal
from charforge.text import MINUS, figure, signed


class Stopped(Exception):
    """A step that ends its procedure."""


def take_steps(running: Running, steps: Iterable[AnyProcedureStep]) -> None:
    """Take steps one by one, until they end or one of them stops."""
    try:
        for step in steps:
            if step.repeat is None:
                _take(running, step)
                continue
            times = 0
            while times < step.repeat.at_most and running.whole(step.repeat.while_):
                _take(running, step)
                times += 1
    except Stopped:
        return


def _take(running: Running, step: AnyProcedureStep) -> None:
    if running.applies(step):
        STEPS[type(step)](running, step)


def refuse_unit(state: State, procedure: Procedure, unit: str) -> None:
    """Refuse a procedure that is for other units: it may read what this one lacks."""
    if procedure.units and state.unit(unit).type.id not in procedure.units:
        label = state.unit(unit).type.label
        raise ProcedureError(procedure.id, [("unit", f"it is not for a {label}")])


def let(running: Running, step: Let) -> None:
    """Compute a variable."""
    value = running.variables[step.id] = running.whole(step.to)
    running.tell(step, f"{step.id} = {value}", step.id, value)


def roll_dice(running: Running, step: RollDice) -> None:
    """Roll dice, and add what an amount adds."""
    plus, notations = 0, tuple(filter(None, [step.dice]))
    if step.figure:
        amount = figure(str(running.variables[step.figure]) or "0")
        plus, notations = running.whole(amount.formula), amount.dice
    times = 1 if step.figure else running.whole(step.times)
    faces: list[int] = []
    for notation in notations:
        rolled = dice_module.parse(notation, running.state.ruleset.dice)
        if times > 0:
            number = rolled.number * times
            many = Dice(number, rolled.faces, f"{number}d{rolled.notation.partition('d')[2]}")
            faces += running.rolled(step.id, many, step.label)
    total = sum(faces) + plus
    running.variables[step.id] = total
    running.variables[f"{step.id}_dice"] = tuple(faces)
    summed = len(faces) > 1 or (faces and plus)
    shown = f"{_shown(faces, plus)} = {total}" if summed else signed((), total)
    running.tell(step, f"{step.label or step.id}: {shown}", step.id, total, faces)


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
    was, now = " ".join(map(str, former)), " ".join(map(str, after))
    running.tell(step, f"rerolled: {was} → {now}", step.id, total, after)


def look_up(running: Running, step: LookUp) -> None:
    """Read a figure of the unit."""
    name = running.target(step.value)
    if step.lasting and not running.bare and name not in running.given:
        value = running.state.values(running.unit).read(name)
    else:
        value = int(running.name(name))
    running.variables[step.id] = value
    label = running.state.ruleset.values[name].label
    running.tell(step, f"{label} {value}", step.id, value)


def decide(running: Running, step: Decide) -> None:
    """Have a number chosen, within its bounds."""
    low, high = running.whole(step.minimum), running.whole(step.maximum)
    name = running.numbered(step.id)
    high = max(low, high)
    if name in running.answers:
        value = int(running.answers[name])
        if not low <= value <= high:
            raise running.refused(name, f"{value} is not from {low} to {high}")
    else:
        suggested = min(max(running.whole(step.default), low), high)
        value = (
            suggested if low == high else running.choose(step, low, high, suggested, running.told)
        )
        if value != suggested:
            running.answers[name] = value
    running.variables[step.id] = value
    running.tell(step, f"{step.label}: {value}", step.id, value)


def require(running: Running, step: Require) -> None:
    """Refuse the whole run unless a formula holds."""
    if not running.whole(step.that):
        raise RuleRefusal(running.words(step.say) or f"{step.that} does not hold")


def change(running: Running, step: Change) -> None:
    """Change a resource."""
    name, by = running.target(step.value), running.whole(step.by)
    if running.bare:
        real = by
        if name in running.given:
            real = max(by, -running.given[name])
            running.given[name] += real
    else:
        running.state, real = play.change(running.state, running.unit, name, by)
    if step.id is not None:
        running.variables[step.id] = real
    if real or step.say:
        label = running.state.ruleset.values[name].label
        now = (
            running.given.get(name)
            if running.bare
            else running.state.values(running.unit).base(name)
        )
        left = "" if now is None else f" → {now}"
        sign = "+" if real >= 0 else MINUS
        running.tell(step, f"{label} {sign}{abs(real)}{left}", name, real)


def put(running: Running, step: Put) -> None:
    """Put a condition on the unit."""
    entity = running.state.ruleset.entity(running.target(step.condition))
    amount = running.whole(step.amount)
    before = running.state.under(running.unit, entity.id)
    turns = None if step.turns is None else running.whole(step.turns)
    about = "" if step.about is None else str(running.variables[step.about[1:]])
    running.state = play.put(running.state, running.unit, entity, amount, about, turns)
    after = running.state.under(running.unit, entity.id)
    counts = entity.condition is not None and entity.condition.counts
    named = f"{entity.name} ({about})" if about else entity.name
    shown = f"{named} {before} → {after}" if counts else f"now {named}"
    if after != before or not counts:
        running.tell(step, shown, entity.id, after)


def lift(running: Running, step: Lift) -> None:
    """Take a condition off the unit."""
    entity = running.state.ruleset.entity(running.target(step.condition))
    amount = None if step.amount is None else running.whole(step.amount)
    about = None if step.about is None else str(running.variables[step.about[1:]]) or None
    running.state, gone = play.lift(running.state, running.unit, entity, amount, about)
    if gone:
        now = running.state.under(running.unit, entity.id)
        shown = f"{entity.name} → {now}" if now else f"no longer {entity.name}"
        running.tell(step, shown, entity.id, now)


def refill(running: Running, step: Refill) -> None:
    """Restore what the item that is used carries."""
    if running.holding is None:
        raise RuleRefusal("there is no item to refill")
    kept = running.holding.entity.capacities
    capacity = next(one for one in kept if one.id == step.capacity)
    by = capacity.max * running.holding.quantity if step.by is None else running.whole(step.by)
    running.state, real = play.change_capacity(running.state, running.holding, capacity, by)
    now = play.left(running.state, running.holding, capacity)
    running.tell(step, f"{capacity.label} +{real} → {now}", capacity.id, real)


def passing(running: Running, step: Pass) -> None:
    """Let a moment pass."""
    running.state, ended = play.passed(running.state, running.unit, step.moment)
    for condition in ended:
        about, name = f" ({condition.about})" if condition.about else "", condition.entity.id
        # Its own rule says when it ends, whichever procedure let the moment pass.
        telling = step.model_copy(update={"source": step.source or name})
        running.tell(telling, f"{condition.entity.name}{about} ends", name, 0)


def recover(running: Running, step: Recover) -> None:
    """Roll for the effects on cooldown, or bring all of them off it."""
    recovered = 0
    for holding, action in list(play.cooling(running.state, running.state.unit(running.unit))):
        number = _printed(action.cooldown)
        if (step.of == "number") != (number is not None):
            continue
        if step.of != "number" and action.cooldown != step.of:
            continue
        pair = (holding.id, play.action_key(holding.entity, action))
        name = holding.entity.name
        told, off = f"{name} comes off cooldown", True
        if step.dice:
            rolled = dice_module.parse(step.dice, running.state.ruleset.dice)
            faces = running.rolled(f"{step.id}.{pair[0]}.{pair[1]}", rolled, name)
            running.variables |= {"roll": sum(faces), "number": number or 0}
            off = bool(running.whole(step.judged))
            shown = " ".join(map(str, faces))
            told = f"{name}: rolled {shown}, " + ("off cooldown" if off else "still on cooldown")
        if off:
            running.state = play.ready(running.state, pair)
            recovered += 1
        running.tell(step, told, holding.entity.id, int(off))
    running.variables[step.id] = recovered


def call(running: Running, step: Call) -> None:
    """Run another procedure within this one; its steps are told among ours."""
    procedure = running.state.ruleset.procedure(step.procedure)
    refuse_unit(running.state, procedure, running.unit)
    inner = running.nested(procedure.source)
    passed = {name: running.passed(value) for name, value in step.with_.items()}
    inner.begin(procedure.inputs, {n: v for n, v in passed.items() if v is not None})
    inner.answers = running.answers
    take_steps(inner, procedure.steps)
    running.state = inner.state
    for ours, theirs in step.take.items():
        running.variables[ours] = inner.variables.get(theirs, 0)


def say(running: Running, step: Tell) -> None:
    """Say something, and perhaps stop."""
    running.tell(step, "")
    if step.stop:
        raise Stopped


STEPS: dict[type, Callable[[Running, Any], None]] = {
    Let: let,
    RollDice: roll_dice,
    Reroll: reroll,
    LookUp: look_up,
    Decide: decide,
    Require: require,
    Change: change,
    Put: put,
    Lift: lift,
    Refill: refill,
    Pass: passing,
    Recover: recover,
    Call: call,
    Tell: say,
}


def _printed(cooldown: str) -> int | None:
    """Return the number of a cooldown such as ``5+``; None for a word."""
    digits = cooldown.rstrip("+")
    return int(digits) if digits.isdigit() else None


def _shown(faces: Iterable[int], plus: int) -> str:
    rolled = " + ".join(map(str, faces))
    if not plus:
        return rolled
    return f"{rolled} {'+' if plus > 0 else MINUS} {abs(plus)}"
