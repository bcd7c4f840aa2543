"""Finding the ability that a player names among all that a unit can use."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from charforge.engine import use
from charforge.engine.state import State
from charforge.engine.use import Ability
from charforge.errors import UnknownId, UsageError


def find_ability(state: State, unit: str, named: str, action: str | None = None) -> Ability:
    """Return the ability meant by a name: of its entity or its own, or a part that only it has.

    ``action`` picks one of several of an entity. Raises UnknownId where
    there is none, UsageError with all of them where there are several.
    """
    everything = list(use.abilities(state, unit))
    found = _narrowed(everything, named, _names)
    if action is not None:
        found = _narrowed(found, action, _own_names) if found else []
    if not found:
        known = dict.fromkeys(name for ability in everything for name in _shown(ability))
        raise UnknownId("ability here", named if action is None else f"{named}: {action}", known)
    active = [ability for ability in found if _does_something(ability)]
    if len(active or found) > 1:
        raise _several(named, active or found)
    return (active or found)[0]


def _narrowed(
    among: Iterable[Ability], named: str, names: Callable[[Ability], Iterable[str]]
) -> list[Ability]:
    """Return those with exactly this name, else those with it as a part of theirs."""
    wanted = named.strip().casefold()
    folded = [(ability, [name.casefold() for name in names(ability)]) for ability in among]
    exact = [ability for ability, known in folded if wanted in known]
    parts = [ability for ability, known in folded if any(wanted in name for name in known)]
    return exact or (parts if wanted else [])


def _names(ability: Ability) -> Iterable[str]:
    entity = ability.entity
    yield from (ability.source, entity.id, entity.slug, entity.name, ability.name)
    yield from entity.aliases
    yield from _own_names(ability)


def _own_names(ability: Ability) -> Iterable[str]:
    yield ability.key
    found = ability.action or ability.attack
    if found is not None and found.name:
        yield found.name


def _shown(ability: Ability) -> Iterable[str]:
    yield from (ability.entity.id, ability.name)


def _does_something(ability: Ability) -> bool:
    """Whether its use changes anything: what always holds needs none."""
    action = ability.action
    return action is None or bool(action.cost or action.cooldown or action.does or action.inputs)


def _several(named: str, found: list[Ability]) -> UsageError:
    """Return the error that says how each of several is named."""
    lines = []
    for ability in found:
        twins = [a for a in found if (a.entity, a.key) == (ability.entity, ability.key)]
        source = ability.source if len(twins) > 1 else ability.entity.id
        lines.append(f'\n  {ability.name}: {source} --action "{ability.key}"')
    return UsageError(f"{named!r} may mean several abilities:{''.join(lines)}")
