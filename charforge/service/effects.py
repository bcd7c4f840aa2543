"""What a play event came to, in words: its dice, and what it changed."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.answers import words
from charforge.dice import Dice
from charforge.document.events import Played, Used
from charforge.engine import procedures, use
from charforge.engine.happen import Recorded
from charforge.engine.state import CHARACTER, Condition, State
from charforge.errors import CharforgeError


class _Labelled(Recorded):
    """The dice of a run given back, and what each roll was for."""

    def __init__(self, event: Played | Used) -> None:
        super().__init__(event.faces)
        self.rolls: list[str] = []

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        faces = super().__call__(name, dice, label)
        self.rolls.append(f"{label or name} {dice.said(faces)}")
        return faces


def rolls(state: State, event: Played | Used) -> list[str]:
    """Return the dice of an event with what they were rolled for, as its rules name them.

    Where it cannot be run again, its rolls have their ids.
    """
    labelled = _Labelled(event)
    try:
        if isinstance(event, Played):
            procedure = state.ruleset.procedure(event.procedure)
            procedures.run(state, procedure, event.inputs, labelled, event.unit)
        else:
            ability = use.find(state, event.unit, event.holding, event.ability)
            if ability is None:
                raise LookupError
            use.use(state, ability, event.inputs, labelled, untrained=event.untrained)
    except (CharforgeError, LookupError, StopIteration):
        return [f"{name} {words.faces(one)}" for name, each in event.faces.items() for one in each]
    return labelled.rolls


def effects(before: State, after: State, unit: str) -> Iterator[str]:
    """Yield what was changed: resources and conditions; of others than ``unit`` with their name."""
    for owner, name in dict.fromkeys([*after.spent, *before.spent]):
        change = after.spent.get((owner, name), 0) - before.spent.get((owner, name), 0)
        if change:
            whose = _owner(after, owner, unit)
            yield f"{whose}{_resource(after, owner, name)} {words.signed(change)}"
    was = {_condition(one): one for one in before.conditions}
    now = {_condition(one): one for one in after.conditions}
    for key, one in now.items():
        if key not in was:
            yield _owner(after, one.unit, unit) + key[1]
    for key, one in was.items():
        if key not in now:
            yield f"{_owner(after, one.unit, unit)}{key[1]} ends"


def _condition(one: Condition) -> tuple[str, str]:
    amount = f" {one.amount}" if one.amount != 1 else ""
    about = f" ({one.about})" if one.about else ""
    return one.unit, f"{one.entity.name}{amount}{about}"


def _owner(state: State, name: str, unit: str) -> str:
    if name in (unit, CHARACTER):
        return ""
    found = next((one for one in state.units if one.id == name), None)
    holding = state.holding(name)
    return f"{found.name if found else holding.name if holding else name}: "


def _resource(state: State, owner: str, name: str) -> str:
    holding = state.holding(owner)
    for capacity in holding.entity.capacities if holding else ():
        if capacity.id == name:
            return capacity.label
    known = state.ruleset.values.get(name)
    return known.label if known else name
