"""The actions and capacities of an entity as a sheet shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from charforge.character import play_state
from charforge.character.holdings import total_capacity
from charforge.character.state import Holding, State
from charforge.describe.entities import HeldEntity, results_of, trigger_text
from charforge.expressions.template import NO_BREAK
from charforge.procedures import abilities
from charforge.rules.models import Action, Capacity
from charforge.sheet import view
from charforge.sheet.page_moves import move_key


def actions(held: HeldEntity) -> tuple[view.SheetAction, ...]:
    """Return the actions of an entity."""
    timings = {timing.id: timing.label for timing in held.state.ruleset.head.timings}
    return tuple(
        view.SheetAction(
            name=action.name,
            timing=action.timing,
            label=timings[action.timing],
            chips=tuple(_chips(action, held)),
            trigger=held.prose(trigger_text(action)),
            who=held.line(action.who),
            text=view.RulesText(
                held.prose("\n\n".join((action.text, *results_of(action, held.state.ruleset)))),
                held.prose(action.digest),
            ),
            unmet=held.required(action.requires),
            move_key=_move_key(action, held),
        )
        for action in held.entity.actions
    )


def _move_key(action: Action, held: HeldEntity) -> str:
    """Return the key of the button of an action that runs a procedure; empty for others."""
    if action.procedure is None:
        return ""
    source = held.holding_id or held.entity.id
    return move_key(source, play_state.action_key(held.entity, action))


def rules_text(held: HeldEntity) -> view.RulesText:
    """Return the text of an entity; it has no short one if the full one is all there is."""
    state, entity = held.state, held.entity
    has_digest = state.digest(entity) != state.text(entity)
    return view.RulesText(held.description(), held.digest() if has_digest else ())


def _chips(action: Action, held: HeldEntity) -> Iterator[view.Chip]:
    place = (held.holding_id, play_state.action_key(held.entity, action))
    for kind, text in held.action_terms(action):
        if kind == "cooldown":
            ticked = place in held.state.cooldowns
            yield view.Chip(kind, text, True, ticked, view.tracker_key(*place))
        else:
            yield view.Chip(kind, text)
    if rolled := _rolled(action, held):
        yield view.Chip("roll", rolled)


def _rolled(action: Action, held: HeldEntity) -> str:
    """Return the values that the procedure of an action gets from it: ``Cool 2``."""
    state, values = held.state, held.state.values(held.unit)

    def number(name: str) -> str:
        return state.ruleset.values[name].number_text(values.total(name))

    source = held.holding_id or held.entity.id
    ability = abilities.Ability(source, "", held.entity, held.holding, held.unit, action)
    given = abilities.supplied_inputs(state, ability)
    rolled = (given.get(one.id) for one in abilities.ability_inputs(state, ability)[0])
    return ", ".join(
        f"{state.ruleset.values[name].label}{NO_BREAK}{number(name)}"
        for name in rolled
        if isinstance(name, str) and name in values
    )


def capacities(
    held: HeldEntity, pieces: int, holding_ids: Iterable[str]
) -> tuple[view.SheetCapacity, ...]:
    """Return the capacities of an entity with the used amounts of its holdings.

    ``pieces`` is the number of items with each capacity, ``holding_ids`` are their holdings.
    """
    holdings = list(filter(None, map(held.state.holding, holding_ids)))
    shown = []
    for capacity in held.entity.capacities:
        used = [number for holding in holdings for number in _used(held.state, holding, capacity)]
        most = held.evaluate(capacity.max)
        keys = [
            view.tracker_key(holding.id, capacity.id)
            for holding in holdings
            for _piece in range(holding.quantity)
        ]
        shown.append(
            view.SheetCapacity(
                capacity.label, most, pieces, tuple(used) if any(used) else (), tuple(keys)
            )
        )
    return tuple(shown)


def _used(state: State, holding: Holding, capacity: Capacity) -> Iterator[int]:
    """Yield the amount that each piece of a holding has used; the first is used up first."""
    full = total_capacity(state, holding, capacity)
    used = full - min(max(play_state.capacity_left(state, holding, capacity), 0), full)
    most = full // holding.quantity
    for piece in range(holding.quantity):
        yield min(max(used - piece * most, 0), most)
