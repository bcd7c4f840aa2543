"""Current conditions and spent resources, and which of them affect a result."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from charforge.character.state import CHARACTER, State
from charforge.character.state_changes import remove_condition
from charforge.language import _
from charforge.rules.models import Entity


@dataclass(frozen=True)
class Circumstance:
    """A condition of a unit, or a resource of it that is not what it starts with.

    ``id`` is that of the condition or the value; ``label`` is it in words: ``Prone``, ``HP 12``,
    ``Drone: HP 3``.
    """

    id: str
    label: str
    unit: str
    entity: Entity | None = None

    def removed_from(self, state: State) -> State:
        """Return a state without it: the condition gone, the resource as it starts."""
        if self.entity is not None:
            return remove_condition(state, self.unit, self.entity)[0]
        key = (self.unit, self.id)
        changes = {k: by for k, by in state.resource_changes.items() if k != key}
        return state.with_changes(resource_changes=changes)


def circumstances(
    state: State, units: Collection[str] = (CHARACTER,), left_out: Collection[str] = ()
) -> Iterator[Circumstance]:
    """Yield the circumstances of some units, without those whose ids are ``left_out``.

    What only remembers what happened is left out, too: players never read of it.
    """
    for one in state.conditions:
        if one.unit in units and not one.hidden and one.entity.id not in left_out:
            label = _of_unit(state, one.unit, one.label)
            yield Circumstance(one.entity.id, label, one.unit, one.entity)
    for unit, name in state.resource_changes:
        if unit in units and name in state.values(unit) and name not in left_out:
            values = state.values(unit)
            amount = values.figure_text(name, values.base(name))
            label = _of_unit(state, unit, f"{state.ruleset.values[name].label} {amount}")
            yield Circumstance(name, label, unit)


def _of_unit(state: State, unit_id: str, label: str) -> str:
    """Return a label, with the name of its unit if that is not the character."""
    return label if unit_id == CHARACTER else f"{state.unit(unit_id).name}: {label}"


def counted_text(labels: Iterable[str]) -> str:
    """Return the sentence that lists the circumstances that count; empty without any."""
    names = ", ".join(labels)
    return _("Counted: {names}.").format(names=names) if names else ""
