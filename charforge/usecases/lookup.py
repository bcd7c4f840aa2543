"""Finding what a player names: a unit, a holding, an ability; and why something is closed."""

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
from charforge.errors import UnknownId, UsageError
from charforge.replay.replay import Character
from charforge.rules.models import Ask, Entity
from charforge.rules.ruleset import Ruleset

Named = TypeVar("Named")
PART = re.compile(r"[^\W_]+")
COUNTED = re.compile(r"^\d+ × | × \d+$| †$")  # what is printed beside a name
APOSTROPHES = "'’"


def find_unit(state: State, name: str | None) -> Unit:
    """Return the unit that a player means; the character for None.

    By its id, the name it was given, or what its entity is called; the
    case does not matter. Raises UnknownId, or UsageError with the id of
    each of several that are meant.
    """
    if name is None:
        return state.units[0]
    found = [unit for unit in state.units if unit.id == name.strip()]
    found = found or exact_matches(state.units, name, _called)
    if not found:
        known = dict.fromkeys(word for unit in state.units for word in _called(unit))
        units = (f"{one.id} ({one.name})" if one.name else one.id for one in state.units)
        raise UnknownId("unit of this character", name, known, units)
    if len(found) > 1:
        listed = "".join(f"\n  {unit.id}  {unit.title}" for unit in found)
        raise UsageError(f"{name!r} may mean several:{listed}\nName one by what stands first.")
    return found[0]


def _called(unit: Unit) -> Iterator[str]:
    """Yield what a unit may be called."""
    yield unit.id
    if unit.name:
        yield unit.name
    if unit.entity is not None:
        yield from _names(unit.entity)


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
    found = [h for h in candidates if h.id == name] or _meant(state, candidates, name)
    if not found:
        raise UnknownId("item owned", name, dict.fromkeys(h.name for h in candidates))
    if len({_telling(state, holding, hands) for holding in found}) == 1:
        return tuple(reversed(found))
    lines = ((h, ", in hand" if state.in_hand.get(h.id) else "") for h in found)
    listed = "".join(f"\n  {h.id}  {holding_description(state, h)}{held}" for h, held in lines)
    raise UsageError(f"{name!r} may mean several:{listed}\nName one by what stands first.")


def _meant(state: State, candidates: list[Holding], name: str) -> list[Holding]:
    """Return what a name means: a name comes before what is printed, a whole one before words."""
    from charforge.sheet.bearer import Bearer

    def called(holding: Holding) -> Iterator[str]:
        yield holding.name
        yield from _names(holding.entity)

    def printed(holding: Holding) -> Iterator[str]:
        yield holding_label(state, holding)
        yield COUNTED.sub("", Bearer.of(state, holding).name())

    plain = COUNTED.sub("", COUNTED.sub("", name.strip()))
    return (
        exact_matches(candidates, plain, called)
        or exact_matches(candidates, plain, printed)
        or name_matches(candidates, plain, called)
    )


def _telling(state: State, holding: Holding, hands: bool) -> tuple[object, ...]:
    """Return all that tells a holding from others; what has parts or values is like no other."""
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
    """Name a holding with what tells it from others: how many, whose, and its choices."""
    times = f"{holding.quantity} × " if holding.quantity > 1 else ""
    return times + holding_label(state, holding)


def holding_label(state: State, holding: Holding) -> str:
    """Name a piece of a holding, with whose it is and its choices."""
    chosen = [
        state.ruleset.answer_label(ask.id, answer).partition(" (")[0]
        for ask in (() if holding.entity.titled else holding.entity.choices)
        if isinstance(answer := state.answers.get(f"{holding.id}.{ask.id}"), str)
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
    found = [exact] if exact is not None and fits(exact) else name_matches(everything, name, _names)
    aliases = [entity for entity in found if entity.alias_of]  # an entry of its own settles a name
    ids = dict.fromkeys(ruleset.canonical(entity.id) for entity in aliases or found)
    found = [ruleset.entity(one) for one in ids]
    if len(found) == 1:
        return found[0]
    if found:
        listed = "".join(f"\n  {entity.id}  {entity.name}" for entity in found)
        raise UsageError(f"{name!r} may mean several:{listed}\nName one by its id.")
    raise UnknownId(f"{what} of {ruleset.head.name}", name, _known(everything))


def _names(entity: Entity) -> Iterator[str]:
    """Yield what an entity may be called."""
    yield from (entity.id, entity.slug, entity.name, *entity.aliases)


def _known(entities: Iterable[Entity]) -> Iterator[str]:
    for entity in entities:
        yield from (entity.id, entity.name, *entity.aliases)


def exact_matches(
    among: Iterable[Named], name: str, called: Callable[[Named], Iterable[str]]
) -> list[Named]:
    """Return those that are called so, whatever the case."""
    wanted = name.strip().casefold()
    return [one for one in among if any(wanted == word.casefold() for word in called(one))]


def name_matches(
    among: Iterable[Named], name: str, called: Callable[[Named], Iterable[str]]
) -> list[Named]:
    """Return those that are called so, else those with words of a name that begin so.

    ``auto rif`` and ``rifle`` mean an Auto Rifle; ``ifle`` means nothing.
    """
    among, wanted = tuple(among), _parts(name)
    if not wanted:
        return []
    return exact_matches(among, name, called) or [
        one for one in among if any(_begin(_parts(word), wanted) for word in called(one))
    ]


def _parts(name: str) -> list[str]:
    """Return the words of a name or an id; accents and apostrophes count as little as in ids."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    kept = (s for s in plain if s not in APOSTROPHES and not unicodedata.combining(s))
    return PART.findall("".join(kept))


def _begin(words: list[str], wanted: list[str]) -> bool:
    """Whether words in a row begin as those that are wanted."""
    rows = (words[at : at + len(wanted)] for at in range(len(words) - len(wanted) + 1))
    return any(all(map(str.startswith, row, wanted)) for row in rows)


def explain_legality(
    character: Character, name: str, unit: str | None = None
) -> tuple[Entity, tuple[str, ...]]:
    """Return an entity and every reason against taking it now.

    The last choice that offers it is asked again on the character as it
    is: that of ``unit``, else the first of any unit. What no choice offers
    says so, and who gives it.
    """
    state = character.state
    bearers = state.units if unit is None else (find_unit(state, unit),)
    entity = state.ruleset.entity(state.ruleset.canonical(name))
    for bearer in bearers:
        later = [
            make_decision(ask.id, ask, state, bearer.id) for ask in _asked_later(state, bearer)
        ]
        for decision in [*reversed(character.asked), *later]:
            now = replace(decision, before=state)
            if decision.unit == bearer.id and any(o.entity is entity for o in now.options()):
                return entity, now.closed_reasons(entity.id)
    reasons = unmet_requirements(entity.requires, Applicant(state, bearers[0].id, entity))
    givers = ", ".join(e.name for e in state.ruleset.entities.values() if _gives(e, entity))
    given = f"; it comes with {givers}" if givers else ""
    return entity, (*reasons, f"no choice offers it{given}")


def _asked_later(state: State, unit: Unit) -> tuple[Ask, ...]:
    """Return what further levels ask: the character's, or a unit's own."""
    return state.ruleset.head.advancement.asks if unit.owner is None else unit.type.asks


def _gives(giver: Entity, entity: Entity) -> bool:
    return any(grant.id == entity.id for grant in giver.grants)
