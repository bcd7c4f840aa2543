"""The steps of a procedure: what each one does to a run on its way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from charforge.character import play_state
from charforge.character.local_formulas import total_capacity
from charforge.character.state import State
from charforge.errors import MissingInput, ProcedureError, RuleRefusal
from charforge.expressions import dice as dice_module
from charforge.expressions.template import MINUS
from charforge.procedures import charts
from charforge.procedures.context import Running
from charforge.procedures.rolls import reroll, roll_dice, roll_pool
from charforge.rules.models import (
    AnyProcedureStep,
    Call,
    ChangeStep,
    Decide,
    Let,
    Lift,
    LookUp,
    Pass,
    Procedure,
    Put,
    ReadChart,
    Recover,
    Refill,
    Repeat,
    Require,
    Reroll,
    RollDice,
    RollPool,
    Steps,
    Tell,
)
from charforge.rules.models.procedures import GIVEN


class Stopped(Exception):
    """A step that ends its procedure."""


def take_steps(running: Running, steps: Steps) -> None:
    """Take steps one by one, until they end or one of them stops."""
    running.counted(len(steps))
    try:
        for step in steps:
            if step.repeat is not None:
                _repeat(running, step, step.repeat)
            elif running.applies(step):
                STEPS[type(step)](running, step)
    except Stopped:
        return


def _repeat(running: Running, step: AnyProcedureStep, repeat: Repeat) -> None:
    """Take a step again and again, each time if it applies then."""
    times, act = 0, STEPS[type(step)]
    while times < repeat.at_most and running.whole(repeat.while_):
        running.counted(1)
        if running.applies(step):
            act(running, step)
        times += 1


def refuse_unit(state: State, procedure: Procedure, unit: str) -> None:
    """Refuse a procedure that is for other units: it may read what this one lacks."""
    if procedure.units and state.unit(unit).type.id not in procedure.units:
        label = state.unit(unit).type.label
        raise ProcedureError(procedure.id, [("unit", f"it is not for a {label}")])


def let(running: Running, step: Let) -> None:
    """Compute a variable."""
    value = running.variables[step.id] = step.to.whole_of(running)
    if running.told is not None:
        running.tell(step, f"{step.id} = {value}", step.id, value)


def look_up(running: Running, step: LookUp) -> None:
    """Read a figure of the unit, or how much of a condition it is under."""
    if step.condition is not None:
        _look_up_condition(running, step, step.condition)
        return
    assert step.value is not None
    name = running.target(step.value)
    if step.lasting and not running.bare and name not in running.given:
        value = running.state.values(running.unit).read(name)
    else:
        value = int(running.name(name))
    running.variables[step.id] = value
    running.tell(step, lambda: _figure(running.state, name, value), step.id, value)


def _figure(state: State, name: str, value: int) -> str:
    return f"{state.ruleset.values[name].label} {state.ruleset.told(name, value)}"


def _look_up_condition(running: Running, step: LookUp, condition: str) -> None:
    entity = running.state.ruleset.entity(running.target(condition))
    about = None if step.about is None else str(running.variables[step.about[1:]]) or None
    value = sum(
        one.amount
        for one in running.state.all_conditions(running.unit)
        if one.entity.id == entity.id and about in (None, one.about)
    )
    running.variables[step.id] = value
    named = f"{entity.name} ({about})" if about else entity.name
    running.tell(step, lambda: f"{named} {value}", step.id, value)


def read_chart(running: Running, step: ReadChart) -> None:
    """Read a row of a chart, and keep cells of it."""
    chart = running.state.ruleset.charts[step.chart]
    at = step.at
    key: Any = running.variables[at[1:]] if isinstance(at, str) else running.whole(at)
    row = chart.row(key)
    if row is None:
        raise running.refused(chart.label, f"it has no row for {key}")
    found = {
        column.id: charts.cell(cell, running.whole, running.words)
        for column, cell in zip(chart.columns, row.cells, strict=True)
        if column.id in step.take.values()  # others may read what nobody here has
    }
    running.variables |= {ours: found[column] for ours, column in step.take.items()}

    def told() -> str:
        taken = [column for column in chart.columns if column.id in found and not column.hidden]
        cells = ", ".join(str(found[column.id]) for column in taken)
        place = key if isinstance(key, int) else running.words(row.heading)
        return f"{chart.label} {place}" + (f": {cells}" if cells else "")

    running.tell(step, told, chart.id)


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
            suggested
            if low == high
            else running.choose(step, low, high, suggested, running.told or ())
        )
        if value != suggested:
            running.answers[name] = value
    running.variables[step.id] = value
    running.tell(step, lambda: f"{step.label}: {value}", step.id, value)


def require(running: Running, step: Require) -> None:
    """Refuse the whole run unless a formula holds; one of what is given finds nothing of rules."""
    if not running.whole(step.that):
        told = running.words(step.say) or f"{step.that} does not hold"
        by_input = any(name.endswith(GIVEN) for name in step.that.names)
        raise MissingInput(told) if by_input else RuleRefusal(told)


def change(running: Running, step: ChangeStep) -> None:
    """Change a resource."""
    name, by = running.target(step.value), running.whole(step.by)
    if running.bare:
        real = by
        if name in running.given:
            real = _bounded(running, name, by)
            running.given[name] += real
    else:
        running.state, real = play_state.change_resource(running.state, running.unit, name, by)
    if step.id is not None:
        running.variables[step.id] = real
    if real or step.say:
        running.tell(step, lambda: _changed(running, name, real), name, real)


def _changed(running: Running, name: str, real: int) -> str:
    """Say by how much a resource changed, and what it has come to where that is known."""
    ruleset, bare = running.state.ruleset, running.bare
    now = running.given.get(name) if bare else running.state.values(running.unit).read(name)
    left = "" if now is None else f" → {ruleset.told(name, now)}"
    sign = "+" if real >= 0 else MINUS
    return f"{ruleset.values[name].label} {sign}{abs(real)}{left}"


def _bounded(running: Running, name: str, by: int) -> int:
    """Return by how much a given figure may go: not below what the rules print as its least."""
    units = running.state.ruleset.head.units
    computed = next((unit.values[name] for unit in units if name in unit.values), None)
    minimum = None if computed is None else computed.minimum
    least = None if minimum is None else minimum.constant
    return by if least is None else max(by, least - running.given[name])


def put(running: Running, step: Put) -> None:
    """Put a condition on the unit."""
    entity = running.state.ruleset.entity(running.target(step.condition))
    amount = running.whole(step.amount)
    before = running.state.under(running.unit, entity.id)
    turns = None if step.turns is None else running.whole(step.turns)
    about = "" if step.about is None else str(running.variables[step.about[1:]])
    running.state = play_state.add_condition(
        running.state, running.unit, entity, amount, about, turns
    )
    after = running.state.under(running.unit, entity.id)
    counts = entity.condition is not None and entity.condition.counts

    def told() -> str:
        named = f"{entity.name} ({about})" if about else entity.name
        return f"{named} {before} → {after}" if counts else f"now {named}"

    if after != before or not counts:
        running.tell(step, told, entity.id, after)


def lift(running: Running, step: Lift) -> None:
    """Take a condition off the unit."""
    entity = running.state.ruleset.entity(running.target(step.condition))
    amount = None if step.amount is None else running.whole(step.amount)
    about = None if step.about is None else str(running.variables[step.about[1:]]) or None
    was = running.state
    running.state, gone = play_state.remove_condition(was, running.unit, entity, amount, about)
    if gone:
        before, now = (state.under(running.unit, entity.id) for state in (was, running.state))
        shown = f"{entity.name} {before} → {now}" if now else f"no longer {entity.name}"
        running.tell(step, shown, entity.id, now)


def refill(running: Running, step: Refill) -> None:
    """Restore what the item that is used carries."""
    if running.holding is None:
        raise RuleRefusal("there is no item to refill")
    kept = running.holding.entity.capacities
    capacity = next(one for one in kept if one.id == step.capacity)
    room = total_capacity(running.state, running.holding, capacity)
    by = room if step.by is None else running.whole(step.by)
    running.state, real = play_state.change_capacity(running.state, running.holding, capacity, by)
    now = play_state.capacity_left(running.state, running.holding, capacity)
    running.tell(step, lambda: f"{capacity.label} +{real} → {now}", capacity.id, real)


def passing(running: Running, step: Pass) -> None:
    """Let a moment pass."""
    running.state, ended = play_state.pass_moment(running.state, running.unit, step.moment)
    for condition in ended if running.told is not None else ():
        about, name = f" ({condition.about})" if condition.about else "", condition.entity.id
        told = f"{condition.entity.name}{about} ends"
        # Its own rule says when it ends, whichever procedure let the moment pass.
        telling = step.model_copy(update={"source": step.source or name})
        running.tell(telling, told, name, 0)


def recover(running: Running, step: Recover) -> None:
    """Roll for the effects on cooldown, or bring all of them off it."""
    recovered = 0
    for holding, action in list(
        play_state.unit_cooldowns(running.state, running.state.unit(running.unit))
    ):
        number = _printed(action.cooldown)
        if (step.of == "number") != (number is not None):
            continue
        if step.of != "number" and action.cooldown != step.of:
            continue
        if step.item is not None and running.target(step.item) != holding.id:
            continue
        pair = (holding.id, play_state.action_key(holding.entity, action))
        name = holding.name
        told, off = f"{name} comes off cooldown", True
        if step.dice:
            rolled = dice_module.parse_dice(step.dice, running.state.ruleset.dice)
            faces = running.rolled(f"{step.id}.{pair[0]}.{pair[1]}", rolled, name)
            running.variables |= {"roll": sum(faces), "number": number or 0}
            off = bool(running.whole(step.judged))
            shown = " ".join(map(str, faces))
            told = f"{name}: rolled {shown}, " + ("off cooldown" if off else "still on cooldown")
        if off:
            running.state = play_state.end_cooldown(running.state, pair)
            recovered += 1
        running.tell(step, told, holding.entity.id, int(off))
    running.variables[step.id] = recovered


def call(running: Running, step: Call) -> None:
    """Run another procedure within this one; its steps are told among ours."""
    procedure, inner = enter(running, step)
    take_steps(inner, procedure.steps)
    running.state = inner.state
    made = inner.variables
    for ours, theirs in step.take.items():
        running.variables[ours] = made.get(theirs, 0)


def enter(running: Running, step: Call) -> tuple[Procedure, Running]:
    """Begin the procedure that a step calls: a run of its own, with its inputs given."""
    procedure = running.state.ruleset.procedure(step.procedure)
    refuse_unit(running.state, procedure, running.unit)
    inner = running.nested(procedure.source)
    passed = {name: running.passed(value) for name, value in step.with_.items()}
    inner.begin(procedure.inputs, passed)
    return procedure, inner


def say(running: Running, step: Tell) -> None:
    """Say something, and perhaps stop."""
    running.tell(step, "")
    if step.stop:
        raise Stopped


STEPS: dict[type, Callable[[Running, Any], None]] = {
    Let: let,
    RollDice: roll_dice,
    RollPool: roll_pool,
    Reroll: reroll,
    LookUp: look_up,
    ReadChart: read_chart,
    Decide: decide,
    Require: require,
    ChangeStep: change,
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
