"""What taking something brings: the holding, its unit, its grants, what it replaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from charforge.content.models import Entity, Grant
from charforge.engine.state import CHARACTER, Holding, State, Unit


def gain(
    state: State,
    entity: Entity,
    path: str,
    origin: str,
    unit: str = CHARACTER,
    quantity: int = 1,
    answers: Mapping[str, str] | None = None,
) -> State:
    """Return the state with ``entity`` held at ``path``, and all it grants.

    ``answers`` settle the entity's own choices in advance. What it
    replaces leaves; a path that is taken gets ``#2``, ``#3`` …
    """
    kind = state.ruleset.kinds[entity.kind]
    if kind.held_by == "character":
        unit = CHARACTER
    path = _free(state, path)
    for old in state.holdings:
        if old.entity.id == entity.replaces and old.unit == unit:
            state = _without(state, old)
    held = Holding(path, entity, unit, origin, state.level, quantity)
    settled = {f"{path}.{name}": answer for name, answer in (answers or {}).items()}
    state = replace(state, holdings=(*state.holdings, held), answers={**state.answers, **settled})
    if kind.unit is not None:
        made = Unit(path, state.ruleset.units[kind.unit], entity.name, entity, unit)
        state = replace(state, units=(*state.units, made))
    return granted(state, held, 1, state.level)


def _without(state: State, gone: Holding) -> State:
    """Return the state without a holding, what its choices brought, and its unit with all."""
    asked = {f"{gone.id}.{ask.id}" for ask in gone.entity.choices}
    return replace(
        state,
        units=tuple(unit for unit in state.units if unit.id != gone.id),
        holdings=tuple(h for h in state.holdings if gone.id not in (h.id, h.unit)),
        chosen=tuple(c for c in state.chosen if gone.id not in (c.holding, c.unit)),
        settled=tuple(s for s in state.settled if s.unit != gone.id and s.source not in asked),
    )


def granted(state: State, holding: Holding, first: int, last: int) -> State:
    """Add what a holding grants from level ``first`` to ``last``."""
    for grant in holding.entity.grants:
        if first <= grant.level <= last:
            state = give(state, grant, holding.id, state.bearer(holding))
    return state


def give(state: State, grant: Grant, origin: str, unit: str = CHARACTER, path: str = "") -> State:
    """Add one granted entity, if its condition holds now.

    A kind of which nobody has the same one twice is not given twice.
    ``path`` is its instance id, by default the origin's with its slug.
    """
    if not state.values(unit).holds(grant.when):
        return state
    entity = state.ruleset.entity(state.ruleset.canonical(grant.id))
    single = state.ruleset.kinds[entity.kind].single
    if single and not entity.repeatable and state.has(entity.id):
        return state
    return gain(
        state, entity, path or f"{origin}.{entity.slug}", origin, unit, grant.quantity, grant.with_
    )


def _free(state: State, path: str) -> str:
    taken = {holding.id for holding in state.holdings}
    number, free = 1, path
    while free in taken:
        number += 1
        free = f"{path}#{number}"
    return free
