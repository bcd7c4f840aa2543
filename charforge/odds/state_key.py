"""What stands around the variables of a run: the state of play, given figures, dice and choices.

Equal worlds are one object: what a step makes of one is computed once,
and figures once derived stay derived.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from charforge.character.state import State

Faces = tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class World:
    """The state of play at one point, with what was said of the rest of the run.

    ``given`` are figures in place of a character's, ``dice`` those that
    fell and are still to be used, ``answers`` the numbers chosen
    beforehand, ``asked`` how often each of those was asked for.
    """

    number: int
    state: State
    given: Mapping[str, int]
    dice: Mapping[str, Faces]
    answers: Mapping[str, int]
    asked: Mapping[str, int]
    rest: Hashable


class Worlds:
    """Every world of some runs that begin in one state, each once."""

    def __init__(self, first: State, dependable: frozenset[str]) -> None:
        self._first = first
        self._dependable = dependable
        self._units = {unit.id for unit in first.units}
        self._known: dict[Hashable, World] = {}
        self._seen: dict[tuple[int, frozenset[str]], Hashable] = {}

    def of(
        self,
        state: State,
        given: Mapping[str, int],
        dice: Mapping[str, Faces],
        answers: Mapping[str, int],
        asked: Mapping[str, int],
    ) -> World:
        """Return the world with these parts."""
        about = {name.partition("#")[0] for name in answers}
        counted = {name: often for name, often in asked.items() if name in about}
        left = {name: faces for name, faces in dice.items() if faces}
        said = (_items(left), _items(answers), _items(counted))
        rest = (said, tuple(self._changed(state)))
        key = (rest, _items(state.spent), _items(given))
        found = self._known.get(key)
        if found is None:
            parts = (state, dict(given), left, answers, counted, rest)
            found = self._known[key] = World(len(self._known), *parts)
        return found

    def _changed(self, state: State) -> list[Hashable]:
        """Return what a run may have changed of a state besides what is spent."""
        if state is self._first:
            return []
        return [
            _plain(getattr(state, one.name))
            for one in fields(State)
            if one.compare and one.name != "spent"
            if getattr(state, one.name) != getattr(self._first, one.name)
            or one.name in ("conditions", "cooling")
        ]

    def seen(self, world: World, figures: frozenset[str]) -> Hashable:
        """Return all of a world that matters to whoever reads only these figures."""
        key = (world.number, figures)
        found = self._seen.get(key)
        if found is None:
            needed = figures | self._dependable
            spent = (
                (place, amount)
                for place, amount in world.state.spent.items()
                if place[1] in needed or place[0] not in self._units
            )
            given = ((name, amount) for name, amount in world.given.items() if name in needed)
            found = self._seen[key] = (frozenset(spent), frozenset(given), world.rest)
        return found


def _items(parts: Mapping[Any, Hashable]) -> Hashable:
    return frozenset(parts.items())


def _plain(part: object) -> Hashable:
    """Return something that tells a part of a state from others; entities by their ids."""
    if isinstance(part, tuple):
        return tuple(map(_plain, part))
    if hasattr(part, "entity"):
        return tuple(
            getattr(part, one.name).id if one.name == "entity" else getattr(part, one.name)
            for one in fields(part)  # type: ignore[arg-type]
        )
    return repr(part)
