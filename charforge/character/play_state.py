"""The state of play: resources, conditions and cooldowns.

Each function returns a new state, or the same one if nothing changes.
Resources stay within the bounds of their unit type; functions that change
one also return the real difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from charforge.character.holdings import total_capacity
from charforge.character.state import Condition, Holding, State, Unit
from charforge.errors import UsageError
from charforge.rules.models import Action, Capacity, Entity


def change_resource(state: State, unit: str, value: str, by: int) -> tuple[State, int]:
    """Change a resource of a unit within its bounds; return the real difference too.

    A shared resource, or one that only the owner has, changes on the owner.
    Raises UsageError for a value that is not a resource.
    """
    bearer = state.unit(unit)
    computed = bearer.type.values.get(value)
    if bearer.owner is not None and (computed is None or computed.shared):
        return change_resource(state, bearer.owner, value, by)
    if computed is None or not computed.resource:
        label = state.ruleset.values[value].label if value in state.ruleset.values else value
        raise UsageError(f"{label} is no resource of a {bearer.type.label}: it follows from rules")
    values = state.values(unit)
    before = values.base(value)
    # If the bounds have moved, any amount outside of them is forgotten.
    hidden = before - values.unbounded(value)
    wished = _spent(state, (unit, value), hidden + by)
    real = wished.values(unit).base(value) - before
    return (wished if real == by else _spent(state, (unit, value), hidden + real)), real


def _spent(state: State, key: tuple[str, str], by: int) -> State:
    if not by:
        return state
    changed = {**state.resource_changes, key: state.resource_changes.get(key, 0) + by}
    if not changed[key]:
        del changed[key]
    return state.with_changes(resource_changes=changed)


def capacity_left(state: State, holding: Holding, capacity: Capacity) -> int:
    """Return how much an item has of what it carries, such as ammo; each piece has its own."""
    return total_capacity(state, holding, capacity) + state.resource_changes.get(
        (holding.id, capacity.id), 0
    )


def change_capacity(
    state: State, holding: Holding, capacity: Capacity, by: int
) -> tuple[State, int]:
    """Change what an item carries, within its capacity; return the real difference too."""
    now = capacity_left(state, holding, capacity)
    real = min(max(now + by, 0), total_capacity(state, holding, capacity)) - now
    return _spent(state, (holding.id, capacity.id), real), real


def add_condition(
    state: State,
    unit: str,
    entity: Entity,
    amount: int = 1,
    about: str = "",
    turns: int | None = None,
) -> State:
    """Put a condition on a unit: add it, restart it, or raise the amount of one that counts.

    A condition that is ``one`` of its kind replaces one about somebody else.
    ``turns`` replaces the usual duration; a condition that counts is then
    separate from the others and ends at its own time.
    """
    spec = entity.condition
    if spec is None or amount <= 0:
        return state
    separate = spec.counts and turns is not None
    former = None
    if not separate:
        matching = state.conditions.numbered(unit, entity.id, None if spec.one else about)
        former = next(iter(matching), None)
    total = amount + (former[1].amount if former is not None else 0) if spec.counts else 1
    if spec.most is not None:
        most = state.values(unit).evaluate_now(spec.most)
        total = min(total, most - (state.condition_amount(unit, entity.id) if separate else 0))
    left = (spec.turns if turns is None else turns) if spec.until else None
    if total <= 0 or (left is not None and left <= 0):
        return state
    others = state.conditions if former is None else state.conditions.replace({former[0]: None})
    return state.with_changes(conditions=others.add(Condition(entity, unit, total, about, left)))


def remove_condition(
    state: State, unit: str, entity: Entity, amount: int | None = None, about: str | None = None
) -> tuple[State, int]:
    """Remove a condition from a unit, or ``amount`` of it; return the amount removed too.

    ``about`` selects one of several; without it all are removed.
    """
    changes: dict[int, Condition | None] = {}
    removed = 0
    for number, condition in state.conditions.numbered(unit, entity.id, about):
        part = condition.amount if amount is None else min(amount - removed, condition.amount)
        if part == condition.amount:
            changes[number] = None
        elif part:
            changes[number] = replace(condition, amount=condition.amount - part)
        removed += part
    return _with_conditions(state, changes), removed


def pass_moment(state: State, unit: str, moment: str) -> tuple[State, tuple[Condition, ...]]:
    """Let a moment (``turn``, ``rest`` …) pass for a unit; return the conditions it ended too.

    The first moment in a condition's ``until`` counts its turns down; any
    other ends it immediately.
    """
    changes: dict[int, Condition | None] = {}
    ended: list[Condition] = []
    for number, condition in state.conditions.numbered_of(unit):
        spec = condition.entity.condition
        if spec is None or moment not in spec.until:
            continue
        if moment == spec.until[0] and condition.left is not None and condition.left > 1:
            changes[number] = replace(condition, left=condition.left - 1)
        else:
            changes[number] = None
            ended.append(condition)
    return _with_conditions(state, changes), tuple(ended)


def _with_conditions(state: State, changes: Mapping[int, Condition | None]) -> State:
    """Return the state with some conditions replaced or removed; see ``Conditions.replace``."""
    if not changes:
        return state
    return state.with_changes(conditions=state.conditions.replace(changes))


def action_key(entity: Entity, action: Action) -> str:
    """Return the key of an action among those of its entity: its name, else its timing."""
    key = action.name or action.timing
    alike = [one for one in entity.actions if (one.name or one.timing) == key]
    number = next(index for index, one in enumerate(alike) if one is action)
    return key if number == 0 else f"{key}#{number + 1}"


def start_cooldown(state: State, holding: Holding, action: Action) -> State:
    """Put an effect on cooldown."""
    pair = (holding.id, action_key(holding.entity, action))
    return (
        state if pair in state.cooldowns else state.with_changes(cooldowns=(*state.cooldowns, pair))
    )


def end_cooldown(state: State, pair: tuple[str, str]) -> State:
    """End the cooldown of an effect."""
    if pair not in state.cooldowns:
        return state
    return state.with_changes(cooldowns=tuple(other for other in state.cooldowns if other != pair))


def unit_cooldowns(state: State, unit: Unit) -> Iterator[tuple[Holding, Action]]:
    """Yield the effects of a unit that are on cooldown."""
    for name, key in state.cooldowns:
        holding = state.holding(name)
        if holding is None or state.bearer(holding) != unit.id:
            continue
        for action in holding.entity.actions:
            if action_key(holding.entity, action) == key:
                yield holding, action
