"""Subjects of ``explain``: what a name means of a character and its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from charforge.character.state import Holding, State, Unit, find_unit
from charforge.character.values import Values
from charforge.errors import UnknownId
from charforge.language import _
from charforge.procedures import abilities
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.rules.models import Chart, Pool
from charforge.rules.names import ambiguous_name, exact_matches, name_matches
from charforge.rules.ruleset import Ruleset
from charforge.sheet.values import combat, labelled_figures
from charforge.verbs.lookup import labelled_holdings

CHART = "chart/"  # before the id of a chart that has the name of something else


@dataclass(frozen=True)
class ValueSubject:
    """A value of a unit, by its id."""

    id: str


@dataclass(frozen=True)
class SharedSubject:
    """A value of what the group owns, as formulas name it."""

    id: str


@dataclass(frozen=True)
class FactSubject:
    """The entries of the combat strip with a label, such as Move."""

    label: str


@dataclass(frozen=True)
class EntitySubject:
    """An entity, by its id."""

    id: str


@dataclass(frozen=True)
class HoldingsSubject:
    """Holdings of the same name."""

    holdings: tuple[Holding, ...]


@dataclass(frozen=True)
class DecisionSubject:
    """A decision, by its id."""

    id: str


# The meaning of a name.
Subject = (
    ValueSubject
    | SharedSubject
    | FactSubject
    | Chart
    | Pool
    | EntitySubject
    | HoldingsSubject
    | DecisionSubject
)


def find_subject(loaded: LoadedCharacter, unit: Unit, name: str, all_units: bool) -> Subject:
    """Return what a name means for a unit; a value comes before anything else of its name.

    With ``all_units`` what other units hold can be meant too. Raises
    UnknownId, or UsageError if the name means several entities.
    """
    ruleset, state = loaded.ruleset, loaded.character.state
    figure = _figure_subject(state.values(unit.id), name)
    if figure is not None:
        return figure
    # The name of a value that this unit does not have is no entity, and no beginning of a name.
    is_value = ruleset.value_named(name) is not None
    entities = [] if is_value else _entities_named(ruleset, name)
    entity = entities[0] if len(entities) == 1 else name
    if "/" in entity:
        return EntitySubject(entity)
    holdings = [h for h in state.holdings if all_units or h.unit == unit.id]
    named = _holdings_subject(state, holdings, name) or _decision_subject(loaded.character, name)
    if named is not None:
        return named
    if entities:
        raise ambiguous_name(name, ((ruleset.kind_label(id_), id_) for id_ in entities))
    begun = None if is_value else _begun_subject(loaded, unit, name, holdings)
    if begun is None:
        raise _unknown_subject(loaded, unit, name, holdings)
    return begun


def _holdings_subject(
    state: State, holdings: Iterable[Holding], name: str
) -> HoldingsSubject | None:
    """Return the holdings with a name, an id or a label; None for none."""
    named = exact_matches(holdings, name, lambda holding: (holding.id, holding.name))
    named = named or labelled_holdings(state, holdings, name)
    return HoldingsSubject(tuple(named)) if named else None


def _decision_subject(character: Character, name: str) -> DecisionSubject | None:
    """Return the decision with a name, or the dormant one with this id; None for none."""
    decisions = exact_matches(character.asked, name, lambda decision: decision.names())
    if len(decisions) > 1 and all(decision.id != name for decision in decisions):
        raise ambiguous_name(name, ((found.title(), found.id) for found in decisions))
    if decisions:
        return DecisionSubject(decisions[0].id)
    return DecisionSubject(name) if name in character.dormant else None


def _begun_subject(
    loaded: LoadedCharacter, unit: Unit, name: str, holdings: Iterable[Holding]
) -> Subject | None:
    """Return what has words that begin like a name, of the first kind with any; None for none."""
    for beginnings in BEGINNINGS:
        begun = beginnings(loaded, unit, name, holdings)
        meant = {id_: (label, subject) for label, id_, subject in begun}
        if len(meant) > 1:
            raise ambiguous_name(name, ((label, id_) for id_, (label, _subject) in meant.items()))
        for _label, subject in meant.values():
            return subject
    return None


def _unknown_subject(
    loaded: LoadedCharacter, unit: Unit, name: str, holdings: Iterable[Holding]
) -> UnknownId:
    """Return the error for a name that means nothing, with the names that can be meant."""
    ruleset = loaded.ruleset
    known = [
        *loaded.character.state.values(unit.id).ids(),
        *ruleset.shared_labels,
        *(h.name for h in holdings if h.entity.titled),
    ]
    known += (name for found in loaded.character.asked for name in found.names()[:2])
    known += (entity.name for entity in ruleset.entities.values())
    owner = unit.name or loaded.document.name
    return UnknownId(
        _("value or choice of {owner}").format(owner=owner),
        name,
        known,
        advice=_("To search the rules: {command}"),
        command=["catalog", "search", "--ruleset", ruleset.id, name],
    )


def find_subject_of(
    loaded: LoadedCharacter, unit_id: str | None, name: str
) -> tuple[Unit, Subject]:
    """Return the unit that a name is about, and what it means there.

    Without a ``unit_id`` it can be about another unit than the character, with or without the name
    of that unit: ``drone max hp``. Raises as ``find_subject`` does.
    """
    state = loaded.character.state
    unit = find_unit(state, unit_id)
    try:
        return unit, find_subject(loaded, unit, name, unit_id is None)
    except UnknownId:
        for other in state.units[1:] if unit_id is None else ():
            named = (name[len(word) :] for word in other.names if _begins_with(name, word))
            for thing in (*named, name):
                with suppress(UnknownId):
                    return other, find_subject(loaded, other, thing.lstrip(": "), False)
        raise


def _begins_with(name: str, word: str) -> bool:
    return bool(word) and name.casefold().startswith((f"{word} ", f"{word}:"))


def _figure_subject(values: Values, name: str) -> Subject | None:
    """Return the figure of a unit, or the chart of the rules, that has a name; None for none.

    A value comes first, then one of what the group owns, and a chart after what the sheet prints
    with its name.
    """
    ruleset = values.ruleset
    value = ruleset.value_named(name)
    if value is not None and value.id in values:
        return ValueSubject(value.id)
    if next(labelled_figures(values, name.strip()), None) is not None:
        return FactSubject(name.strip())
    shared = ruleset.shared_named(name)
    if shared is not None:
        return SharedSubject(shared)
    chart = find_chart(ruleset, name)
    if chart is not None:
        return chart
    pools = exact_matches(values.unit.type.pools, name, lambda pool: (pool.id, pool.label))
    return pools[0] if pools else None


Begun = Iterator[tuple[str, str, Subject]]  # with the label and the id of each


def _own_beginning(
    loaded: LoadedCharacter, unit: Unit, name: str, holdings: Iterable[Holding]
) -> Begun:
    """Yield the figures and things of a unit with words that begin like a name."""
    ruleset, state = loaded.ruleset, loaded.character.state
    values = state.values(unit.id)
    named = [ruleset.values[value] for value in values.shown_ids()]
    for value in name_matches(named, name, lambda v: (v.id, v.label, v.name)):
        yield value.title, value.id, ValueSubject(value.id)
    labels = dict.fromkeys(fact.label for fact in combat(values) if not fact.value)
    for label in name_matches(labels, name, lambda label: (label,)):
        yield label, label, FactSubject(label)
    found = {h.id: h for h in name_matches(holdings, name, lambda h: (h.name, *h.entity.names))}
    for ability in name_matches(abilities.all_abilities(state, unit.id), name, lambda a: (a.name,)):
        source = state.holding(ability.source)
        if source is not None:
            found[source.id] = source
        else:  # of a condition, or open to everybody
            yield ability.entity.name, ability.entity.id, EntitySubject(ability.entity.id)
    for holding in found.values():
        yield holding.name, holding.id, HoldingsSubject((holding,))


def _decisions_beginning(
    loaded: LoadedCharacter, _unit: Unit, name: str, _holdings: Iterable[Holding]
) -> Begun:
    for decision in name_matches(loaded.character.asked, name, lambda d: d.names()):
        yield decision.title(), decision.id, DecisionSubject(decision.id)


def _entities_beginning(
    loaded: LoadedCharacter, _unit: Unit, name: str, _holdings: Iterable[Holding]
) -> Begun:
    entities = name_matches(loaded.ruleset.entities.values(), name, lambda entity: entity.names)
    for entity in [e for e in entities if e.condition is None] or entities:
        yield entity.name, entity.id, EntitySubject(entity.id)


# Where words that begin like a name are looked for, one after another.
BEGINNINGS = (_own_beginning, _decisions_beginning, _entities_beginning)


def find_chart(ruleset: Ruleset, name: str) -> Chart | None:
    """Return the chart of a name; None if there is none. Raises UnknownId for chart/NAME."""
    chart = ruleset.chart_named(name.removeprefix(CHART))
    if chart is None and name.startswith(CHART):
        known = ruleset.charts
        raise UnknownId(
            _("chart of {name}").format(name=ruleset.head.name), name.removeprefix(CHART), known
        )
    return chart


def find_entity_id(ruleset: Ruleset, name: str) -> str:
    """Return the id of the only entity of this name or end of its id; otherwise the name itself."""
    matches = _entities_named(ruleset, name)
    return matches[0] if len(matches) == 1 else name


def _entities_named(ruleset: Ruleset, name: str) -> list[str]:
    """Return the ids of the entities with this name or end of their ids.

    The condition that something brings is left out: All Out is the System.
    """
    known = ruleset.entities.values()
    matches = exact_matches(known, name, lambda entity: (entity.name,))
    matches = matches or exact_matches(known, name, lambda entity: (entity.slug,))
    matches = [entity for entity in matches if entity.condition is None] or matches
    return [entity.id for entity in matches]
