"""Costs of abilities: what a use takes from resources and items, with discounts, and paying it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from charforge.character import state_changes
from charforge.character.modifiers import local_formulas
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import State
from charforge.character.state_changes import limit_of_entity
from charforge.expressions.formula import SHARED, Formula
from charforge.expressions.template import number_text, signed_number
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT
from charforge.procedures import run
from charforge.procedures.abilities import Ability, spared_resources
from charforge.procedures.context import StepMessage
from charforge.rules.models import Capacity

NO_INPUTS: Mapping[str, Any] = MappingProxyType({})


def unmet_for_use(state: State, ability: Ability, assume_trained: bool = False) -> tuple[str, ...]:
    """Return the unmet requirements of a use, those that a price can replace among them."""
    applicant = Applicant(
        state, ability.unit, ability.entity, ability.source, assume_trained=assume_trained
    )
    return tuple(unmet_requirements(ability.definition.requires, applicant))


def untrained_price(
    state: State, ability: Ability, inputs: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    """Yield the price of a use without Training, by resource; it may depend on inputs."""
    wanted = state.ruleset.head.play.untrained_inputs
    for name, amount in state.ruleset.head.play.untrained.items():
        yield name, run.condition_value(state, ability.unit, amount, wanted, inputs)


def present_amounts(
    state: State, ability: Ability, untrained: bool, inputs: Mapping[str, Any], spared: bool
) -> Iterator[tuple[str, int]]:
    """Yield the cost of a use, by resource or capacity, with the discounts that apply now."""
    for name, amount in _full_costs(state, ability, untrained, inputs, spared):
        yield name, amount - _discount(state, ability, name, amount)


def present_costs(state: State, ability: Ability) -> Iterator[tuple[str, int, int | None]]:
    """Yield what a use costs now: name and amount, and how much an item's capacity has left."""
    for name, amount in present_amounts(
        state, ability, untrained=False, inputs=NO_INPUTS, spared=True
    ):
        if amount:
            stored = _capacity(ability, name) is not None
            left = available_amount(state, ability, name) if stored else None
            yield resource_noun(state, ability, name, amount), amount, left


def _full_costs(
    state: State, ability: Ability, untrained: bool, inputs: Mapping[str, Any], spared: bool
) -> Iterator[tuple[str, int]]:
    """Yield the cost of a use without discounts, by resource or capacity.

    ``untrained`` adds the price of a use without Training where that is missing;
    with ``spared`` it lacks the ``spared_resources``.
    """
    total: dict[str, int] = {}
    costs = {} if _is_free(state, ability, inputs) else ability.definition.cost
    not_paid = spared_resources(state, ability) if spared else frozenset()
    for name, amount in costs.items():
        if name in not_paid:
            continue
        if isinstance(amount, Formula):
            local = amount.with_variables(local_formulas(state, ability.holding))
            amount = state.values(ability.unit).evaluate_now(local)
        total[name] = total.get(name, 0) + amount
    if untrained and unmet_for_use(state, ability):
        for name, amount in untrained_price(state, ability, inputs):
            total[name] = total.get(name, 0) + amount
    yield from total.items()


def _discount(state: State, ability: Ability, resource: str, amount: int) -> int:
    """Return by how much a cost in a resource is lower now."""
    discount = state.ruleset.head.play.discounts.get(resource)
    if discount is None or _capacity(ability, resource) is not None:
        return 0
    return min(max(state.values(ability.unit).evaluate_now(discount.less), 0), amount)


def _is_free(state: State, ability: Ability, inputs: Mapping[str, Any]) -> bool:
    """Return whether an action costs nothing this time."""
    action = ability.action
    if action is None or action.free is None:
        return False
    free = action.free.with_variables(local_formulas(state, ability.holding))
    return run.condition_holds(state, ability.unit, free, action.inputs, inputs)


def _capacity(ability: Ability, name: str) -> Capacity | None:
    """Return the capacity of an ability's item with an id, such as ``ammo``."""
    return next((c for c in ability.entity.capacities if c.id == name), None)


def available_amount(state: State, ability: Ability, name: str) -> int | None:
    """Return how much of a resource or capacity there is; None if nothing here has it.

    Of what the group owns there is any amount as long as no file of that is known.
    """
    if name.startswith(SHARED):
        return LARGEST_AMOUNT if state.shared is None else state.shared_figure(name)
    capacity = _capacity(ability, name)
    if capacity is not None:
        if ability.holding is None:
            return None
        return state_changes.capacity_left(state, ability.holding, capacity)
    bearer = state.unit(ability.unit)
    known = name in bearer.type.values or bearer.owner is not None
    return state.values(ability.unit).read(name) if known else None


def _resource_label(state: State, ability: Ability, name: str) -> str:
    capacity = _capacity(ability, name)
    if capacity is not None:
        return capacity.label
    return state.ruleset.label_of(name)


def resource_noun(state: State, ability: Ability, name: str, amount: int) -> str:
    """Return the name of a resource after an amount of it."""
    capacity = _capacity(ability, name)
    if capacity is not None:
        return capacity.noun(amount)
    return state.ruleset.value_noun(name, amount)


def pay(
    state: State, ability: Ability, untrained: bool, inputs: Mapping[str, Any], spared: bool
) -> tuple[State, list[StepMessage]]:
    """Return the state after the cost was paid, and a message for each resource."""
    messages: list[StepMessage] = []
    for name, full in list(_full_costs(state, ability, untrained, inputs, spared)):
        less = _discount(state, ability, name, full)
        if less:
            state, message = _use_discount(state, ability, name, less)
            messages.append(message)
        amount = full - less
        if not amount:
            continue
        capacity = _capacity(ability, name)
        if capacity is not None and ability.holding is not None:
            state, _real = state_changes.change_capacity(state, ability.holding, capacity, -amount)
            left = state_changes.capacity_left(state, ability.holding, capacity)
        else:
            state, _real = state_changes.change_resource(state, ability.unit, name, -amount)
            left = state.values(ability.unit).read(name)
        label = _resource_label(state, ability, name)
        text = (
            state_changes.unshared_text(state, name, -amount)
            if name.startswith(SHARED) and state.shared is None
            else f"{label} {signed_number(-amount)} → {number_text(left)}"
        )
        messages.append(StepMessage("cost", text, ability.entity.id, name, -amount))
    return state, messages


def _use_discount(
    state: State, ability: Ability, resource: str, less: int
) -> tuple[State, StepMessage]:
    """Return the state after a discount was used, and its message."""
    entity = state.ruleset.entity(state.ruleset.head.play.discounts[resource].uses_of)
    state = limit_of_entity(state, ability.unit, entity.id).count(state)
    return state, StepMessage(
        "cost", _("{name}: {less} less").format(name=entity.name, less=less), entity.id
    )


def state_after_cost(state: State, ability: Ability) -> State:
    """Return the state after the cost of an ability was paid, as far as it can be."""
    return pay(state, ability, False, NO_INPUTS, True)[0]
