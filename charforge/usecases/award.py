"""What comes to a character beyond the rules: a gift of the GM, a resource, a condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from charforge.character import play_state
from charforge.character.events import LARGEST_AMOUNT, AcquireEvent, ResourceEvent
from charforge.character.state import State, Unit
from charforge.decisions.index import offered_entities
from charforge.decisions.option import Answer
from charforge.errors import RuleRefusal, UnknownId, UsageError
from charforge.replay import replay as engine
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.replay import AnswerSource
from charforge.rules.models import Ask, Entity, Give, Grant
from charforge.rules.ruleset import Ruleset
from charforge.usecases.change import EventDraft, commit_change, draft_event, try_change
from charforge.usecases.inventory import check_note, check_quantity, refuse_several, refuse_unused
from charforge.usecases.lookup import find_entity


def find_award(state: State, named: str, unit: Unit) -> str | Entity:
    """Return what a player wants to gain: a value by its id, or an entity.

    An entity is something that units hold, or a condition. Raises
    UnknownId with the nearest name of either, UsageError for several.
    """
    ruleset = state.ruleset
    value = ruleset.value_named(named)
    if value is not None:
        return value.id
    held = holder_types(ruleset)
    try:
        return find_entity(
            ruleset, named, lambda e: e.kind in held or e.condition is not None, "entity"
        )
    except UnknownId:
        other = ruleset.entities.get(named.strip().casefold())
        if other is not None:
            label = ruleset.kinds[other.kind].label
            raise UsageError(f"{other.name} is a {label}: nobody can hold it") from None
        known = [name for name, made in unit.type.values.items() if made.resource]
        known += [e.id for e in ruleset.entities.values() if e.kind in held]
        known += [e.id for e in ruleset.conditions]
        raise UnknownId("resource or entity to gain", named, known) from None


def award_resource(
    opened: LoadedCharacter, value: str, by: int, unit: Unit, note: str = ""
) -> tuple[LoadedCharacter, int]:
    """Change a resource, within its bounds; return the real difference too.

    Raises UsageError for a value that follows from rules, RuleRefusal for
    one that is at its maximum.
    """
    if not 1 <= by <= LARGEST_AMOUNT:
        raise UsageError(
            f"gain from 1 to {LARGEST_AMOUNT}, not {by}", "What goes down is spent: use spend."
        )
    check_note(note)
    state = opened.character.state
    _state, real = play_state.change_resource(state, unit.id, value, by)
    if not real:
        label = state.ruleset.values[value].label
        now = state.ruleset.figure_text(value, state.values(unit.id).read(value))
        raise RuleRefusal(f"{label} is {now} already, and cannot be more")
    kept = draft_event(ResourceEvent, value=value, by=by, unit=unit.id, note=note.strip())
    return commit_change(try_change(opened, [kept])), real


def draft_award(
    state: State, entity: Entity, number: int, unit: Unit, note: str = ""
) -> EventDraft:
    """Return the event of something that a unit gains, taking nothing of a budget.

    Raises UsageError for what the unit cannot hold, and for several of
    what is one of its sort.
    """
    ruleset = state.ruleset
    check_note(note)
    check_quantity(number)
    if number > 1:
        if entity.kind not in ruleset.head.gear.kinds:
            raise UsageError(f"{entity.name} is gained once at a time, not {number} times")
        refuse_several(entity)
    fitting = holder_types(ruleset)[entity.kind]
    if unit.type.id not in fitting:
        labels = " or ".join(ruleset.units[name].label for name in sorted(fitting))
        theirs = [one.id for one in state.units if one.type.id in fitting]
        advice = f"Name it: --unit {' or --unit '.join(theirs)}" if theirs else ""
        raise UsageError(f"{entity.name} is for a {labels}, not for a {unit.type.label}", advice)
    return draft_event(
        AcquireEvent,
        entity=entity.id,
        quantity=number,
        unit=unit.id,
        granted=True,
        note=note.strip(),
    )


def award_entity(
    opened: LoadedCharacter,
    made: EventDraft,
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = engine.leave_open,
) -> LoadedCharacter:
    """Let a unit gain a gift; what it asks is answered by ``answers``, then by ``source``."""
    given = dict(answers or {})
    found = try_change(opened, [made], given, source)
    refuse_unused(found, given)
    return commit_change(found)


def holder_types(ruleset: Ruleset) -> dict[str, set[str]]:
    """Return the unit types that can hold each kind: those whom the rules give or offer it.

    What is gear anybody can hold; a kind that no unit ever holds is missing.
    """
    first = next(iter(ruleset.units))
    found: dict[str, set[str]] = {kind: set(ruleset.units) for kind in ruleset.head.gear.kinds}

    def add(kinds: Iterable[str], units: Iterable[str]) -> None:
        for kind in kinds:
            found.setdefault(kind, set()).update(units)

    head = ruleset.head
    for step in head.creation:
        kinds = _granted(ruleset, step.grants) if isinstance(step, Give) else _asked(ruleset, step)
        add(kinds, [first])
    for ask in head.advancement.asks:
        add(_asked(ruleset, ask), [first])
    for unit in ruleset.units.values():
        for ask in unit.asks:
            add(_asked(ruleset, ask), [unit.id])
    before = -1
    while before != (before := sum(map(len, found.values()))):
        for entity in ruleset.entities.values():
            made = ruleset.kinds[entity.kind].unit
            units = [made] if made is not None else list(found.get(entity.kind, ()))
            if units:
                add(_granted(ruleset, entity.grants), units)
                for ask in entity.choices:
                    add(_asked(ruleset, ask), units)
    return found


def _granted(ruleset: Ruleset, grants: Iterable[Grant]) -> Iterator[str]:
    return (ruleset.entity(grant.id).kind for grant in grants)


def _asked(ruleset: Ruleset, ask: Ask) -> Iterator[str]:
    """Yield the kinds that a question offers, itself or with its options."""
    yield from {entity.kind for entity in offered_entities(ruleset, ask)}
    for option in getattr(ask, "options", ()):
        yield from _granted(ruleset, option.grants)
