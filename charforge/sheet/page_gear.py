"""Worn gear on a page to play from: the values with everything that can be worn together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from charforge.character import worn
from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import RuleRefusal
from charforge.sheet import values
from charforge.sheet.view import tracker_key

MOST_ITEMS = 8  # so many have 256 combinations

# The text of each value that differs, by its id, for each combination of worn items.
WornValues = Mapping[str, Mapping[str, str]]


def worn_key(holding: Holding) -> str:
    """Return the key of the tracker of an item that can be worn."""
    return tracker_key(holding.id, "worn")


def wearable(state: State, unit: str) -> Iterator[tuple[Holding, int]]:
    """Yield what a unit can wear, and how many pieces of it; pieces in hand cannot be worn."""
    for holding in state.holdings:
        pieces = holding.quantity - state.in_hand.get(holding.id, 0)
        if state.bearer(holding) == unit and pieces > 0 and worn.wear_places(state, holding):
            yield holding, pieces


def limits(state: State, holding: Holding) -> tuple[tuple[str, int], ...]:
    """Return label and limit of each limited place of an item."""
    places = worn.wear_places(state, holding)
    most = ((place.label, place.at_most) for place in places)
    values = state.values(holding.unit)
    return tuple((label, values.evaluate(limit)) for label, limit in most if limit is not None)


def worn_values(state: State) -> WornValues:
    """Return the values on the sheet for every combination of what the character can wear.

    The key of a combination are the keys of its trackers, sorted and joined. Empty if what is worn
    changes no value, or if there are too many combinations.
    """
    items = [holding for holding, pieces in wearable(state, CHARACTER) if pieces == 1]
    pieces = sum(state.worn.values())
    if not items or len(items) > MOST_ITEMS or pieces != sum(map(state.pieces_worn, items)):
        return {}
    found = {}
    for number in range(len(items) + 1):
        for chosen in combinations(items, number):
            trial = _wearing(state, chosen)
            if trial is not None:
                found["|".join(sorted(map(worn_key, chosen)))] = _texts(trial)
    first = next(iter(found.values()))
    different = {name for name in first if len({texts[name] for texts in found.values()}) > 1}
    return {
        key: {name: texts[name] for name in first if name in different}
        for key, texts in (found.items() if different else ())
    }


def _wearing(state: State, items: Iterable[Holding]) -> State | None:
    """Return the state with these items worn and no others; None if that is impossible."""
    state = state.with_changes(worn={})
    try:
        for holding in items:
            state = worn.wear(state, holding)
    except RuleRefusal:
        return None
    return state


def _texts(state: State) -> dict[str, str]:
    """Return the figures and attributes of the character as the sheet prints them, by id."""
    numbers = state.values()
    texts = {score.id: score.printed(score.total) for score in values.attributes(numbers, ())}
    return texts | {fact.value: fact.text for fact in values.figures(numbers) if fact.value}
