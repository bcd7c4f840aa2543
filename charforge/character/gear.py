"""Gear: prices and money, what is in hand and what is worn, limits such as the weight carried.

The ruleset's ``gear`` names the kinds that are gear, the value that is money, the number of hands,
how many of them a piece takes, and the places for worn gear. A piece is either worn, in hand, or
neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.errors import RuleRefusal
from charforge.expressions.formula import FunctionScope
from charforge.language import _, ngettext
from charforge.rules.models import Entity, Lifting, Limit, WearSpec
from charforge.rules.ruleset import figure, matches


def money(state: State) -> int | None:
    """Return how much money the character has; None where the ruleset has none."""
    name = state.ruleset.head.gear.money
    return None if name is None else state.values().base(name)


def price(state: State, entity: Entity, holding: str = "") -> int | None:
    """Return the price of one piece: the entity's, or that of an option chosen for it.

    None if the rules print no price. ``holding`` is the id of the holding, if
    it is owned already.
    """
    if entity.price is not None:
        return entity.price
    for choice in entity.choices:
        answer = state.answers.get(f"{holding}.{choice.id}")
        for option in choice.listed_options:
            if option.price is not None and option.id == answer:
                return int(option.price)
    return None


def owned_gear(state: State, unit_id: str | None = None) -> Iterator[Holding]:
    """Yield the holdings that are gear: of one unit, or of all with None."""
    kinds = state.ruleset.head.gear.kinds
    for holding in state.holdings:
        if holding.entity.kind in kinds and unit_id in (None, holding.unit):
            yield holding


# ------------------------------------------------------------------ in hand


def hand_count(state: State) -> int:
    """Return how many hands the character has."""
    return state.values().evaluate(state.ruleset.head.gear.hands)


def hands_needed(state: State, holding: Holding) -> int:
    """Return how many hands one piece of an item needs; attached items need none.

    An option chosen for the item counts as a flag of that name: a shield
    that is ``two-handed`` by choice is ``two_handed``.
    """
    if state.is_attached(holding):
        return 0
    options = [chosen.option for chosen in state.chosen_options if chosen.holding == holding.id]
    flags = {option.id.replace("-", "_") for option in options}
    return state.ruleset.head.gear.takes.evaluate(
        FunctionScope(lambda name: figure(holding.entity, name) or int(name in flags))
    )


def free_hands(state: State) -> int:
    """Return the number of hands that neither hold something nor are taken by what is worn."""
    items = ((state.holding(name), number) for name, number in state.in_hand.items())
    used = sum(hands_needed(state, item) * number for item, number in items if item is not None)
    worn = sum(place.hands * len(worn_at(state, place)) for place in _places_with_hands(state))
    return hand_count(state) - used - worn


def _places_with_hands(state: State) -> tuple[WearSpec, ...]:
    return tuple(place for place in state.ruleset.head.gear.wear if place.hands)


def needs_hands(holding: Holding, needed: int, free: int) -> str:
    """Return the reason why an item cannot be held or worn: too few hands are free."""
    text = ngettext(
        "{name} needs {count} hand; you have {free} free",
        "{name} needs {count} hands; you have {free} free",
        needed,
    )
    return text.format(name=holding.name, count=needed, free=free)


def too_heavy(state: State, holding: Holding) -> tuple[Lifting, int] | None:
    """Return the lifting rule and an item's weight if it is too heavy for the character."""
    lifting = state.ruleset.head.gear.lifting
    if lifting is None or state.is_attached(holding):
        return None
    weight = figure(holding.entity, lifting.needs)
    exempt_if_trained = bool(lifting.spared and holding.entity.own.get(lifting.spared))
    if not weight or (exempt_if_trained and state.trained(holding.entity, holding.id)):
        return None
    return (lifting, weight) if state.values().total(lifting.value) < weight else None


def reasons_not_to_hold(state: State, holding: Holding) -> Iterator[str]:
    """Yield the reasons why one more piece of a holding cannot be taken in hand."""
    if holding.entity.kind not in state.ruleset.head.gear.kinds:
        yield _("{name} cannot be held").format(name=holding.name)
        return
    if state.is_attached(holding):
        yield _("{name} is attached to your body and needs no hand").format(name=holding.name)
        return
    in_hand = state.in_hand.get(holding.id, 0)
    if in_hand < holding.quantity <= in_hand + state.pieces_worn(holding):
        yield _("you wear {name}: take it off first").format(name=holding.name)
        return
    if in_hand >= holding.quantity:
        yield _("you are already holding {name}").format(name=holding.name)
        return
    needed, free = hands_needed(state, holding), free_hands(state)
    if needed > free:
        yield needs_hands(holding, needed, free)


def hold(state: State, holding: Holding) -> State:
    """Return the state with one more piece in hand. Raises RuleRefusal if that is impossible."""
    reasons = list(reasons_not_to_hold(state, holding))
    if reasons:
        raise RuleRefusal("; ".join(reasons), _("Stow something first."))
    number = state.in_hand.get(holding.id, 0) + 1
    return state.with_changes(in_hand={**state.in_hand, holding.id: number})


def stow(state: State, holding: Holding) -> State:
    """Return the state with one piece put away. Raises RuleRefusal if none is in hand."""
    number = state.in_hand.get(holding.id, 0)
    if not number:
        raise RuleRefusal(_("you are not holding {name}").format(name=holding.name))
    in_hand = {name: count for name, count in state.in_hand.items() if name != holding.id}
    if number > 1:
        in_hand[holding.id] = number - 1
    return state.with_changes(in_hand=in_hand)


def hold_ready(state: State) -> State:
    """Return the state with the first item in hand that a new character has ready, if any."""
    among = state.ruleset.head.gear.ready
    if among is None:
        return state
    values = state.values()
    for holding in owned_gear(state, CHARACTER):
        fits = matches(among, holding.entity, values) and too_heavy(state, holding) is None
        if fits and not any(reasons_not_to_hold(state, holding)):
            return hold(state, holding)
    return state


# ------------------------------------------------------------------ worn


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
    head, places = state.ruleset.head, wear_places(state, holding)
    if not head.gear.wear:
        yield _("in {game} nothing depends on what you wear, so it is not tracked").format(
            game=head.name
        )
        return
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
    needed = sum(place.hands for place in places)
    if needed and needed > (free := free_hands(state)):
        yield needs_hands(holding, needed, free)


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


# ------------------------------------------------------------------ limits


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
