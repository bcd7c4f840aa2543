"""Limits of a game, such as a weight that it allows at most, and what exceeds them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from charforge.character.state import State, Unit
from charforge.language import _
from charforge.rules.models import Limit


class Exceeded(NamedTuple):
    """A limit of a unit that is exceeded: by how much, and the reason in words."""

    limit: str
    label: str
    unit: str
    excess: int
    text: str


def exceeded_limits(state: State) -> Iterator[Exceeded]:
    """Yield the limits that a character exceeds now, except as far as the GM allows it."""
    for limit in state.ruleset.head.limits:
        for character in state.units[:1]:
            yield from _exceeded(state, limit, character)


def newly_exceeded(before: State, after: State) -> Iterator[Exceeded]:
    """Yield the limits that are exceeded after a change, and were not before, or by less."""
    if not after.ruleset.head.limits:
        return
    excess_before = {(e.limit, e.unit): e.excess for e in exceeded_limits(before)}
    for exceeded in exceeded_limits(after):
        if exceeded.excess > excess_before.get((exceeded.limit, exceeded.unit), 0):
            yield exceeded


def _exceeded(state: State, limit: Limit, unit: Unit) -> Iterator[Exceeded]:
    """Yield a limit if a unit exceeds it."""
    values = state.values(unit.id)
    number, most = values.evaluate_now(limit.number), values.evaluate_now(limit.at_most)
    allowed = max((e for *key, e in state.allowed_limits if key == [limit.id, unit.id]), default=0)
    if number - most <= allowed:
        return
    text = values.plain_text(limit.text) or _("{label}: {number}, at most {most}").format(
        label=limit.label, number=number, most=most
    )
    yield Exceeded(
        limit.id, limit.label, unit.id, number - most, f"{unit.name}: {text}" if unit.name else text
    )
