"""Find the ability that a player names among those of a unit."""

from __future__ import annotations

from collections.abc import Iterable

from charforge.character.state import State
from charforge.errors import AmbiguousName, RuleRefusal, UnknownId, UsageError
from charforge.expressions.dice import Dice
from charforge.procedures import abilities
from charforge.procedures.abilities import Ability
from charforge.usecases.lookup import exact_matches, name_matches


def find_ability(state: State, unit: str, named: str, action: str | None = None) -> Ability:
    """Return the ability with a name: its entity's, its own, or the first words of one.

    ``action`` selects one of several of an entity; without it attacks and
    abilities that can be used now are preferred. Raises UnknownId for none,
    AmbiguousName for several.
    """
    everything = list(abilities.all_abilities(state, unit))
    found = _meant(everything, named)
    if action is not None:
        found = exact_matches(found, action, lambda one: (one.key,)) or name_matches(
            found, action, _own_names
        )
    if not found:
        _refuse_others(state, unit, named)
        if action is None:
            _refuse_lasting(state, unit, named)
        known = dict.fromkeys(name for ability in everything for name in _shown(ability))
        wanted = named if action is None else f"{named}: {action}"
        listed = dict.fromkeys(ability.name for ability in everything)
        raise UnknownId("ability here", wanted, known, listed)
    found = [ability for ability in found if _does_something(ability)] or found
    if action is None and len({ability.source for ability in found}) == 1:
        found = [ability for ability in found if ability.attack is not None] or found
        found = [ability for ability in found if _usable(state, ability)] or found
    if action is None and len(found) > 1:  # of the ways of one weapon, the one without a name
        found = exact_matches(found, named, lambda one: (one.name,)) or found
    if len(found) > 1:
        raise _several(state, named, found)
    return found[0]


def ability_name(state: State, ability: Ability) -> str:
    """Return the name of an ability, with its timing or key if its bearer has several alike."""
    alike = [
        one
        for one in abilities.all_abilities(state, ability.unit)
        if (one.source, one.name) == (ability.source, ability.name)
    ]
    if len(alike) < 2:
        return ability.name
    timings = [one.action.timing for one in alike if one.action is not None]
    if ability.action is None or timings.count(ability.action.timing) > 1:
        return f"{ability.name} ({ability.key})"
    label = next(t.label for t in state.ruleset.head.timings if t.id == ability.action.timing)
    return f"{ability.name} ({label})"


def has_named(state: State, unit: str, named: str) -> bool:
    """Return whether a unit has an ability with exactly this name."""
    return bool(exact_matches(abilities.all_abilities(state, unit), named, _names))


def _refuse_others(state: State, unit: str, named: str) -> None:
    """Raise UsageError if another unit has the ability."""
    for other in state.units:
        if other.id != unit and _meant(abilities.all_abilities(state, other.id), named):
            whose = f"--unit {other.id}" if other.name else "no --unit"
            raise UsageError(f"{named!r} is another's", f"Say {whose}.")


def _refuse_lasting(state: State, unit: str, named: str) -> None:
    """Raise UsageError for a holding that has no action or attack."""
    held = name_matches(state.held(unit), named, lambda one: (one.id, one.entity.id, one.name))
    if held:
        raise UsageError(
            f"{held[0].name} has no action or attack to use",
            f"explain {held[0].entity.id} tells what it does.",
        )


def _meant(among: Iterable[Ability], named: str) -> list[Ability]:
    """Return the abilities with this name, else those with a printed name that begins with it."""
    among = tuple(among)
    return exact_matches(among, named, _names) or name_matches(among, named, _printed)


def _names(ability: Ability) -> Iterable[str]:
    yield from (ability.source, ability.entity.id, ability.entity.slug)
    yield from _printed(ability)
    yield from _own_names(ability)


def _printed(ability: Ability) -> Iterable[str]:
    """Yield the names on a sheet."""
    yield from (ability.entity.name, ability.name, *ability.entity.aliases)
    if ability.holding is not None:
        yield ability.holding.name


def _own_names(ability: Ability) -> Iterable[str]:
    yield ability.key
    found = ability.action or ability.attack
    if found is not None and found.name:
        yield found.name


def _shown(ability: Ability) -> Iterable[str]:
    yield from (ability.entity.id, ability.name)


def _does_something(ability: Ability) -> bool:
    """Return whether using the ability changes anything; passive ones do not."""
    action = ability.action
    return action is None or bool(action.cost or action.cooldown or action.does or action.inputs)


def _usable(state: State, ability: Ability) -> bool:
    """Return whether the rules allow its use now, as far as known before any dice."""
    inputs, _steps = abilities.ability_inputs(state, ability)
    if any(abilities.reasons_against(state, ability)):
        return False
    if inputs:
        return True  # it depends on what it is told

    def lowest(_name: str, dice: Dice, _label: str) -> list[int]:
        return [dice.faces[0]] * dice.number

    try:
        abilities.use_ability(state, ability, {}, lowest)
    except RuleRefusal:
        return False
    return True


def _several(state: State, named: str, found: list[Ability]) -> AmbiguousName:
    """Return the error that lists how to name each ability."""
    ways = []
    for ability in found:
        twins = [a for a in found if (a.entity, a.key) == (ability.entity, ability.key)]
        source = ability.source if len(twins) > 1 else ability.entity.id
        ways.append((ability_name(state, ability), (source, "--action", ability.key)))
    return AmbiguousName(f"{named!r} may mean several abilities", named, ways)
