"""The effects of the events after creation, applied one after another.

An event whose target is missing (after an edit its item was never gained) is
dormant; an event that the rules refuse now is broken. Neither has any effect.
Procedures run again with the recorded inputs and dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from charforge.character import gear, holdings, state_changes
from charforge.character.files.events import (
    AbilityEvent,
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    PartEvent,
    ProcedureEvent,
    ResourceEvent,
    SetEvent,
)
from charforge.character.holdings import add_holding, has_all
from charforge.character.requirements import (
    Applicant,
    unmet_by_bearer,
    unmet_requirements,
)
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.errors import CharforgeError, RuleRefusal
from charforge.language import _
from charforge.procedures import abilities
from charforge.replay.decision_walk import (
    OWNER,
    DecisionWalk,
    Overridden,
    Problem,
    RecordedDice,
    RunEvent,
    TargetMissing,
    repeat_run,
)

LIMIT = "limit"  # the code of the problem that a limit is exceeded


def apply_event(walk: DecisionWalk, event: AnyEvent) -> Iterator[str]:
    """Apply an event to the walk; yield the id of the event if it is dormant.

    A broken event adds a problem to the walk.
    """
    effect = EFFECTS.get(type(event))
    if effect is None:
        return
    name = f"event.{event.n}"
    try:
        effect(walk, event)
        walk.grant_reached(name)
    except TargetMissing:
        yield name
    except CharforgeError as error:
        walk.problems.append(Problem("broken", name, str(error), history_number(event)))


def history_number(event: AnyEvent) -> str:
    """Return where an event stands in ``history``, in words."""
    return _("no. {number} in history").format(number=event.group)


def overspent(state: State) -> list[Problem]:
    """Return a problem if more money was spent than the character had."""
    have = gear.money(state)
    if have is None or have >= 0:
        return []
    money = state.ruleset.values[state.ruleset.head.gear.money or ""]
    message = _("you spent {have} {unit} more than you had").format(
        have=-have, unit=money.unit or money.noun(-have)
    )
    return [Problem("overspent", "", message)]


def limit_problems(state: State) -> list[Problem]:
    """Return a problem for each limit that is exceeded."""
    return [
        Problem(LIMIT, "", one.text, one.label, f"{one.unit}.{one.limit}", one.excess)
        for one in holdings.exceeded_limits(state)
    ]


def _advance(walk: DecisionWalk, event: AdvanceEvent) -> None:
    if event.unit is None:
        if event.override is not None:
            reasons = tuple(_reasons_against_level(walk.state, event.level))
            walk.overridden.append(Overridden(f"event.{event.n}", event.override, reasons))
        for value, amount in event.spent.items():
            walk.state, _change = state_changes.change_resource(
                walk.state, CHARACTER, value, -amount
            )
        walk.advance(walk.state.level + 1)
        return
    unit = walk.state.unit(_require_unit(walk.state, event.unit))
    _refuse_advance(walk.state, unit, event.level)
    walk.advance_unit(unit.id, event.level)


def _reasons_against_level(state: State, level: int) -> Iterator[str]:
    """Yield why the rules did not allow the character a level."""
    advancement = state.ruleset.head.advancement
    unmet = unmet_requirements(advancement.requires, Applicant(state, CHARACTER))
    for reason in unmet or (_("it costs more than there was"),):
        yield f"{advancement.text(level)}: {reason}"


def _refuse_advance(state: State, unit: Unit, level: int) -> None:
    """Raise RuleRefusal for a level that a unit cannot reach now."""
    advancement = state.ruleset.head.advancement
    if unit.type.level == OWNER:
        raise RuleRefusal(_("a {label} always has its owner's level").format(label=unit.type.label))
    if level != state.level_of(unit) + 1:
        raise RuleRefusal(
            _("{name} is {level}, so the next level is not {recorded}").format(
                name=unit.name,
                level=advancement.text_inside(state.level_of(unit)),
                recorded=advancement.number(level),
            )
        )
    formula = unit.type.highest
    highest = None if formula is None else state.values(unit.id).evaluate(formula)
    if highest is not None and level > highest:
        raise RuleRefusal(
            _("{name} can be {highest} at most, not {to}").format(
                name=unit.name,
                highest=advancement.text_inside(highest),
                to=advancement.number(level),
            )
        )


def _answer(walk: DecisionWalk, event: AnswerEvent) -> None:
    if event.now:
        walk.answer_now(event)


def _set(walk: DecisionWalk, event: SetEvent) -> None:
    if event.rule is not None and event.value is not None:
        walk.state = walk.state.with_changes(rules={**walk.state.rules, event.rule: event.value})
    elif event.unit is not None and event.name is not None:
        unit = walk.state.unit(_require_unit(walk.state, event.unit))
        renamed = unit._replace(name=event.name)
        units = tuple(renamed if other is unit else other for other in walk.state.units)
        walk.state = walk.state.with_changes(units=units)


def _acquire(walk: DecisionWalk, event: AcquireEvent) -> None:
    state, name = walk.state, f"event.{event.n}"
    entity = state.ruleset.entity(state.ruleset.canonical(event.entity))
    unit = _require_unit(state, event.unit)
    if event.override is None and has_all(state, entity, unit, event.quantity):
        often = (
            _(" {repeatable} times (the maximum)").format(repeatable=entity.repeatable)
            if entity.repeatable
            else ""
        )
        raise RuleRefusal(_("you already have {name}{often}").format(name=entity.name, often=often))
    state = gear.change_money(state, -(event.price or 0) * event.quantity)
    gained = add_holding(
        state, entity, name, name, unit, event.quantity, None, event.granted, event.note
    )
    before = walk.state
    unfit = unmet_by_bearer(entity.requires, Applicant(before, unit, entity))
    walk.continue_with(gained, name)
    if event.override is not None:
        if unfit:
            walk.overridden.append(Overridden(name, event.override, unfit, (entity.id,)))
        walk.allow_excess(before, name, event.override, (entity.id,))


def _remove(walk: DecisionWalk, event: PartEvent) -> None:
    holding = _require_holding(walk.state, event.holding)
    state = gear.remove_pieces(walk.state, holding, event.quantity)
    walk.state = gear.change_money(state, (event.price or 0) * event.quantity)


def _carry(walk: DecisionWalk, event: CarryEvent) -> None:
    state = CARRY[event.how](walk.state, _require_holding(walk.state, event.holding))
    walk.state = abilities.count_hand_change(state) if event.counted else state


def _change_resource(walk: DecisionWalk, event: ResourceEvent) -> None:
    if event.holding is None:
        unit = _require_unit(walk.state, event.unit)
        walk.state, _change = state_changes.change_resource(walk.state, unit, event.value, event.by)
        return
    holding = _require_holding(walk.state, event.holding)
    capacity = next((c for c in holding.entity.capacities if c.id == event.value), None)
    if capacity is None:
        raise TargetMissing
    walk.state, _change = state_changes.change_capacity(walk.state, holding, capacity, event.by)


def _change_condition(walk: DecisionWalk, event: ConditionEvent) -> None:
    state = walk.state
    entity = state.ruleset.entity(event.condition)
    if entity.condition is None:
        raise RuleRefusal(_("{name} is not a condition").format(name=entity.name))
    unit = _require_unit(state, event.unit)
    if event.off:
        walk.state, _amount = state_changes.remove_condition(
            state, unit, entity, event.amount, event.about or None
        )
    else:
        walk.state = state_changes.add_condition(
            state, unit, entity, event.amount or 1, event.about, event.turns
        )


def _change_cooldown(walk: DecisionWalk, event: CooldownEvent) -> None:
    unit = _require_unit(walk.state, event.unit)
    ability = abilities.ability_of(walk.state, unit, event.holding, event.ability)
    if ability is None or ability.action is None or ability.holding is None:
        raise TargetMissing
    if not ability.action.cooldown:
        raise RuleRefusal(_("{name} has no cooldown").format(name=ability.name))
    if event.off:
        walk.state = state_changes.end_cooldown(walk.state, (ability.source, ability.key))
    else:
        walk.state = state_changes.start_cooldown(walk.state, ability.holding, ability.action)


def _repeat_run(walk: DecisionWalk, event: RunEvent) -> None:
    walk.state = repeat_run(walk.state, event, RecordedDice(event.faces), quiet=True).state


def _require_unit(state: State, name: str) -> str:
    """Return the id of a unit. Raises TargetMissing if there is none with this id."""
    if not state.has_unit(name):
        raise TargetMissing
    return name


def _require_holding(state: State, name: str) -> Holding:
    """Return a holding by id. Raises TargetMissing if there is none."""
    holding = state.holding(name)
    if holding is None:
        raise TargetMissing
    return holding


CARRY: dict[str, Callable[[State, Holding], State]] = {
    "hold": gear.hold,
    "stow": gear.stow,
    "wear": holdings.wear,
    "take-off": holdings.take_off,
}
EFFECTS: dict[type, Callable[[DecisionWalk, Any], None]] = {
    AdvanceEvent: _advance,
    AnswerEvent: _answer,
    SetEvent: _set,
    AcquireEvent: _acquire,
    PartEvent: _remove,
    CarryEvent: _carry,
    ResourceEvent: _change_resource,
    ConditionEvent: _change_condition,
    CooldownEvent: _change_cooldown,
    ProcedureEvent: _repeat_run,
    AbilityEvent: _repeat_run,
}
