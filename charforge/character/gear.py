"""Gear: prices, money, removing pieces, and what a new character has ready.

The ruleset's ``gear`` names the kinds that are gear and the value that is money.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from charforge.character import state_changes
from charforge.character.holdings import remove_holding, total_capacity
from charforge.character.loadout import hold, reasons_not_to_hold, too_heavy
from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import RuleRefusal, UsageError
from charforge.language import _
from charforge.rules.models import Entity
from charforge.rules.ruleset import matches


def change_money(state: State, amount: int) -> State:
    """Return the state with ``amount`` more money; the result can be negative.

    Raises UsageError where the ruleset has no money.
    """
    money = state.ruleset.head.gear.money
    if not amount:
        return state
    if money is None:
        raise UsageError(_("{name} has no money").format(name=state.ruleset.head.name))
    return state_changes.change_resource(state, CHARACTER, money, amount)[0]


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


def remove_pieces(state: State, holding: Holding, quantity: int) -> State:
    """Return the state without some pieces of a holding; first those neither worn nor in hand.

    Raises RuleRefusal if there are fewer pieces.
    """
    if quantity > holding.quantity:
        raise RuleRefusal(
            _("you have {quantity} {name}, not {wanted}").format(
                quantity=holding.quantity, name=holding.name, wanted=quantity
            )
        )
    if quantity == holding.quantity:
        return remove_holding(state, holding)
    rest = holding._replace(quantity=holding.quantity - quantity)
    in_hand = min(state.in_hand.get(holding.id, 0), rest.quantity)
    on_body = min(state.pieces_worn(holding), rest.quantity - in_hand)
    state = state.with_changes(
        holdings=tuple(rest if other is holding else other for other in state.holdings),
        in_hand={**state.in_hand, holding.id: in_hand} if in_hand else state.in_hand,
        worn={**state.worn, holding.id: on_body} if on_body else _without(state.worn, holding.id),
    )
    return _limit_spent(state, rest)


def _without(pieces: Mapping[str, int], name: str) -> dict[str, int]:
    return {other: number for other, number in pieces.items() if other != name}


def _limit_spent(state: State, holding: Holding) -> State:
    """Return the state in which no more is spent of a holding than its pieces can carry."""
    spent = dict(state.resource_changes)
    for capacity in holding.entity.capacities:
        key = (holding.id, capacity.id)
        if key in spent:
            spent[key] = max(spent[key], -total_capacity(state, holding, capacity))
    return state.with_changes(resource_changes=spent)


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
