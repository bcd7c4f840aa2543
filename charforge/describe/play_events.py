"""What a play event came to, in words: its dice, and what it changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from charforge.character.events import AbilityEvent, ProcedureEvent
from charforge.character.state import CHARACTER, State
from charforge.errors import CharforgeError
from charforge.expressions.dice import Dice, faces_text
from charforge.expressions.template import signed_number
from charforge.procedures import abilities, run
from charforge.replay.events import RecordedDice


class _Labelled(RecordedDice):
    """The dice of a run given back, and what each roll was for."""

    def __init__(self, event: ProcedureEvent | AbilityEvent) -> None:
        super().__init__(event.faces)
        self.rolls: list[str] = []

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        faces = super().__call__(name, dice, label)
        self.rolls.append(f"{label or name} {dice.describe(faces)}")
        return faces


def roll_texts(state: State, event: ProcedureEvent | AbilityEvent) -> list[str]:
    """Return the dice of an event with what they were rolled for, as its rules name them.

    Where it cannot be run again, its rolls have their ids.
    """
    labelled = _Labelled(event)
    try:
        if isinstance(event, ProcedureEvent):
            procedure = state.ruleset.procedure(event.procedure)
            run.run_procedure(state, procedure, event.inputs, labelled, event.unit)
        else:
            ability = abilities.ability_of(state, event.unit, event.holding, event.ability)
            if ability is None:
                raise LookupError
            abilities.use_ability(state, ability, event.inputs, labelled, untrained=event.untrained)
    except (CharforgeError, LookupError, StopIteration):
        return [f"{name} {faces_text(one)}" for name, each in event.faces.items() for one in each]
    return labelled.rolls


def change_texts(before: State, after: State, unit: str) -> Iterator[str]:
    """Yield what was changed: resources and conditions; of others than ``unit`` with their name."""
    for owner, name in dict.fromkeys([*after.resource_changes, *before.resource_changes]):
        change = after.resource_changes.get((owner, name), 0) - before.resource_changes.get(
            (owner, name), 0
        )
        if change:
            whose = _owner(after, owner, unit)
            yield f"{whose}{_resource(after, owner, name)} {signed_number(change)}"
    yield from condition_texts(before, after, unit)


def condition_texts(before: State, after: State, unit: str) -> Iterator[str]:
    """Yield the conditions that began, ended or count otherwise: ``now Prone``, ``Focus 2 → 1``."""
    was, is_now = _counted(before), _counted(after)
    for key in dict.fromkeys([*is_now, *was]):
        old, new = was.get(key), is_now.get(key)
        bearer, name, counts = key
        if old == new or not (counts or None in (old, new)):
            continue
        told = (
            f"{name} {old or 0} → {new or 0}"
            if counts and new
            else condition_text(new is None, name)
        )
        yield _owner(after, bearer, unit) + told


def condition_text(off: bool, name: str) -> str:
    """Say that a condition begins, or that it is ``off``."""
    return f"{'no longer' if off else 'now'} {name}"


def _counted(state: State) -> Counter[tuple[str, str, bool]]:
    """Return how much of each condition each unit has, and whether that is counted."""
    found: Counter[tuple[str, str, bool]] = Counter()
    for one in state.conditions:
        about = f" ({one.about})" if one.about else ""
        spec = one.entity.condition
        found[one.unit, one.entity.name + about, spec is not None and spec.counts] += one.amount
    return found


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
