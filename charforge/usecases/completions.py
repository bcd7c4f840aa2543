"""The words that a player may use for what a unit has now: what a session completes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from charforge.character.state import State
from charforge.procedures import abilities as use


@dataclass(frozen=True, slots=True)
class CompletionWords:
    """Words by what they name."""

    abilities: tuple[str, ...]
    conditions: tuple[str, ...]
    resources: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    rests: tuple[str, ...]
    items: tuple[str, ...]
    units: tuple[str, ...]


def completion_words(state: State, unit: str) -> CompletionWords:
    """Return the words for a unit."""
    ruleset = state.ruleset
    bearer = state.unit(unit)
    names = tuple(bearer.type.values)
    group = ruleset.group(ruleset.head.sheet.attributes) if ruleset.head.sheet.attributes else names
    held = list(state.held(unit))
    gear = [h.entity.slug for h in held if h.entity.kind in ruleset.head.gear.kinds]
    resources = [name for name in names if bearer.type.values[name].resource]
    resources += [capacity.id for h in held for capacity in h.entity.capacities]
    resources += [c.entity.slug for c in state.conditions if c.unit == unit]
    return CompletionWords(
        _once([*(a.entity.slug for a in use.all_abilities(state, unit)), *ruleset.procedures]),
        _once(e.slug for e in ruleset.conditions if e.active_when is None),
        _once(resources),
        _once(name for name in group if name in names),
        _once(names),
        tuple(ruleset.head.play.rests),
        _once(gear),
        _once(other.id for other in state.units),
    )


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
