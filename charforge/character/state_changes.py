"""Changes in play: resources, conditions, cooldowns and counted uses.

Each function returns a new state, or the same one if nothing changes.
Resources stay within the bounds of their unit type, so functions that change
one also return by how much it really changed.

A limit of uses is that of one ability, or that of an entity, which several abilities and procedures
share.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from charforge.character.holdings import total_capacity
from charforge.character.modifiers import LocalFormulas
from charforge.character.state import CHARACTER, Condition, Holding, State, Unit, UseCount
from charforge.character.state_data import Conditions
from charforge.errors import UsageError
from charforge.expressions.formula import SHARED
from charforge.expressions.template import signed_number
from charforge.language import N_, _, either
from charforge.rules.models import Action, Attack, Capacity, Entity, UseLimit
from charforge.rules.names import original


def without_play(state: State) -> State:
    """Return the state before anything happened in play, apart from money and what is in hand.

    Resources are at their starting values; there are no conditions, cooldowns or counted uses.
    """
    money = state.ruleset.head.gear.money
    kept = {key: by for key, by in state.resource_changes.items() if key[1] == money}
    return state.with_changes(resource_changes=kept, conditions=Conditions(), cooldowns=(), uses=())


def change_resource(state: State, unit_id: str, value: str, by: int) -> tuple[State, int]:
    """Return the state with a resource of a unit changed within its bounds, and the real change.

    A shared resource, or one that only the owner has, changes on the owner; ``shared.ID`` on what
    the group owns. Raises UsageError for a value that is not a resource.
    """
    if value.startswith(SHARED):
        return change_shared(state, value, by)
    bearer = state.unit(unit_id)
    computed = bearer.type.values.get(value)
    if bearer.owner is not None and (computed is None or computed.shared):
        return change_resource(state, bearer.owner, value, by)
    if computed is None or not computed.resource:
        label = state.ruleset.values[value].label if value in state.ruleset.values else value
        raise UsageError(
            _("{label} is not a resource of a {type_label}").format(
                label=label, type_label=bearer.type.label
            )
        )
    values = state.values(unit_id)
    before = values.base(value)
    # If the bounds have moved, any amount outside of them is forgotten.
    beyond_bounds = before - values.unbounded(value)
    requested = _add_change(state, (unit_id, value), beyond_bounds + by)
    real = requested.values(unit_id).base(value) - before
    if real == by:
        return requested, real
    return _add_change(state, (unit_id, value), beyond_bounds + real), real


def change_money(state: State, amount: int) -> State:
    """Return the state with ``amount`` more money; the result can be negative.

    Raises UsageError where the ruleset has no money.
    """
    money = state.ruleset.head.gear.money
    if not amount:
        return state
    if money is None:
        raise UsageError(_("{name} has no money").format(name=state.ruleset.head.name))
    return change_resource(state, CHARACTER, money, amount)[0]


def _add_change(state: State, key: tuple[str, str], by: int) -> State:
    """Return the state with ``by`` added to a resource change; key: unit or holding, value."""
    if not by:
        return state
    changes = {**state.resource_changes, key: state.resource_changes.get(key, 0) + by}
    if not changes[key]:
        del changes[key]
    return state.with_changes(resource_changes=changes)


def change_shared(state: State, name: str, by: int) -> tuple[State, int]:
    """Return the state with a value of what the group owns changed within bounds, and by how much.

    ``name`` is its name in formulas. A character without it changes nothing. Raises UsageError
    for a value that cannot change in play.
    """
    shared, value = state.shared, name.removeprefix(SHARED)
    if shared is None:
        return state, by
    if value not in shared.bounds:
        raise UsageError(
            _("{label} cannot change in play").format(label=state.ruleset.value_label(name))
        )
    low, high = shared.bounds[value]
    before = shared.values[value]
    after = min(max(before + by, min(low, before)), max(high, before))
    changed = shared._replace(values={**shared.values, value: after})
    return state.with_changes(shared=changed), after - before


def unshared_text(state: State, name: str, by: int) -> str:
    """Return the message of a change of what the group owns where no file of that is known."""
    return _("{label} {by}: note it yourself, no campaign file names it").format(
        label=state.ruleset.value_label(name), by=signed_number(by)
    )


def capacity_left(state: State, holding: Holding, capacity: Capacity) -> int:
    """Return how much is left of what all pieces of an item carry, such as ammo."""
    return total_capacity(state, holding, capacity) + state.resource_changes.get(
        (holding.id, capacity.id), 0
    )


def change_capacity(
    state: State, holding: Holding, capacity: Capacity, by: int
) -> tuple[State, int]:
    """Return the state with a change of what an item carries, and the real change."""
    now = capacity_left(state, holding, capacity)
    real = min(max(now + by, 0), total_capacity(state, holding, capacity)) - now
    return _add_change(state, (holding.id, capacity.id), real), real


def add_condition(
    state: State,
    unit_id: str,
    entity: Entity,
    amount: int = 1,
    about: str = "",
    turns: int | None = None,
    subject: str = "",
) -> State:
    """Return the state with a condition put on a unit: added, restarted, or with more of it.

    ``amount`` counts only for a condition that counts. One of which a unit
    can have only ``one`` replaces that about somebody else. ``turns``
    replaces the usual duration; a condition that counts is then separate
    from the others and ends at its own time. ``subject`` is what it is about
    as players read it, where only the caller knows.
    """
    spec = entity.condition
    if spec is None or amount <= 0:
        return state
    separate = spec.counts and turns is not None
    former = None
    if not separate:
        matching = concerning(state, unit_id, entity.id, None if spec.one else about)
        former = next(iter(matching), None)
    total = amount + (former[1].amount if former is not None else 0) if spec.counts else 1
    if spec.most is not None:
        most = state.values(unit_id).evaluate_now(spec.most)
        total = min(total, most - (amount_about(state, unit_id, entity, about) if separate else 0))
    left = (spec.turns if turns is None else turns) if spec.until else None
    if total <= 0 or (left is not None and left <= 0):
        return state
    others = state.conditions if former is None else state.conditions.replace({former[0]: None})
    if former is None or not spec.counts:  # more of what counts does not begin it again
        state = _forget_uses(state, unit_id, lambda limit: limit.during == entity.id)
    subject = subject or condition_subject(state, entity, about)
    added = Condition(entity, unit_id, total, about, left, subject=subject)
    return state.with_changes(conditions=others.add(added))


def condition_subject(state: State, entity: Entity, about: str) -> str:
    """Return what a condition is about as players read it: the name of one of their items, too."""
    is_item = state.ruleset.conditions_about.get(entity.id) == "item"
    holding = state.holding(about) if about and is_item else None
    return state.ruleset.subject(about) if holding is None else holding.name


def concerning(
    state: State, unit_id: str, entity_id: str, about: str | None
) -> Iterable[tuple[int, Condition]]:
    """Return a unit's conditions of an entity that are about something, by any of its names.

    Without ``about`` they are all of them.
    """
    exact = state.conditions.numbered(unit_id, entity_id, about)
    if exact or not about:
        return exact
    return [
        numbered
        for name in state.ruleset.other_names(about)
        for numbered in state.conditions.numbered(unit_id, entity_id, name)
    ]


def amount_about(state: State, unit_id: str, entity: Entity, about: str) -> int:
    """Return the amount of a unit's condition about something; without ``about`` of all of it."""
    return sum(one.amount for _n, one in concerning(state, unit_id, entity.id, about or None))


def remove_condition(
    state: State, unit_id: str, entity: Entity, amount: int | None = None, about: str | None = None
) -> tuple[State, int]:
    """Return the state without a condition of a unit, or ``amount`` less of it, and the amount.

    ``about`` selects one of several; without it all are removed.
    """
    changes: dict[int, Condition | None] = {}
    removed = 0
    for number, condition in concerning(state, unit_id, entity.id, about):
        part = condition.amount if amount is None else min(amount - removed, condition.amount)
        if part == condition.amount:
            changes[number] = None
        elif part:
            changes[number] = condition._replace(amount=condition.amount - part)
        removed += part
    return _with_conditions(state, changes), removed


def pass_moment(state: State, unit_id: str, moment: str) -> tuple[State, tuple[Condition, ...]]:
    """Return the state after a moment (``turn`` …) of a unit, and the conditions that it ended.

    The first moment in a condition's ``until`` counts its turns down; any
    other ends it immediately. What a use by its owner would end on a unit of
    the unit, as the last Action of a vehicle's crew, counts as well.
    Abilities limited until the moment can be used again.
    """
    changes: dict[int, Condition | None] = {}
    ended: list[Condition] = []
    of_crew = _interruptible(state, [one.id for one in state.units if one.owner == unit_id])
    for number, condition in (*state.conditions.numbered_of(unit_id), *of_crew):
        spec = condition.entity.condition
        if spec is None or moment not in spec.until:
            continue
        if moment == spec.until[0] and condition.left is not None and condition.left > 1:
            changes[number] = condition._replace(left=condition.left - 1)
        else:
            changes[number] = None
            ended.append(condition)
    state = _forget_uses(state, unit_id, lambda limit: moment in limit.until)
    return _with_conditions(state, changes), tuple(ended)


def _with_conditions(state: State, changes: Mapping[int, Condition | None]) -> State:
    """Return the state with some conditions replaced or removed; see ``Conditions.replace``."""
    if not changes:
        return state
    return state.with_changes(conditions=state.conditions.replace(changes))


def interrupted_conditions(
    state: State, units: Collection[str], used: Action | Attack
) -> frozenset[int]:
    """Return the numbers of the conditions of units that end once they have used something."""
    return frozenset(
        number
        for number, condition in _interruptible(state, units)
        if isinstance(used, Attack) or used.timing in _interrupting(condition.entity)
    )


def end_interrupted(
    state: State, units: Collection[str], interrupted: frozenset[int]
) -> tuple[State, tuple[Condition, ...]]:
    """Return the state without these conditions, and those that it ended.

    One that was put again meanwhile stays.
    """
    if not interrupted:
        return state, ()
    ended = {n: one for n, one in _interruptible(state, units) if n in interrupted}
    return _with_conditions(state, dict.fromkeys(ended)), tuple(ended.values())


def _interruptible(state: State, units: Collection[str]) -> Iterator[tuple[int, Condition]]:
    """Yield the numbered conditions of units that a use can end."""
    for entity in state.ruleset.interruptible_conditions:
        for unit in units:
            yield from state.conditions.numbered(unit, entity.id)


def _interrupting(entity: Entity) -> tuple[str, ...]:
    """Return the timings of uses that end a condition."""
    return () if entity.condition is None else entity.condition.interrupted_by


def action_key(entity: Entity, action: Action) -> str:
    """Return the key of an action among those of its entity: its name, else its timing.

    The second one with the same key gets ``#2``, and so on.
    """
    key = original(action.name) or action.timing
    alike = [o for o in entity.actions if (original(o.name) or o.timing) == key]
    index = next(index for index, other in enumerate(alike) if other is action)
    return key if index == 0 else f"{key}#{index + 1}"


def start_cooldown(state: State, holding: Holding, action: Action) -> State:
    """Return the state with an action of a holding on cooldown."""
    pair = (holding.id, action_key(holding.entity, action))
    if pair in state.cooldowns:
        return state
    return state.with_changes(cooldowns=(*state.cooldowns, pair))


def end_cooldown(state: State, pair: tuple[str, str]) -> State:
    """Return the state without the cooldown of an action; ``pair``: holding id, action key."""
    if pair not in state.cooldowns:
        return state
    return state.with_changes(cooldowns=tuple(other for other in state.cooldowns if other != pair))


def _forget_uses(state: State, unit_id: str, ends: Callable[[UseLimit], bool]) -> State:
    """Return the state without the uses of a unit whose limit has ended."""
    left = tuple(use for use in state.uses if use.unit != unit_id or not ends(use.limit))
    return state if len(left) == len(state.uses) else state.with_changes(uses=left)


def unit_cooldowns(state: State, unit: Unit) -> Iterator[tuple[Holding, Action]]:
    """Yield the actions of a unit that are on cooldown, with their holdings."""
    for holding_id, key in state.cooldowns:
        holding = state.holding(holding_id)
        if holding is None or state.bearer(holding) != unit.id:
            continue
        for action in holding.entity.actions:
            if action_key(holding.entity, action) == key:
                yield holding, action


TIMES = {1: N_("once"), 2: N_("twice")}


@dataclass(frozen=True, slots=True)
class CountedLimit:
    """A limit of a unit, and what is counted: an ability (``source`` and ``key``) or an entity.

    ``local`` are the formulas that names of its item stand for.
    """

    unit: str
    source: str
    key: str
    limit: UseLimit
    local: LocalFormulas = field(default_factory=dict)

    def count(self, state: State, uses: int = 1) -> State:
        """Return the state with more uses; see ``UseCount``."""
        if uses <= 0:
            return state
        what = (self.unit, self.source, self.key)
        others = (use for use in state.uses if (use.unit, use.source, use.key) != what)
        counted = UseCount(*what, self.limit, state.times_used(*what) + uses)
        return state.with_changes(uses=(*others, counted))

    def missing_condition(self, state: State) -> str:
        """Return why it cannot be used at all now; nothing if its condition is there."""
        during = self.limit.during
        if during is None or state.condition_amount(self.unit, during):
            return ""
        return _("only during {name}").format(name=state.ruleset.entity(during).name)

    def refusal(self, state: State, uses: int = 1, printed: str = "") -> str:
        """Return why there are fewer than ``uses`` left, and until when; nothing if there are.

        ``printed`` is the limit in the book's words.
        """
        used = state.times_used(self.unit, self.source, self.key)
        if self.missing_condition(state) or used + max(uses, 1) <= self._most(state):
            return ""
        times = _(TIMES[used]) if used in TIMES else _("{number} times").format(number=used)
        if self.limit.during is not None:
            return _("already used {times} during this {name}").format(
                times=times, name=state.ruleset.entity(self.limit.during).name
            )
        return _("already used ({printed}); available again after {end}").format(
            printed=printed or times, end=self.end(state)
        )

    def end(self, state: State) -> str:
        """Return when the limit ends: ``your turn ends, your turn starts or any Rest``."""
        moments = {moment.id: moment.label for moment in state.ruleset.head.moments}
        return either(moments[name] for name in self.limit.until)

    def _most(self, state: State) -> int:
        most = self.limit.times
        if isinstance(most, int):
            return most
        return state.values(self.unit).evaluate_now(most.with_variables(self.local))


def limit_of_entity(state: State, unit_id: str, entity_id: str) -> CountedLimit:
    """Return the limit of an entity for a unit. The entity must have one."""
    limit = state.ruleset.entity(entity_id).uses
    assert limit is not None, f"{entity_id} has no limit"
    return CountedLimit(unit_id, entity_id, "", limit)
