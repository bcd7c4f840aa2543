"""Changes by hand, which no rule of the game makes: spend, conditions, notes, awards of the GM."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from shlex import quote

from charforge.character import state_changes
from charforge.character.files.events import (
    LONGEST_NOTE,
    AcquireEvent,
    ConditionEvent,
    NoteEvent,
    Override,
    ResourceEvent,
)
from charforge.character.requirements import Applicant, unmet_by_bearer
from charforge.character.state import CHARACTER, Holding, State, Unit, find_unit
from charforge.character.state_data import about_subject
from charforge.decisions.base import Answer
from charforge.describe.differences import differences_in_play, state_differences
from charforge.errors import FILE, AmbiguousName, RuleRefusal, UnknownId, UsageError
from charforge.expressions.formula import SHARED
from charforge.expressions.template import has_unprintable, number_text, signed_number
from charforge.language import _, ngettext
from charforge.limits import LARGEST_AMOUNT, LARGEST_QUANTITY, MAX_LISTED
from charforge.procedures.context import StepMessage
from charforge.replay.loaded_character import NAME_SHARED_FILE, LoadedCharacter
from charforge.replay.replay import AnswerSource, leave_open
from charforge.rules.models import Capacity, Entity, Grant, Question, Value
from charforge.rules.names import ambiguous_name, exact_matches, name_matches
from charforge.rules.ruleset import Ruleset
from charforge.verbs.change import (
    EventDraft,
    PlayResult,
    change_character,
    commit_change,
    draft_event,
    try_change,
)
from charforge.verbs.inventory import check_note, check_quantity, refuse_several, refuse_unused
from charforge.verbs.lookup import find_entity, holding_description
from charforge.verbs.unit_status import player_conditions

# ------------------------------------------------------------------ resources


def spend_resource(
    opened: LoadedCharacter,
    named: str,
    amount: int = 1,
    unit_id: str | None = None,
    item: str | None = None,
) -> PlayResult:
    """Spend a resource, a counter, or what an item carries. Raises RuleRefusal for too little."""
    if amount < 1:
        raise UsageError(
            _("the amount must be at least 1"), _("To get some back, use award or heal.")
        )
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    if item is None:
        named = _spent_word(state, bearer, named)
        resource = state.ruleset.resource_named(named)
        if resource is not None:
            return _spend_value(opened, bearer, resource, amount)
        shared = state.ruleset.shared_named(named)
        if shared is not None:
            return _spend_shared(opened, shared, amount)
        counter = find_condition(_counters(state), named)
        if counter is not None:
            _refuse_too_little(counter.name, state.condition_amount(bearer, counter.id), amount)
            return change_condition(opened, counter.id, bearer, off=True, amount=amount)
    holding, capacity = _find_capacity(state, bearer, named, item)
    left = state_changes.capacity_left(state, holding, capacity)
    _refuse_too_little(
        _("{label} in {name}").format(label=capacity.label, name=holding.name), left, amount
    )
    draft = draft_event(
        ResourceEvent, value=capacity.id, by=-amount, unit=bearer, holding=holding.id
    )
    text = f"{holding.name}: {capacity.label} {signed_number(-amount)} → {left - amount}"
    return _changed(opened, draft, bearer, text, holding.entity)


def is_spendable(opened: LoadedCharacter, named: str, unit_id: str | None = None) -> bool:
    """Return whether a name is that of a resource or a counter, which can also be gained."""
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    resource = state.ruleset.resource_named(_spent_word(state, bearer, named))
    if resource is not None:
        return resource.id in _spendable(state, bearer)
    if state.ruleset.shared_named(named) is not None:
        return True
    return find_condition(_counters(state), named) is not None


def _spent_word(state: State, unit_id: str, named: str) -> str:
    """Return the id of the only thing to spend that begins like a name, or else the name.

    Raises AmbiguousName.
    """
    ruleset = state.ruleset
    if ruleset.resource_named(named) is not None or ruleset.shared_named(named) is not None:
        return named
    spendable = [(name, _spent_label(state, name)) for name in _spendable(state, unit_id)]
    carried = {c.id: c.label for h in state.held(unit_id) for c in h.entity.capacities}
    return _only_id([*spendable, *carried.items()], named) or named


def _only_id(among: Sequence[tuple[str, str]], named: str) -> str:
    """Return the id of the only pair of an id and a label that begins like a name; else nothing.

    Raises AmbiguousName.
    """
    labels = dict(name_matches(among, named, lambda one: one))
    if len(labels) > 1:
        raise ambiguous_name(named, ((label, id_) for id_, label in labels.items()))
    return next(iter(labels), "")


def _spend_value(opened: LoadedCharacter, unit_id: str, value: Value, amount: int) -> PlayResult:
    state = opened.character.state
    have = state.values(unit_id).read(value.id)
    _state, difference = state_changes.change_resource(state, unit_id, value.id, -amount)
    _refuse_too_little(value.noun(have), have, amount)
    left = state.ruleset.figure_text(value.id, have + difference)
    text = f"{value.label} {signed_number(difference)} → {left}"
    draft = draft_event(ResourceEvent, value=value.id, by=-amount, unit=unit_id)
    return _changed(opened, draft, unit_id, text)


def _spend_shared(opened: LoadedCharacter, name: str, amount: int) -> PlayResult:
    """Spend something that the group owns, named as in formulas."""
    state = opened.character.state
    refuse_unshared(state, name)
    have, label = state.shared_figure(name), state.ruleset.value_label(name)
    after, difference = state_changes.change_resource(state, CHARACTER, name, -amount)
    _refuse_too_little(label, have, amount)
    text = f"{label} {signed_number(difference)} → {number_text(after.shared_figure(name))}"
    return _changed(opened, draft_event(ResourceEvent, value=name, by=-amount), CHARACTER, text)


def refuse_unshared(state: State, name: str) -> None:
    """Raise RuleRefusal to change what the group owns where no file of that is known."""
    if state.shared is None:
        raise RuleRefusal(
            _("no campaign file here says which file {label} is in").format(
                label=state.ruleset.value_label(name)
            ),
            _(NAME_SHARED_FILE),
        )


def _refuse_too_little(label: str, have: int, amount: int) -> None:
    if have < amount:
        raise RuleRefusal(
            _("only {have} {label} left, not {amount}").format(
                have=number_text(have), label=label, amount=number_text(amount)
            )
        )


def _counters(state: State) -> Iterator[Entity]:
    """Yield the conditions that have an amount."""
    for entity in state.ruleset.conditions:
        if entity.counts:
            yield entity


def _find_capacity(
    state: State, unit_id: str, named: str, item: str | None
) -> tuple[Holding, Capacity]:
    """Return the item and its capacity that a player names. Raises UnknownId or UsageError."""
    everything = [(h, c) for h in state.held(unit_id) for c in h.entity.capacities]
    candidates = exact_matches(everything, named, lambda pair: (pair[1].id, pair[1].label))
    if not candidates:
        spendable = {name: _spent_label(state, name) for name in _spendable(state, unit_id)}
        carried = {capacity.id: capacity.label for _h, capacity in everything}
        # Labels last: of equally near names, the last is proposed.
        names = [*spendable, *carried, *spendable.values(), *carried.values()]
        listed = [spendable[name] for name in spendable if _has_some(state, unit_id, name)]
        known = [*dict.fromkeys([*listed, *carried.values()])]
        if left := len(known[MAX_LISTED:]):
            known[MAX_LISTED:] = [_("others ({count})").format(count=left)]
        raise UnknownId(_("resource or counter"), named, names, known)
    matches = candidates
    if item is not None:
        matches = exact_matches(candidates, item, _item_names) or name_matches(
            candidates, item, lambda pair: (pair[0].entity.name,)
        )
    if not matches:
        raise UnknownId(
            _("item with {named}").format(named=named),
            item or "",
            [h.entity.slug for h, _c in candidates],
        )
    if len(matches) > 1:
        ways = ((h.name, (f"--item={h.id}",)) for h, _c in matches)
        raise AmbiguousName(_("several items have {named}").format(named=named), "", ways)
    return matches[0]


def _spent_label(state: State, name: str) -> str:
    """Return what players call a resource or a counter."""
    counter = find_condition(_counters(state), name)
    return state.ruleset.value_label(name) if counter is None else counter.name


def _item_names(pair: tuple[Holding, Capacity]) -> Iterator[str]:
    holding, _capacity = pair
    yield from (holding.id, holding.entity.id, holding.entity.slug, holding.name)


def _spendable(state: State, unit_id: str) -> Iterator[str]:
    """Yield the resources and counters of a unit."""
    values = state.unit(unit_id).type.values
    yield from (name for name, computed in values.items() if computed.resource)
    yield from (
        entity.slug for entity in _counters(state) if state.condition_amount(unit_id, entity.id)
    )


def _has_some(state: State, unit_id: str, name: str) -> bool:
    """Return whether a unit has some of a resource or counter, or its status shows it at 0."""
    if name in state.ruleset.values:
        return name in state.ruleset.head.play.line or state.values(unit_id).read(name) > 0
    return True


# ------------------------------------------------------------------ conditions


def change_condition(
    opened: LoadedCharacter,
    named: str,
    unit_id: str | None = None,
    off: bool = False,
    amount: int | None = None,
    about: str = "",
    turns: int | None = None,
) -> PlayResult:
    """Add a condition to a unit, or remove it. Raises RuleRefusal if nothing changes.

    ``amount`` is for conditions that count, ``about`` says whom or what it
    concerns, ``turns`` how long it lasts.
    """
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    conditions = state.ruleset.conditions
    entity = find_condition(conditions, named)
    if entity is None:
        game = state.ruleset.head.name
        usual = [known.name for known in player_conditions(state, bearer)]
        names = (word for known in conditions for word in (known.slug, known.name))
        raise UnknownId(_("condition of {game}").format(game=game), named, names, usual)
    _refuse_condition(entity, amount, about)
    about = _subject_id(state, bearer, entity, about.strip())
    if turns is not None:
        _refuse_turns(entity, turns, off)
    text = (
        _remove_condition(state, bearer, entity, amount, about)
        if off
        else _add_condition(state, bearer, entity, amount, about, turns)
    )
    draft = draft_event(
        ConditionEvent, condition=entity.id, unit=bearer, amount=amount, off=off,
        about=about, turns=turns,
    )  # fmt: skip
    return _changed(opened, draft, bearer, text, entity)


def _subject_id(state: State, unit_id: str, entity: Entity, about: str) -> str:
    """Return what a condition is about as the log keeps it: the id of a value or item, or a name.

    Ids only for the conditions that rules put on about a value or an item. A label is of one
    language, the file is for all. Somebody can be called like a value. Raises AmbiguousName.
    """
    if not about:
        return ""
    ruleset = state.ruleset
    present = {
        condition.about
        for _n, condition in state_changes.concerning(state, unit_id, entity.id, about)
    } or {
        condition.about
        for _n, condition in state.conditions.numbered(unit_id, entity.id)
        if condition.subject.casefold() == about.casefold()
    }
    if len(present) == 1:
        return present.pop()
    kind = ruleset.conditions_about.get(entity.id)
    value = ruleset.value_called(about) if kind == "value" else None
    if value is not None:
        return value.id
    items = state.held(unit_id) if kind == "item" else ()
    named = name_matches(items, about, lambda item: (item.name,))
    if len(named) > 1:
        raise ambiguous_name(about, ((item.name, item.id) for item in named))
    return named[0].id if named else about


def find_condition(among: Iterable[Entity], named: str) -> Entity | None:
    """Return the condition with this id, slug or name, or the first words of it; None for none.

    Raises AmbiguousName.
    """
    among = tuple(among)
    exact = exact_matches(among, named, lambda entity: (entity.id, entity.slug, entity.name))
    matches = exact[:1] or name_matches(among, named, lambda entity: (entity.name,))
    if len(matches) > 1:
        raise ambiguous_name(named, ((entity.name, entity.slug) for entity in matches))
    return matches[0] if matches else None


def _refuse_condition(entity: Entity, amount: int | None, about: str) -> None:
    """Raise RuleRefusal or UsageError for a condition that cannot be changed like this."""
    if entity.active_when is not None:
        raise RuleRefusal(
            _("{name} depends on your other values, so you cannot add or remove it").format(
                name=entity.name
            )
        )
    if amount is not None:
        if entity.condition is None or not entity.condition.counts:
            raise UsageError(
                _("{name} has no amount").format(name=entity.name), _("Leave out --amount.")
            )
        if not 1 <= amount <= LARGEST_QUANTITY:
            raise UsageError(
                _("the amount must be from 1 to {most}, not {amount}").format(
                    most=LARGEST_QUANTITY, amount=amount
                )
            )
    refuse_unprintable(about)


def _refuse_turns(entity: Entity, turns: int, off: bool) -> None:
    """Raise UsageError for a duration that a condition cannot have."""
    if off or entity.condition is None or not entity.condition.until:
        raise UsageError(
            _("{name} does not last for a number of turns").format(name=entity.name),
            _("Leave out --turns."),
        )
    if not 1 <= turns <= LARGEST_QUANTITY:
        raise UsageError(
            _("the number of turns must be from 1 to {most}, not {turns}").format(
                most=LARGEST_QUANTITY, turns=turns
            )
        )


def _add_condition(
    state: State, unit_id: str, entity: Entity, amount: int | None, about: str, turns: int | None
) -> str:
    """Return the message of a condition being added. Raises RuleRefusal."""
    after = state_changes.add_condition(state, unit_id, entity, amount or 1, about, turns)
    lasting = (
        ngettext(", for {turns} turn", ", for {turns} turns", turns).format(turns=turns)
        if turns is not None
        else ""
    )
    before, now = (
        state_changes.amount_about(one, unit_id, entity, about) for one in (state, after)
    )
    named = about_subject(entity.name, state_changes.condition_subject(state, entity, about))
    if entity.counts:
        if now == before:
            raise RuleRefusal(
                _("{name} is already at its maximum of {now}").format(name=entity.name, now=now)
            )
        return f"{named} {before} → {now}{lasting}"
    text = _("still {name}") if now == before else _("now {name}")
    return text.format(name=named) + lasting


def _whose_condition(state: State, unit_id: str, entity: Entity) -> str:
    """Return how to name the only other unit with a condition; empty if there are none or more."""
    others = [o for o in state.units if o.id != unit_id and state.condition_amount(o.id, entity.id)]
    if len(others) != 1:
        return ""
    if not others[0].name:
        return _("It is a condition of the character: leave out --unit.")
    return _("It is a condition of {name}: add --unit {word}.").format(
        name=others[0].name, word=quote(state.unit_word(others[0]))
    )


def _remove_condition(
    state: State, unit_id: str, entity: Entity, amount: int | None, about: str
) -> str:
    """Return the message of a condition being removed. Raises RuleRefusal."""
    after, removed = state_changes.remove_condition(state, unit_id, entity, amount, about or None)
    if not removed:
        raise RuleRefusal(
            _("{name} does not apply now").format(name=entity.name),
            _whose_condition(state, unit_id, entity),
        )
    before, now = (
        state_changes.amount_about(one, unit_id, entity, about) for one in (state, after)
    )
    named = about_subject(entity.name, state_changes.condition_subject(state, entity, about))
    if now and entity.counts:
        return f"{named} {before} → {now}"
    return _("no longer {name}").format(name=named)


# ------------------------------------------------------------------ notes


def add_note(opened: LoadedCharacter, text: str, at: str, unit_id: str | None = None) -> PlayResult:
    """Add a note to the history; ``at`` is the time of day, from the caller's clock."""
    bearer = find_unit(opened.character.state, unit_id)
    text = text.strip()
    if not text:
        raise UsageError(_("the note is empty"))
    if bearer.name:
        text = f"{bearer.name}: {text}"
    if len(text) > LONGEST_NOTE:
        raise UsageError(
            _("the note has {count} characters; the limit is {longest_note}").format(
                count=len(text), longest_note=LONGEST_NOTE
            )
        )
    refuse_unprintable(text)
    draft = draft_event(NoteEvent, text=text, at=at)
    return _changed(opened, draft, bearer.id, _("noted: {text}").format(text=text))


def refuse_unprintable(text: str) -> None:
    """Raise UsageError for a text with control characters or several lines."""
    if has_unprintable(text) or "\n" in text:
        raise UsageError(
            _("the text has control characters or line breaks"), _("Write it in one line.")
        )


def _changed(
    opened: LoadedCharacter,
    draft: EventDraft,
    unit_id: str,
    text: str,
    entity: Entity | None = None,
) -> PlayResult:
    message = StepMessage("", text, entity.id if entity is not None else "")
    return PlayResult(change_character(opened, draft), unit_id, (message,))


# ------------------------------------------------------------------ awards


def award(
    opened: LoadedCharacter,
    found: str | Entity,
    number: int | None = None,
    unit_id: str | None = None,
    note: str = "",
    override: Override | None = None,
    answers: Callable[[EventDraft], Mapping[str, Answer]] = lambda _draft: {},
) -> PlayResult:
    """Award what ``find_award`` found: a resource, a condition or a thing.

    ``answers`` returns the answers to the choices of a thing, by the draft of its event;
    ``override`` allows a thing that the rules forbid.
    """
    state = opened.character.state
    unit = find_unit(state, unit_id)
    amount = 1 if number is None else number
    if isinstance(found, str):
        return award_resource(opened, found, amount, unit, note)
    if found.condition is None:
        draft = draft_award(state, found, amount, unit, note, override)
        if override is None:
            refuse_unfit(state, found, unit)
        return award_entity(opened, draft, answers(draft))
    if note:
        raise UsageError(
            _("a condition cannot have a note"), _("Use: {command}"), ["note", FILE, "TEXT"]
        )
    changed = change_condition(opened, found.id, unit.id, amount=number)
    return replace(changed, heading=opened.document.name)


def find_award(state: State, named: str, unit: Unit) -> str | Entity:
    """Return the id of a resource or the entity that a player names for an award.

    A resource of what the group owns is ``shared.ID``.

    Entities are those that units can hold, and conditions. Raises UnknownId
    with the nearest name, UsageError for several.
    """
    ruleset = state.ruleset
    value = ruleset.resource_named(named)
    if value is not None:
        return value.id
    shared = ruleset.shared_named(named)
    if shared is not None:
        return shared
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
                _("{name} ({label}) cannot be awarded").format(name=other.name, label=label)
            ) from None
        known = [name for name, computed in unit.type.values.items() if computed.resource]
        if resource := _only_id([(name, ruleset.value_label(name)) for name in known], named):
            return resource
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
) -> PlayResult:
    """Raise a resource within its bounds.

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
    if value.startswith(SHARED):
        refuse_unshared(state, value)
    _state, difference = state_changes.change_resource(state, unit.id, value, by)
    if not difference:
        label = state.ruleset.value_label(value)
        now = state.ruleset.figure_text(value, state.values(unit.id).read(value))
        raise RuleRefusal(
            _("{label} is already at its maximum of {now}").format(label=label, now=now)
        )
    draft = draft_event(ResourceEvent, value=value, by=by, unit=unit.id, note=note.strip())
    after = commit_change(try_change(opened, [draft]))
    differences = differences_in_play(state, after.character.state)
    return PlayResult.of_texts(after, (), unit.id, differences)


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
) -> PlayResult:
    """Award a thing; its decisions are answered by ``answers``, then by ``source``."""
    explicit_answers = dict(answers or {})
    trial = try_change(opened, [award_draft], explicit_answers, source)
    refuse_unused(trial, explicit_answers)
    after = commit_change(trial)
    old, new = opened.character.state, after.character.state
    gained = (holding for holding in new.holdings if old.holding(holding.id) is None)
    texts = (f"+ {_gained_text(new, holding)}" for holding in gained)
    differences = (one for one in state_differences(old, new) if one.old is not None)
    return PlayResult.of_texts(after, texts, award_draft.fields["unit"], differences)


def _gained_text(state: State, holding: Holding) -> str:
    """Return a holding that was awarded with its choices, and its kind unless it is gear."""
    kind, text = holding.entity.kind, holding_description(state, holding)
    is_gear = kind in state.ruleset.head.gear.kinds
    return text if is_gear else f"{text} ({state.ruleset.kinds[kind].label})"


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
