"""Lookup by name: units, holdings, entities and abilities; and reasons against an option."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from charforge.character import gear
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.decisions.kinds import make_decision
from charforge.errors import AmbiguousName, RuleRefusal, UnknownId, UsageError
from charforge.expressions.dice import Dice
from charforge.procedures import abilities
from charforge.procedures.abilities import Ability
from charforge.replay.replay import Character
from charforge.rules.models import Entity, Question
from charforge.rules.ruleset import Ruleset

Named = TypeVar("Named")
PART = re.compile(r"[^\W_]+")
COUNTED = re.compile(r"^\d+ × | × \d+$| †$")  # what is printed beside a name
APOSTROPHES = "'’"


def find_unit(state: State, name: str | None) -> Unit:
    """Return the unit with an id or a name, its own or its entity's; the character for None.

    Case does not matter. Raises UnknownId, or UsageError that lists several.
    """
    if name is None:
        return state.units[0]
    found = [unit for unit in state.units if unit.id == name.strip()]
    found = found or exact_matches(state.units, name, _unit_names)
    if not found:
        known = dict.fromkeys(word for unit in state.units for word in _unit_names(unit))
        units = (f"{one.id} ({one.name})" if one.name else one.id for one in state.units)
        raise UnknownId("unit of this character", name, known, units)
    if len(found) > 1:
        listed = "".join(f"\n  {unit.id}  {unit.title}" for unit in found)
        raise UsageError(f"{name!r} may mean several:{listed}\nName one by what stands first.")
    return found[0]


def _unit_names(unit: Unit) -> Iterator[str]:
    """Yield the names of a unit."""
    yield unit.id
    if unit.name:
        yield unit.name
    if unit.entity is not None:
        yield from _entity_names(unit.entity)


def find_holding(
    state: State,
    name: str,
    unit: str | None = None,
    among: Iterable[Holding] | None = None,
) -> Holding:
    """Return the holding that a player means, the last of those alike; see ``find_holdings``."""
    return find_holdings(state, name, unit, among)[0]


def find_holdings(
    state: State,
    name: str,
    unit: str | None = None,
    among: Iterable[Holding] | None = None,
    hands: bool = True,
) -> tuple[Holding, ...]:
    """Return the holding that a player means, of one unit or of all.

    By its instance id, its entity's id or slug, a name, what is printed of
    it, or the beginning of words of a name; ``among`` are all that it may
    be. Several are meant only where nothing tells them apart, or (not
    ``hands``) nothing but what is in hand: what was gained last comes
    first. Raises UnknownId, or UsageError with each of several.
    """
    candidates = [h for h in (state.holdings if among is None else among)
                  if unit in (None, h.unit)]  # fmt: skip
    found = [h for h in candidates if h.id == name] or _matching_holdings(state, candidates, name)
    if not found:
        raise UnknownId("item owned", name, dict.fromkeys(h.name for h in candidates))
    if len({_distinction(state, holding, hands) for holding in found}) == 1:
        return tuple(reversed(found))
    lines = ((h, ", in hand" if state.in_hand.get(h.id) else "") for h in found)
    listed = "".join(f"\n  {h.id}  {holding_description(state, h)}{held}" for h, held in lines)
    raise UsageError(f"{name!r} may mean several:{listed}\nName one by what stands first.")


def _matching_holdings(state: State, candidates: list[Holding], name: str) -> list[Holding]:
    """Return the holdings with a name: by name, by label, else by the first words."""
    from charforge.sheet.bearer import Bearer

    def called(holding: Holding) -> Iterator[str]:
        yield holding.name
        yield from _entity_names(holding.entity)

    def printed(holding: Holding) -> Iterator[str]:
        yield holding_label(state, holding)
        yield COUNTED.sub("", Bearer.of(state, holding).name())

    plain = COUNTED.sub("", COUNTED.sub("", name.strip()))
    return (
        exact_matches(candidates, plain, called)
        or exact_matches(candidates, plain, printed)
        or name_matches(candidates, plain, called)
    )


def _distinction(state: State, holding: Holding, hands: bool) -> tuple[object, ...]:
    """Return a key that is equal for identical holdings; units and containers are unique."""
    from charforge.sheet.bearer import Bearer

    inside = f"{holding.id}."
    if state.has_unit(holding.id) or any(h.id.startswith(inside) for h in state.holdings):
        return (holding.id,)
    bearer = Bearer.of(state, holding)
    chosen = [
        (name.removeprefix(inside), str(answer))
        for name, answer in (*state.answers.items(), *state.roll_totals.items())
        if name.startswith(inside)
    ]
    spent = [
        (what, by)
        for (item, what), by in state.resource_changes.items()
        if item == holding.id and by
    ]
    used = [*spent, *(ability for item, ability in state.cooldowns if item == holding.id)]
    return (
        holding.entity.id, holding.unit, bearer.name(), bearer.trained, str(sorted(chosen)),
        gear.is_attached(state, holding), str(used), holding.quantity if used else 0,
        hands and bool(state.in_hand.get(holding.id)),
    )  # fmt: skip


def holding_description(state: State, holding: Holding) -> str:
    """Return the name of a holding with its number, its owner and its choices."""
    times = f"{holding.quantity} × " if holding.quantity > 1 else ""
    return times + holding_label(state, holding)


def holding_label(state: State, holding: Holding) -> str:
    """Return the name of one piece of a holding, with its owner and its choices."""
    chosen = [
        state.ruleset.answer_label(question, answer).partition(" (")[0]
        for question in (() if holding.entity.titled else holding.entity.choices)
        if isinstance(answer := state.answers.get(f"{holding.id}.{question.id}"), str)
    ]
    if holding.unit != CHARACTER:
        chosen.append(f"of {state.unit(holding.unit).name}")
    return holding.name + (f" ({', '.join(chosen)})" if chosen else "")


def find_gear(ruleset: Ruleset, name: str) -> Entity:
    """Return the piece of gear that a player means; aliases stand for what they name.

    By id, slug, a name, or the beginning of words of one that no other has.
    Raises UnknownId; UsageError with each of several, or for what is no gear.
    """
    kinds = ruleset.head.gear.kinds
    return find_entity(ruleset, name, lambda entity: entity.kind in kinds, "gear")


def find_entity(ruleset: Ruleset, name: str, fits: Callable[[Entity], bool], what: str) -> Entity:
    """Return the entity of a sort that a player means; see ``find_gear``."""
    everything = [e for e in ruleset.entities.values() if fits(e)]
    exact = ruleset.entities.get(ruleset.canonical(name.strip().casefold()))
    found = (
        [exact]
        if exact is not None and fits(exact)
        else name_matches(everything, name, _entity_names)
    )
    aliases = [entity for entity in found if entity.alias_of]  # an entry of its own settles a name
    ids = dict.fromkeys(ruleset.canonical(entity.id) for entity in aliases or found)
    found = [ruleset.entity(one) for one in ids]
    if len(found) == 1:
        return found[0]
    if found:
        listed = "".join(f"\n  {entity.id}  {entity.name}" for entity in found)
        raise UsageError(f"{name!r} may mean several:{listed}\nName one by its id.")
    raise UnknownId(f"{what} of {ruleset.head.name}", name, _known_names(everything))


def _entity_names(entity: Entity) -> Iterator[str]:
    """Yield the names of an entity."""
    yield from (entity.id, entity.slug, entity.name, *entity.aliases)


def _known_names(entities: Iterable[Entity]) -> Iterator[str]:
    for entity in entities:
        yield from (entity.id, entity.name, *entity.aliases)


def exact_matches(
    among: Iterable[Named], name: str, called: Callable[[Named], Iterable[str]]
) -> list[Named]:
    """Return the candidates with exactly this name, in any case."""
    wanted = name.strip().casefold()
    return [one for one in among if any(wanted == word.casefold() for word in called(one))]


def name_matches(
    among: Iterable[Named], name: str, called: Callable[[Named], Iterable[str]]
) -> list[Named]:
    """Return the candidates with this name, else those with words that begin like it.

    ``auto rif`` and ``rifle`` mean an Auto Rifle; ``ifle`` means nothing.
    """
    among, wanted = tuple(among), _words(name)
    if not wanted:
        return []
    return exact_matches(among, name, called) or [
        one for one in among if any(_words_begin(_words(word), wanted) for word in called(one))
    ]


def _words(name: str) -> list[str]:
    """Return the words of a name or an id; accents and apostrophes count as little as in ids."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    kept = (s for s in plain if s not in APOSTROPHES and not unicodedata.combining(s))
    return PART.findall("".join(kept))


def _words_begin(words: list[str], wanted: list[str]) -> bool:
    """Return whether words in a row begin like the wanted ones."""
    rows = (words[at : at + len(wanted)] for at in range(len(words) - len(wanted) + 1))
    return any(all(map(str.startswith, row, wanted)) for row in rows)


def explain_legality(
    character: Character, name: str, unit: str | None = None
) -> tuple[Entity, tuple[str, ...]]:
    """Return an entity and every reason against taking it now.

    The last choice that offers it is asked again on the character as it
    is: that of ``unit``, else the first of any unit. For an entity that no
    choice offers, the reason names the entities that grant it.
    """
    state = character.state
    bearers = state.units if unit is None else (find_unit(state, unit),)
    entity = state.ruleset.entity(state.ruleset.canonical(name))
    for bearer in bearers:
        later = [
            make_decision(question.id, question, state, bearer.id)
            for question in _asked_later(state, bearer)
        ]
        for decision in [*reversed(character.asked), *later]:
            now = replace(decision, before=state)
            if decision.unit == bearer.id and any(o.entity is entity for o in now.options()):
                return entity, now.closed_reasons(entity.id)
    reasons = unmet_requirements(entity.requires, Applicant(state, bearers[0].id, entity))
    givers = ", ".join(e.name for e in state.ruleset.entities.values() if _grants_entity(e, entity))
    given = f"; it comes with {givers}" if givers else ""
    return entity, (*reasons, f"no choice offers it{given}")


def _asked_later(state: State, unit: Unit) -> tuple[Question, ...]:
    """Return the questions of further levels of the character or a unit."""
    return state.ruleset.head.advancement.asks if unit.owner is None else unit.type.asks


def _grants_entity(giver: Entity, entity: Entity) -> bool:
    return any(grant.id == entity.id for grant in giver.grants)


# ------------------------------------------------------------------ abilities


def find_ability(state: State, unit: str, named: str, action: str | None = None) -> Ability:
    """Return the ability with a name: its entity's, its own, or the first words of one.

    ``action`` selects one of several of an entity; without it attacks and
    abilities that can be used now are preferred. Raises UnknownId for none,
    AmbiguousName for several.
    """
    everything = list(abilities.all_abilities(state, unit))
    found = _matching_abilities(everything, named)
    if action is not None:
        found = exact_matches(found, action, lambda one: (one.key,)) or name_matches(
            found, action, _own_names
        )
    if not found:
        _refuse_other_units(state, unit, named)
        if action is None:
            _refuse_unusable_holding(state, unit, named)
        known = dict.fromkeys(name for ability in everything for name in _listed_names(ability))
        wanted = named if action is None else f"{named}: {action}"
        listed = dict.fromkeys(ability.name for ability in everything)
        raise UnknownId("ability here", wanted, known, listed)
    found = [ability for ability in found if _does_something(ability)] or found
    if action is None and len({ability.source for ability in found}) == 1:
        found = [ability for ability in found if ability.attack is not None] or found
        found = [ability for ability in found if _can_be_used(state, ability)] or found
    if action is None and len(found) > 1:  # of the ways of one weapon, the one without a name
        found = exact_matches(found, named, lambda one: (one.name,)) or found
    if len(found) > 1:
        raise _ambiguous_ability(state, named, found)
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
    return bool(exact_matches(abilities.all_abilities(state, unit), named, _ability_names))


def _refuse_other_units(state: State, unit: str, named: str) -> None:
    """Raise UsageError if another unit has the ability."""
    for other in state.units:
        if other.id != unit and _matching_abilities(
            abilities.all_abilities(state, other.id), named
        ):
            whose = f"--unit {other.id}" if other.name else "no --unit"
            raise UsageError(f"{named!r} is another's", f"Say {whose}.")


def _refuse_unusable_holding(state: State, unit: str, named: str) -> None:
    """Raise UsageError for a holding that has no action or attack."""
    held = name_matches(state.held(unit), named, lambda one: (one.id, one.entity.id, one.name))
    if held:
        raise UsageError(
            f"{held[0].name} has no action or attack to use",
            f"explain {held[0].entity.id} tells what it does.",
        )


def _matching_abilities(among: Iterable[Ability], named: str) -> list[Ability]:
    """Return the abilities with this name, else those with a printed name that begins with it."""
    among = tuple(among)
    return exact_matches(among, named, _ability_names) or name_matches(among, named, _printed_names)


def _ability_names(ability: Ability) -> Iterable[str]:
    yield from (ability.source, ability.entity.id, ability.entity.slug)
    yield from _printed_names(ability)
    yield from _own_names(ability)


def _printed_names(ability: Ability) -> Iterable[str]:
    """Yield the names on a sheet."""
    yield from (ability.entity.name, ability.name, *ability.entity.aliases)
    if ability.holding is not None:
        yield ability.holding.name


def _own_names(ability: Ability) -> Iterable[str]:
    yield ability.key
    found = ability.action or ability.attack
    if found is not None and found.name:
        yield found.name


def _listed_names(ability: Ability) -> Iterable[str]:
    yield from (ability.entity.id, ability.name)


def _does_something(ability: Ability) -> bool:
    """Return whether using the ability changes anything; passive ones do not."""
    action = ability.action
    return action is None or bool(action.cost or action.cooldown or action.does or action.inputs)


def _can_be_used(state: State, ability: Ability) -> bool:
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


def _ambiguous_ability(state: State, named: str, found: list[Ability]) -> AmbiguousName:
    """Return the error that lists how to name each ability."""
    ways = []
    for ability in found:
        twins = [a for a in found if (a.entity, a.key) == (ability.entity, ability.key)]
        source = ability.source if len(twins) > 1 else ability.entity.id
        ways.append((ability_name(state, ability), (source, "--action", ability.key)))
    return AmbiguousName(f"{named!r} may mean several abilities", named, ways)
