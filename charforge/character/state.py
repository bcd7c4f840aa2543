"""The state of a character at one moment: calculated by replay, never changed or saved."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from charforge.character.modifiers import UnitModifiers
from charforge.character.state_data import (
    CHARACTER,
    ChosenOption,
    Condition,
    Conditions,
    FixedModifier,
    Holding,
    Holdings,
    StateData,
    Unit,
    UseCount,
)
from charforge.character.values import Values
from charforge.errors import UnknownId
from charforge.language import _
from charforge.rules.names import ambiguous_name, name_matches

__all__ = [
    "CHARACTER",
    "ChosenOption",
    "Condition",
    "FixedModifier",
    "Holding",
    "State",
    "Unit",
    "UseCount",
    "find_unit",
    "units_named",
]


NOT_MODIFYING = {"resource_changes", "cooldowns", "uses"}  # fields that no modifier reads
CONDITIONS = "conditions"  # of which modifiers read only those that modify values


@dataclass(frozen=True)
class State(StateData):
    """The data of a character at one moment, with calculated values and conditions."""

    _values: dict[str, Values] = field(default_factory=dict, init=False, repr=False, compare=False)
    _modifiers: dict[str, UnitModifiers] = field(default_factory=dict, repr=False, compare=False)

    def with_changes(self, **fields: Any) -> State:
        """Return a copy of this state with some fields changed.

        It shares the modifiers of its units unless a change can affect them.
        """
        if not fields.keys() <= NOT_MODIFYING | {CONDITIONS} or (
            CONDITIONS in fields and self._modifying() != self._modifying(fields[CONDITIONS])
        ):
            fields["_modifiers"] = {}
        if "holdings" in fields:
            fields["holdings"] = Holdings(fields["holdings"])
        return dataclasses.replace(self, **fields)

    def _modifying(self, conditions: Conditions | None = None) -> list[Condition]:
        """Return the conditions, its own or others, that modify values of its units."""
        conditions = self.conditions if conditions is None else conditions
        return [condition for unit in self.units for condition in conditions.modifying(unit.id)]

    def values(self, unit_id: str = CHARACTER) -> Values:
        """Return the values of a unit."""
        values = self._values.get(unit_id)
        if values is None:
            record = self.unit(unit_id)
            owner = None if record.owner is None else self.values(record.owner)
            modifiers = self._modifiers.setdefault(unit_id, UnitModifiers(self, record))
            values = self._values[unit_id] = Values(self, record, modifiers, owner)
        return values

    def active_conditions(
        self, unit_id: str, among: Container[str] | None = None
    ) -> Iterator[Condition]:
        """Yield the conditions put on a unit, then those that follow from its values.

        ``among`` limits them to some entity ids.
        """
        for _number, condition in self.conditions.numbered_of(unit_id):
            if among is None or condition.entity.id in among:
                yield condition
        values = self.values(unit_id)
        for entity in self.ruleset.derived_conditions:
            if among is not None and entity.id not in among:
                continue
            if values.applies(entity) and not self.condition_amount(unit_id, entity.id):
                yield Condition(entity, unit_id, derived=True)

    def out_of_play(self, unit_id: str = CHARACTER) -> Condition | None:
        """Return the condition that ended play for a unit for good (death), or None."""
        for condition in self.active_conditions(unit_id):
            if condition.entity.condition is not None and condition.entity.condition.ends:
                return condition
        return None


def find_unit(state: State, name: str | None) -> Unit:
    """Return the unit with an id or a name, its own or its entity's; the character for None.

    Case does not matter, and the beginnings of words are enough. Raises UnknownId, or
    AmbiguousName.
    """
    if name is None:
        return state.units[0]
    units = [unit for unit in state.units if unit.id == name.strip()]
    units = units or name_matches(state.units, name, _unit_names)
    if not units:
        known = dict.fromkeys(word for unit in state.units for word in _unit_names(unit))
        names = [unit.name for unit in state.units]
        listed = (u.name if names.count(u.name) == 1 and u.name else u.id for u in state.units)
        raise UnknownId(_("unit of this character"), name, known, listed)
    if len(units) > 1:
        raise ambiguous_name(name, ((unit.title, unit.id) for unit in units))
    return units[0]


def _unit_names(unit: Unit) -> Iterator[str]:
    yield unit.id
    if unit.name:
        yield unit.name
    if unit.entity is not None:
        yield from unit.entity.names


def units_named(state: State, name: str | None) -> Sequence[Unit]:
    """Return the unit with an id or a name, as ``find_unit`` does; all units for None."""
    return state.units if name is None else (find_unit(state, name),)
