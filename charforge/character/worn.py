"""Worn gear: what can be worn, how much of it together, putting it on and taking it off.

The ruleset's ``gear.wear`` has the places for worn gear. A piece is either worn, in hand, or
neither.
"""

from __future__ import annotations

from collections.abc import Iterator

from charforge.character.state import Holding, State
from charforge.errors import RuleRefusal
from charforge.language import _
from charforge.rules.models import WearSpec
from charforge.rules.ruleset import matches


def wear_places(state: State, holding: Holding) -> tuple[WearSpec, ...]:
    """Return the places of an item when it is worn; none if it cannot be worn."""
    gear, values = state.ruleset.head.gear, state.values(holding.unit)
    if holding.entity.kind not in gear.kinds or state.is_attached(holding):
        return ()
    return tuple(place for place in gear.wear if matches(place.among, holding.entity, values))


def worn_at(state: State, place: WearSpec) -> tuple[Holding, ...]:
    """Return the items worn at a place, each as often as it is worn."""
    worn = (h for h in state.holdings for _piece in range(state.pieces_worn(h)))
    return tuple(holding for holding in worn if place in wear_places(state, holding))


def reasons_not_to_wear(state: State, holding: Holding) -> Iterator[str]:
    """Yield the reasons why one more piece of a holding cannot be worn."""
    places = wear_places(state, holding)
    if not places:
        yield _("{name} cannot be worn").format(name=holding.name)
        return
    in_hand, worn = state.in_hand.get(holding.id, 0), state.pieces_worn(holding)
    if in_hand + worn >= holding.quantity:
        text = (
            _("{name} is in your hand: stow it first") if in_hand else _("you already wear {name}")
        )
        yield text.format(name=holding.name)
        return
    for place in places:
        others = worn_at(state, place)
        if place.at_most is not None and len(others) >= _most(state, holding, place):
            names = ", ".join(other.name for other in others) or _("nothing")
            yield _("{place}: you wear {names}; take that off first").format(
                place=place.label, names=names
            )


def _most(state: State, holding: Holding, place: WearSpec) -> int:
    at_most = place.at_most
    return len(state.holdings) if at_most is None else state.values(holding.unit).evaluate(at_most)


def wear(state: State, holding: Holding) -> State:
    """Return the state with one more piece worn. Raises RuleRefusal if that is impossible."""
    reasons = list(reasons_not_to_wear(state, holding))
    if reasons:
        raise RuleRefusal("; ".join(reasons))
    return _with_worn(state, holding, state.pieces_worn(holding) + 1)


def take_off(state: State, holding: Holding) -> State:
    """Return the state with one piece taken off. Raises RuleRefusal if none is worn."""
    number = state.pieces_worn(holding)
    if not number:
        raise RuleRefusal(_("you do not wear {name}").format(name=holding.name))
    return _with_worn(state, holding, number - 1)


def wear_at_once(state: State, holding: Holding) -> State:
    """Return the state with a new item put on, if the rules say so and there is room."""
    at_once = any(place.at_once for place in wear_places(state, holding))
    if not at_once or any(reasons_not_to_wear(state, holding)):
        return state
    return _with_worn(state, holding, 1)


def _with_worn(state: State, holding: Holding, number: int) -> State:
    others = {name: count for name, count in state.worn.items() if name != holding.id}
    return state.with_changes(worn={**others, holding.id: number} if number else others)
