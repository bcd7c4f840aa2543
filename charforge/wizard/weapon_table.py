"""Weapons in lists: a row of a table with roll, damage of a hit, range and properties."""

from __future__ import annotations

from collections.abc import Iterable

from charforge.character.state import CHARACTER, State
from charforge.describe.entities import NOT_CHOSEN, HeldEntity, short_facts
from charforge.expressions.template import NO_BREAK
from charforge.language import _
from charforge.rules.models import Entity
from charforge.sheet import attacks

Cells = tuple[tuple[str, str], ...]


def weapon_cells(state: State, entity: Entity, unit: str = CHARACTER, holding: str = "") -> Cells:
    """Return the row of a weapon, with the figures that a unit would have with it.

    The columns that matter most come first: a narrow screen has no room for the others.

    Empty for anything else, and for a weapon whose figures are answers to its own choices.
    """
    is_unit = state.ruleset.kinds[entity.kind].unit is not None
    if not entity.attacks or is_unit or (entity.own_numbers and not holding):
        return ()
    held = HeldEntity(state, entity, unit, holding)
    weapon = attacks.weapon(held, (), ())
    if weapon is None:
        return ()
    modes = weapon.attacks
    shared = weapon.shared
    properties = [*(fact for fact in short_facts(entity, state.ruleset)[1:]), *shared.extras]
    types = shared.types if shared.types != _(NOT_CHOSEN) else ""
    cells = (
        (_("Roll"), _joined(mode.roll for mode in modes)),
        (_("Damage"), f"{_joined(mode.damage for mode in modes)} {types}".strip()),
        (_("Range"), _joined(mode.range for mode in modes)),
        (_("Properties"), ", ".join(properties)),
    )
    return tuple((title, text.replace(NO_BREAK, " ")) for title, text in cells)


def _joined(texts: Iterable[str]) -> str:
    """Return the different texts of the modes of a weapon."""
    return " / ".join(dict.fromkeys(filter(None, texts)))
