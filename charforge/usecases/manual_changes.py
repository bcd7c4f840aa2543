"""What is marked by hand at the table: something spent, a condition, a note."""

from __future__ import annotations

from collections.abc import Iterable

from charforge.character import play_state
from charforge.character.events import LONGEST_NOTE, ConditionEvent, NoteEvent, ResourceEvent
from charforge.character.state import Holding, State
from charforge.errors import RuleRefusal, UnknownId, UsageError
from charforge.expressions.template import MINUS
from charforge.procedures.context import StepMessage
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.models import Capacity, Entity, Value
from charforge.usecases.change import EventDraft, change_character, draft_event
from charforge.usecases.lookup import exact_matches, find_unit, name_matches
from charforge.usecases.play import PlayResult, refuse_unprintable

MOST = 100_000  # of a condition, at once


def spend_resource(
    opened: LoadedCharacter,
    named: str,
    amount: int = 1,
    unit: str | None = None,
    item: str | None = None,
) -> PlayResult:
    """Spend a resource, a counter, or what an item carries. Raises RuleRefusal for too little."""
    if amount < 1:
        raise UsageError("spend at least 1", "What comes back is gained: use gain or heal.")
    state = opened.character.state
    bearer = find_unit(state, unit).id
    if item is None:
        resource = state.ruleset.value_named(named)
        if resource is not None:
            return _spend_resource(opened, bearer, resource, amount)
        counter = _condition(_counters(state), named)
        if counter is not None:
            _enough(counter.name, state.condition_amount(bearer, counter.id), amount)
            return change_condition(opened, counter.id, bearer, off=True, amount=amount)
    holding, capacity = _carried(state, bearer, named, item)
    left = play_state.capacity_left(state, holding, capacity)
    _enough(f"{capacity.label} in {holding.name}", left, amount)
    kept = draft_event(
        ResourceEvent, value=capacity.id, by=-amount, unit=bearer, holding=holding.id
    )
    text = f"{holding.name}: {capacity.label} {MINUS}{amount} → {left - amount}"
    return _told(opened, kept, bearer, text, holding.entity)


def is_spendable(opened: LoadedCharacter, named: str, unit: str | None = None) -> bool:
    """Whether a name is that of a resource or a counter, which can be gained as well as spent."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    resource = state.ruleset.value_named(named)
    if resource is not None:
        return resource.id in _spendable(state, bearer)
    return _condition(_counters(state), named) is not None


def _spend_resource(opened: LoadedCharacter, unit: str, value: Value, amount: int) -> PlayResult:
    state = opened.character.state
    have = state.values(unit).read(value.id)
    _changed, real = play_state.change_resource(state, unit, value.id, -amount)
    _enough(value.label, have, amount)
    left = state.ruleset.figure_text(value.id, have + real)
    text = f"{value.label} {MINUS}{-real} → {left}"
    return _told(
        opened, draft_event(ResourceEvent, value=value.id, by=-amount, unit=unit), unit, text
    )


def _enough(label: str, have: int, amount: int) -> None:
    if have < amount:
        raise RuleRefusal(f"{label}: {have} left, not {amount}")


def _counters(state: State) -> Iterable[Entity]:
    for entity in state.ruleset.conditions:
        if entity.condition is not None and entity.condition.counts:
            yield entity


def _carried(state: State, unit: str, named: str, item: str | None) -> tuple[Holding, Capacity]:
    """Return the item, and what it carries, that a player means."""
    everything = [(h, c) for h in state.held(unit) for c in h.entity.capacities]
    meant = exact_matches(everything, named, lambda carried: (carried[1].id, carried[1].label))
    if not meant:
        known = [*_spendable(state, unit), *(c.id for _h, c in everything)]
        raise UnknownId("resource here", named, dict.fromkeys(known))
    found = meant
    if item is not None:
        found = exact_matches(meant, item, _called)
        found = found or name_matches(meant, item, lambda carried: (carried[0].entity.name,))
    if not found:
        raise UnknownId(f"item with {named}", item or "", [h.entity.slug for h, _c in meant])
    if len(found) > 1:
        names = "".join(f"\n  {h.name}: --item {h.id}" for h, _c in found)
        raise UsageError(f"several items have {named}:{names}")
    return found[0]


def _called(carried: tuple[Holding, Capacity]) -> Iterable[str]:
    """Yield what an item that carries something may be called."""
    holding, _capacity = carried
    yield from (holding.id, holding.entity.id, holding.entity.slug, holding.name)


def _spendable(state: State, unit: str) -> Iterable[str]:
    """Yield the resources and counters of a unit."""
    values = state.unit(unit).type.values
    yield from (name for name, computed in values.items() if computed.resource)
    yield from (
        entity.slug for entity in _counters(state) if state.condition_amount(unit, entity.id)
    )


def change_condition(
    opened: LoadedCharacter,
    named: str,
    unit: str | None = None,
    off: bool = False,
    amount: int | None = None,
    about: str = "",
) -> PlayResult:
    """Put a condition on a unit by hand, or take it off. Raises RuleRefusal where that is idle."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    conditions = state.ruleset.conditions
    entity = _condition(conditions, named)
    if entity is None:
        raise UnknownId(
            f"condition of {state.ruleset.head.name}", named, [e.slug for e in conditions]
        )
    _refuse_condition(entity, amount, about)
    happens = _lifted if off else _put
    text = happens(state, bearer, entity, amount, about)
    kept = draft_event(
        ConditionEvent,
        condition=entity.id,
        unit=bearer,
        amount=amount,
        off=off,
        about=about.strip(),
    )
    return _told(opened, kept, bearer, text, entity)


def _condition(among: Iterable[Entity], named: str) -> Entity | None:
    """Return the condition with this id, slug or name, or with words that begin so, if any.

    Raises UsageError with each of several.
    """
    among = tuple(among)
    exact = exact_matches(among, named, lambda e: (e.id, e.slug, e.name))
    found = exact[:1] or name_matches(among, named, lambda e: (e.name,))
    if len(found) > 1:
        listed = "".join(f"\n  {entity.slug}  {entity.name}" for entity in found)
        raise UsageError(f"{named!r} may mean several:{listed}\nName one by what stands first.")
    return found[0] if found else None


def _refuse_condition(entity: Entity, amount: int | None, about: str) -> None:
    if entity.active_when is not None:
        raise RuleRefusal(
            f"{entity.name} is not put or lifted: it holds while {entity.active_when}",
        )
    if amount is not None:
        if entity.condition is None or not entity.condition.counts:
            raise UsageError(f"{entity.name} has no amount", "Leave --amount out.")
        if not 1 <= amount <= MOST:
            raise UsageError(f"the amount goes from 1 to {MOST}, not {amount}")
    refuse_unprintable(about)


def _put(state: State, unit: str, entity: Entity, amount: int | None, about: str) -> str:
    after = play_state.add_condition(state, unit, entity, amount or 1, about.strip())
    now, before = after.condition_amount(unit, entity.id), state.condition_amount(unit, entity.id)
    if entity.condition is not None and entity.condition.counts:
        if now == before:
            raise RuleRefusal(f"{entity.name} is {now} already, and cannot be more")
        return f"{entity.name} {before} → {now}"
    return f"now {entity.name}" + (f" ({about.strip()})" if about.strip() else "")


def _lifted(state: State, unit: str, entity: Entity, amount: int | None, about: str) -> str:
    after, gone = play_state.remove_condition(state, unit, entity, amount, about.strip() or None)
    if not gone:
        raise RuleRefusal(f"{entity.name} is not there to be taken off")
    now, before = after.condition_amount(unit, entity.id), state.condition_amount(unit, entity.id)
    return f"{entity.name} {before} → {now}" if now else f"no longer {entity.name}"


def add_note(opened: LoadedCharacter, text: str, at: str, unit: str | None = None) -> PlayResult:
    """Keep a note; ``at`` is the time by the clock, which only the caller may look at."""
    bearer = find_unit(opened.character.state, unit)
    text = text.strip()
    if not text:
        raise UsageError("there is nothing to note")
    if bearer.name:
        text = f"{bearer.name}: {text}"
    if len(text) > LONGEST_NOTE:
        raise UsageError(f"a note has at most {LONGEST_NOTE} characters, not {len(text)}")
    refuse_unprintable(text)
    return _told(opened, draft_event(NoteEvent, text=text, at=at), bearer.id, f"noted: {text}")


def _told(
    opened: LoadedCharacter, kept: EventDraft, unit: str, text: str, entity: Entity | None = None
) -> PlayResult:
    told = StepMessage("", text, entity.id if entity is not None else "")
    return PlayResult(change_character(opened, kept), unit, (told,))
