"""Naming units and entries of lists, and the error of a name that means several things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from charforge.errors import AmbiguousName, UnknownId, shorten
from charforge.language import _
from charforge.rules.names import name_matches

if TYPE_CHECKING:  # the terminal starts quickly without the rules
    from charforge.character.state import State, Unit
    from charforge.rules.models import Entity

Named = TypeVar("Named")
MOST_DIGITS = 9  # of a number that is looked up in a list


def find_unit(state: State, name: str | None) -> Unit:
    """Return the unit with an id or a name, its own or its entity's; the character for None.

    The beginnings of its words are enough.

    Case does not matter. Raises UnknownId, or AmbiguousName.
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


def numbered(typed: str, listed: Sequence[Named]) -> Named | None:
    """Return the entry of a numbered list with the number that was typed, from 1 on."""
    known = typed.isdecimal() and len(typed) <= MOST_DIGITS
    return listed[int(typed) - 1] if known and 0 < int(typed) <= len(listed) else None


def ambiguous_name(name: str, ways: Iterable[tuple[str, str]]) -> AmbiguousName:
    """Return the error of a name that means several things: ``ways`` has their labels and ids."""
    return AmbiguousName(
        _("{name} matches several").format(name=shorten(name)),
        name,
        ((label, (id_,)) for label, id_ in ways),
    )


def _unit_names(unit: Unit) -> Iterator[str]:
    yield unit.id
    if unit.name:
        yield unit.name
    if unit.entity is not None:
        yield from entity_names(unit.entity)


def entity_names(entity: Entity) -> Iterator[str]:
    """Yield the id, names and aliases of an entity."""
    yield from (entity.id, entity.slug, entity.name, *entity.aliases)
