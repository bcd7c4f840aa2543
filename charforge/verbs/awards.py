"""Awards of the GM beyond the rules: a resource, gear, any entity that a unit can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from shlex import quote

from charforge.character import state_changes
from charforge.character.files.events import AcquireEvent, Override, ResourceEvent
from charforge.character.requirements import Applicant, unmet_by_bearer
from charforge.character.state import State, Unit
from charforge.decisions.base import Answer
from charforge.errors import RuleRefusal, UnknownId, UsageError
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import AnswerSource, leave_open
from charforge.rules.models import Entity, Grant, Question
from charforge.rules.ruleset import Ruleset
from charforge.verbs.change import EventDraft, commit_change, draft_event, try_change
from charforge.verbs.inventory import check_note, check_quantity, refuse_several, refuse_unused
from charforge.verbs.lookup import find_entity


def find_award(state: State, named: str, unit: Unit) -> str | Entity:
    """Return the id of a resource or the entity that a player names for an award.

    Entities are those that units can hold, and conditions. Raises UnknownId
    with the nearest name, UsageError for several.
    """
    ruleset = state.ruleset
    value = ruleset.resource_named(named)
    if value is not None:
        return value.id
    holdable = holder_types(ruleset)
    try:
        return find_entity(
            ruleset, named, lambda e: e.kind in holdable or e.condition is not None, "entity"
        )
    except UnknownId:
        other = ruleset.entities.get(named.strip().casefold())
        if other is not None:
            label = ruleset.kinds[other.kind].label
            raise UsageError(
                _("{name} is a {label}, which cannot be awarded").format(
                    name=other.name, label=label
                )
            ) from None
        known = [name for name, computed in unit.type.values.items() if computed.resource]
        entries = [e for e in ruleset.entities.values() if e.kind in holdable]
        for entry in (*entries, *ruleset.conditions):
            known += [entry.name, entry.id]
        raise UnknownId(_("resource or entry to award"), named, known) from None


def usual_resource(state: State, unit: Unit) -> str:
    """Return the id of money, or of the first resource of a game without money."""
    values = unit.type.values
    resources = (name for name, computed in values.items() if computed.resource)
    return state.ruleset.head.gear.money or next(resources, "THING")


def award_resource(
    opened: LoadedCharacter, value: str, by: int, unit: Unit, note: str = ""
) -> LoadedCharacter:
    """Return the character with a resource raised within its bounds.

    Raises UsageError for a calculated value, RuleRefusal for one at its
    maximum.
    """
    if not 1 <= by <= LARGEST_AMOUNT:
        raise UsageError(
            _("award 1 to {largest_amount}, not {by}").format(largest_amount=LARGEST_AMOUNT, by=by),
            _("To reduce it, use spend."),
        )
    check_note(note)
    state = opened.character.state
    _state, difference = state_changes.change_resource(state, unit.id, value, by)
    if not difference:
        label = state.ruleset.values[value].label
        now = state.ruleset.figure_text(value, state.values(unit.id).read(value))
        raise RuleRefusal(
            _("{label} is already at its maximum of {now}").format(label=label, now=now)
        )
    draft = draft_event(ResourceEvent, value=value, by=by, unit=unit.id, note=note.strip())
    return commit_change(try_change(opened, [draft]))


def draft_award(
    state: State,
    entity: Entity,
    number: int,
    unit: Unit,
    note: str = "",
    override: Override | None = None,
) -> EventDraft:
    """Return the draft of an entity that a unit gains without paying for it.

    Raises UsageError if the unit cannot hold it, or for a number other
    than 1 of something that is not gear.
    """
    ruleset = state.ruleset
    check_note(note)
    check_quantity(number)
    if number > 1:
        if entity.kind not in ruleset.head.gear.kinds:
            raise UsageError(_("{name} can only be awarded one at a time").format(name=entity.name))
        refuse_several(entity)
    unit_types = holder_types(ruleset)[entity.kind]
    if unit.type.id not in unit_types:
        labels = _(" or ").join(ruleset.units[name].label for name in sorted(unit_types))
        holders = [
            quote(state.unit_word(other)) for other in state.units if other.type.id in unit_types
        ]
        advice = (
            _("Choose one: --unit {holders}").format(holders=" or --unit ".join(holders))
            if holders
            else ""
        )
        raise UsageError(
            _("{name} is for a {labels}, not for a {label}").format(
                name=entity.name, labels=labels, label=unit.type.label
            ),
            advice,
        )
    return draft_event(
        AcquireEvent, entity=entity.id, quantity=number, unit=unit.id, granted=True,
        note=note.strip(), override=override,
    )  # fmt: skip


def refuse_unfit(state: State, entity: Entity, unit: Unit) -> None:
    """Raise RuleRefusal for an entity that is not made for a unit, such as too large a part."""
    reasons = unmet_by_bearer(entity.requires, Applicant(state, unit.id, entity))
    if reasons:
        raise RuleRefusal(
            f"{entity.name} {'; '.join(reasons)}",
            _('If the GM allows it, add --override "GM: reason".'),
        )


def award_entity(
    opened: LoadedCharacter,
    award_draft: EventDraft,
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = leave_open,
) -> LoadedCharacter:
    """Make an award; its decisions are answered by ``answers``, then by ``source``."""
    explicit_answers = dict(answers or {})
    trial = try_change(opened, [award_draft], explicit_answers, source)
    refuse_unused(trial, explicit_answers)
    return commit_change(trial)


def holder_types(ruleset: Ruleset) -> dict[str, set[str]]:
    """Return the ids of the unit types that can hold each kind of entity.

    A type can hold what the rules grant or offer it, and gear. Kinds that
    no unit can hold are missing.
    """
    character = next(iter(ruleset.units))
    holders: dict[str, set[str]] = {kind: set(ruleset.units) for kind in ruleset.head.gear.kinds}

    def add(kinds: Iterable[str], unit_types: Iterable[str]) -> None:
        for kind in kinds:
            holders.setdefault(kind, set()).update(unit_types)

    head = ruleset.head
    add(_granted_kinds(ruleset, head.creation_grants), [character])
    for question in (*head.creation_questions, *head.advancement.asks):
        add(_offered_kinds(ruleset, question), [character])
    for unit in ruleset.units.values():
        for question in unit.asks:
            add(_offered_kinds(ruleset, question), [unit.id])
    before = -1
    while before != (before := sum(map(len, holders.values()))):
        for entity in ruleset.entities.values():
            own_type = ruleset.kinds[entity.kind].unit
            unit_types = [own_type] if own_type is not None else list(holders.get(entity.kind, ()))
            if unit_types:
                add(_granted_kinds(ruleset, entity.all_grants), unit_types)
                for question in entity.choices:
                    add(_offered_kinds(ruleset, question), unit_types)
    return holders


def _granted_kinds(ruleset: Ruleset, grants: Iterable[Grant]) -> Iterator[str]:
    return (ruleset.entity(grant.id).kind for grant in grants)


def _offered_kinds(ruleset: Ruleset, question: Question) -> Iterator[str]:
    """Yield the kinds that a question offers as entities or grants with its options."""
    yield from {entity.kind for entity in ruleset.offered(question)}
    for option in question.listed_options:
        yield from _granted_kinds(ruleset, option.grants)
