"""Play: procedures and abilities, changes by hand, awards of the GM.

Each verb makes one change. A procedure runs on the current character; the
log keeps its inputs and dice, from which a replay runs it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from charforge.character import play_state
from charforge.character.events import (
    LARGEST_AMOUNT,
    LONGEST_NOTE,
    AbilityEvent,
    AcquireEvent,
    ConditionEvent,
    NoteEvent,
    ProcedureEvent,
    ResourceEvent,
)
from charforge.character.state import Holding, State, Unit
from charforge.decisions.index import offered_entities
from charforge.decisions.option import Answer
from charforge.errors import RuleRefusal, UnknownId, UsageError
from charforge.expressions.template import MINUS, has_unprintable
from charforge.procedures import abilities as using, run as procedures
from charforge.procedures.context import StepMessage
from charforge.procedures.inputs import items_of, read_input, values_of
from charforge.procedures.run import ProcedureResult
from charforge.procedures.steps import refuse_unit
from charforge.replay import replay as engine
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import AnswerSource
from charforge.rules.models import Capacity, Entity, Grant, Input, Procedure, Question, Value
from charforge.rules.ruleset import Ruleset
from charforge.usecases.change import (
    EventDraft,
    change_character,
    commit_change,
    draft_event,
    try_change,
)
from charforge.usecases.dice_source import (
    DiceSource,
    ParsedInputs,
    PossibleInputs,
    TypedInputs,
    parse_inputs,
    possible_inputs,
)
from charforge.usecases.inventory import check_note, check_quantity, refuse_several, refuse_unused
from charforge.usecases.lookup import (
    ability_name,
    exact_matches,
    find_ability,
    find_entity,
    find_unit,
    has_named,
    name_matches,
)

UNSAID = TypedInputs()


@dataclass(frozen=True)
class PlayResult:
    """The character after a verb of play, the messages of its steps and its outputs."""

    after: LoadedCharacter
    unit: str
    steps: tuple[StepMessage, ...] = ()
    outputs: Mapping[str, int | str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


def apply_damage(
    opened: LoadedCharacter, amount: int, sort: str | None = None, unit: str | None = None,
    typed: TypedInputs = UNSAID,
) -> PlayResult:  # fmt: skip
    """Apply damage; ``sort`` is its damage type, for rules that have them."""
    procedure_id = opened.ruleset.head.play.damage
    return _run_procedure_for(
        opened, procedure_id, "damage", unit, typed.also(amount=amount, type=sort)
    )


def apply_healing(
    opened: LoadedCharacter, amount: int, unit: str | None = None, typed: TypedInputs = UNSAID
) -> PlayResult:
    """Heal damage, up to the maximum."""
    procedure_id = opened.ruleset.head.play.heal
    return _run_procedure_for(opened, procedure_id, "healing", unit, typed.also(amount=amount))


def roll_check(
    opened: LoadedCharacter, attribute: str, against: int | None = None, unit: str | None = None,
    typed: TypedInputs = UNSAID,
) -> PlayResult:  # fmt: skip
    """Roll a check of an attribute, or of something that the unit holds, against a score."""
    procedure_id = opened.ruleset.head.play.check
    procedure = opened.ruleset.procedures.get(procedure_id or "")
    name = attribute
    if procedure is not None:
        bearer = find_unit(opened.character.state, unit).id
        scores = [one.id for one in _checked_inputs(procedure)]
        checkable = find_checkable(opened.character.state, procedure, attribute, bearer)
        name = checkable[0] if checkable is not None else next(iter(scores), attribute)
    return _run_procedure_for(
        opened, procedure_id, "a check", unit, typed.also(**{name: attribute, "vs": against})
    )


def find_checkable(
    state: State, procedure: Procedure, named: str, unit: str
) -> tuple[str, int | str] | None:
    """Return the input of a check and its value for a name: a value's id or an item's.

    None if the name is neither a value nor an item held.
    """
    for one in _checked_inputs(procedure):
        held = list(items_of(state, one, unit)) if one.type == "item" else []
        if one.type == "value" or held:
            with suppress(ValueError):
                return one.id, read_input(state.ruleset, one, named, held)
    return None


def checkable_names(state: State, procedure: Procedure, unit: str) -> Iterator[str]:
    """Yield the names that a unit can roll a check of: ids of values, names of items."""
    for one in _checked_inputs(procedure):
        if one.type == "item":
            yield from (held.name for held in items_of(state, one, unit))
        else:
            yield from values_of(state.ruleset, one)


def _checked_inputs(procedure: Procedure) -> Iterator[Input]:
    """Yield the inputs of a check that select a value or an item to roll."""
    return (one for one in procedure.inputs if one.type in ("value", "item"))


def start_or_end_turn(
    opened: LoadedCharacter, end: bool = False, unit: str | None = None, typed: TypedInputs = UNSAID
) -> PlayResult:
    """Start a turn, or end it."""
    rules = opened.ruleset.head.play
    procedure_id = rules.turn_end if end else rules.turn
    return _run_procedure_for(
        opened, procedure_id, "the end of a turn" if end else "a turn", unit, typed
    )


def take_rest(
    opened: LoadedCharacter, sort: str | None, hours: int | None = None, unit: str | None = None,
    typed: TypedInputs = UNSAID,
) -> PlayResult:  # fmt: skip
    """Rest in one of the ways of the ruleset. Without ``sort`` raises UsageError."""
    ways = opened.ruleset.head.play.rests
    if sort is None and ways:
        rules = {way: opened.ruleset.procedure(name).label for way, name in ways.items()}
        width = max(map(len, rules))
        listed = "".join(f"\n  {way:<{width}}  {label}" for way, label in rules.items())
        raise UsageError(f"which rest?{listed}\nName one by what stands first")
    procedure_id = None if sort is None else ways.get(sort.strip().casefold())
    if sort is not None and ways and procedure_id is None:
        raise UnknownId(f"rest of {opened.ruleset.head.name}", sort, ways)
    return _run_procedure_for(opened, procedure_id, "a rest", unit, typed.also(hours=hours))


def _run_procedure_for(
    opened: LoadedCharacter,
    procedure_id: str | None,
    what: str,
    unit: str | None,
    typed: TypedInputs,
) -> PlayResult:
    """Run the procedure of a verb. Raises UsageError if the ruleset has none (``what``)."""
    if procedure_id is None:
        name = opened.ruleset.head.name
        raise UsageError(
            f"{name} has no rule for {what}", "Use spend, gain, condition or note instead."
        )
    procedure = opened.ruleset.procedure(procedure_id)
    state = opened.character.state
    bearer = find_unit(state, unit).id
    parsed = parse_inputs(state, procedure.label, procedure.inputs, procedure.steps, typed, bearer)
    dice_source = _event_dice(opened, parsed)
    run = procedures.run_procedure(
        state, procedure, parsed.inputs, dice_source, bearer, typed.choose
    )
    dice_source.refuse_unused(procedure.label)
    draft = draft_event(
        ProcedureEvent,
        procedure=procedure.id,
        unit=bearer,
        inputs=dict(run.inputs),
        faces=dict(run.faces),
    )
    return _played(opened, draft, bearer, run)


def use_named(
    opened: LoadedCharacter,
    named: str,
    action: str | None = None,
    untrained: bool = False,
    unit: str | None = None,
    typed: TypedInputs = UNSAID,
) -> PlayResult:
    """Use an ability: pay its cost and apply its effects. A procedure by its name is run.

    ``action`` selects one of several of an entity.
    """
    state = opened.character.state
    bearer = find_unit(state, unit).id
    rule = find_rule(opened.ruleset, named)
    if rule is not None and action is None and not has_named(state, bearer, named):
        return _run_procedure_for(opened, rule.id, rule.label, unit, typed)
    ability = find_ability(state, bearer, named, action)
    inputs, steps = using.ability_inputs(state, ability)
    roller = bearer if ability.attack is None else using.attack_unit(state, ability)
    known = using.attack_inputs(state, ability)
    parsed = parse_inputs(state, ability.name, inputs, steps, typed, roller, known=known)
    dice_source = _event_dice(opened, parsed)
    run = using.use_ability(state, ability, parsed.inputs, dice_source, typed.choose, untrained)
    dice_source.refuse_unused(ability.name)
    draft = draft_event(
        AbilityEvent, holding=ability.source, ability=ability.key, unit=bearer, untrained=untrained,
        inputs=dict(run.inputs), faces=dict(run.faces),
    )  # fmt: skip
    head = StepMessage("use", ability_name(state, ability), ability.entity.id)
    return _played(opened, draft, bearer, replace(run, steps=(head, *run.steps)))


def inputs_of_named(
    opened: LoadedCharacter, named: str, action: str | None = None, unit: str | None = None
) -> PossibleInputs:
    """Return the inputs of the ability or procedure that ``use_named`` would run."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    rule = find_rule(opened.ruleset, named)
    if rule is not None and action is None and not has_named(state, bearer, named):
        return inputs_of_procedure(opened, rule, unit)
    ability = find_ability(state, bearer, named, action)
    inputs, steps = using.ability_inputs(state, ability)
    roller = bearer if ability.attack is None else using.attack_unit(state, ability)
    used = None if ability.attack is not None else ability.holding
    usual = procedures.default_inputs(
        state, roller, inputs, using.attack_inputs(state, ability), used
    )
    return possible_inputs(opened.ruleset, ability_name(state, ability), inputs, steps, usual)


def inputs_of_procedure(
    opened: LoadedCharacter, rule: Procedure, unit: str | None = None
) -> PossibleInputs:
    """Return the inputs of a procedure that a unit runs."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    refuse_unit(state, rule, bearer)
    usual = procedures.default_inputs(state, bearer, rule.inputs, {})
    return possible_inputs(opened.ruleset, rule.label, rule.inputs, rule.steps, usual)


def find_rule(ruleset: Ruleset, named: str) -> Procedure | None:
    """Return the procedure with this id or label."""
    wanted = named.strip().casefold()
    for procedure in ruleset.procedures.values():
        if wanted in (procedure.id, procedure.label.casefold()):
            return procedure
    return None


def _event_dice(opened: LoadedCharacter, parsed: ParsedInputs) -> DiceSource:
    """Return the dice of the next event."""
    number = len(opened.document.log) + 1
    return DiceSource(opened.document.seed, f"event.{number}", parsed.dice)


def _played(
    opened: LoadedCharacter, draft: EventDraft, unit: str, run: ProcedureResult
) -> PlayResult:
    return PlayResult(change_character(opened, draft), unit, run.steps, run.outputs, run.labels)


def refuse_unprintable(text: str) -> None:
    """Raise UsageError for a text with control characters or several lines."""
    if has_unprintable(text) or "\n" in text:
        raise UsageError("it holds control characters or broken signs", "Write it in one line.")


# ------------------------------------------------------------------ changes by hand


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
        counter = _find_condition(_counters(state), named)
        if counter is not None:
            _refuse_too_little(counter.name, state.condition_amount(bearer, counter.id), amount)
            return change_condition(opened, counter.id, bearer, off=True, amount=amount)
    holding, capacity = _find_capacity(state, bearer, named, item)
    left = play_state.capacity_left(state, holding, capacity)
    _refuse_too_little(f"{capacity.label} in {holding.name}", left, amount)
    draft = draft_event(
        ResourceEvent, value=capacity.id, by=-amount, unit=bearer, holding=holding.id
    )
    text = f"{holding.name}: {capacity.label} {MINUS}{amount} → {left - amount}"
    return _marked(opened, draft, bearer, text, holding.entity)


def is_spendable(opened: LoadedCharacter, named: str, unit: str | None = None) -> bool:
    """Return whether a name is that of a resource or a counter, which can also be gained."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    resource = state.ruleset.value_named(named)
    if resource is not None:
        return resource.id in _spendable(state, bearer)
    return _find_condition(_counters(state), named) is not None


def _spend_resource(opened: LoadedCharacter, unit: str, value: Value, amount: int) -> PlayResult:
    state = opened.character.state
    have = state.values(unit).read(value.id)
    _changed, real = play_state.change_resource(state, unit, value.id, -amount)
    _refuse_too_little(value.label, have, amount)
    left = state.ruleset.figure_text(value.id, have + real)
    text = f"{value.label} {MINUS}{-real} → {left}"
    return _marked(
        opened, draft_event(ResourceEvent, value=value.id, by=-amount, unit=unit), unit, text
    )


def _refuse_too_little(label: str, have: int, amount: int) -> None:
    if have < amount:
        raise RuleRefusal(f"{label}: {have} left, not {amount}")


def _counters(state: State) -> Iterable[Entity]:
    for entity in state.ruleset.conditions:
        if entity.condition is not None and entity.condition.counts:
            yield entity


def _find_capacity(
    state: State, unit: str, named: str, item: str | None
) -> tuple[Holding, Capacity]:
    """Return the item and its capacity that a player names. Raises UnknownId or UsageError."""
    everything = [(h, c) for h in state.held(unit) for c in h.entity.capacities]
    candidates = exact_matches(everything, named, lambda carried: (carried[1].id, carried[1].label))
    if not candidates:
        known = [*_spendable(state, unit), *(c.id for _h, c in everything)]
        raise UnknownId("resource here", named, dict.fromkeys(known))
    carriers = candidates
    if item is not None:
        carriers = exact_matches(candidates, item, _item_names)
        carriers = carriers or name_matches(
            candidates, item, lambda carried: (carried[0].entity.name,)
        )
    if not carriers:
        raise UnknownId(f"item with {named}", item or "", [h.entity.slug for h, _c in candidates])
    if len(carriers) > 1:
        names = "".join(f"\n  {h.name}: --item {h.id}" for h, _c in carriers)
        raise UsageError(f"several items have {named}:{names}")
    return carriers[0]


def _item_names(carried: tuple[Holding, Capacity]) -> Iterable[str]:
    """Yield the names of an item with a capacity."""
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
    """Add a condition to a unit by hand, or remove it. Raises RuleRefusal if nothing changes."""
    state = opened.character.state
    bearer = find_unit(state, unit).id
    conditions = state.ruleset.conditions
    entity = _find_condition(conditions, named)
    if entity is None:
        raise UnknownId(
            f"condition of {state.ruleset.head.name}", named, [e.slug for e in conditions]
        )
    _refuse_condition(entity, amount, about)
    happens = _remove_condition if off else _add_condition
    text = happens(state, bearer, entity, amount, about)
    draft = draft_event(
        ConditionEvent,
        condition=entity.id,
        unit=bearer,
        amount=amount,
        off=off,
        about=about.strip(),
    )
    return _marked(opened, draft, bearer, text, entity)


def _find_condition(among: Iterable[Entity], named: str) -> Entity | None:
    """Return the condition with this id, slug or name, or the first words of it; None for none.

    Raises UsageError that lists several.
    """
    among = tuple(among)
    exact = exact_matches(among, named, lambda e: (e.id, e.slug, e.name))
    matches = exact[:1] or name_matches(among, named, lambda e: (e.name,))
    if len(matches) > 1:
        listed = "".join(f"\n  {entity.slug}  {entity.name}" for entity in matches)
        raise UsageError(f"{named!r} may mean several:{listed}\nName one by what stands first.")
    return matches[0] if matches else None


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


def _add_condition(state: State, unit: str, entity: Entity, amount: int | None, about: str) -> str:
    after = play_state.add_condition(state, unit, entity, amount or 1, about.strip())
    now, before = after.condition_amount(unit, entity.id), state.condition_amount(unit, entity.id)
    if entity.condition is not None and entity.condition.counts:
        if now == before:
            raise RuleRefusal(f"{entity.name} is {now} already, and cannot be more")
        return f"{entity.name} {before} → {now}"
    return f"now {entity.name}" + (f" ({about.strip()})" if about.strip() else "")


def _remove_condition(
    state: State, unit: str, entity: Entity, amount: int | None, about: str
) -> str:
    after, gone = play_state.remove_condition(state, unit, entity, amount, about.strip() or None)
    if not gone:
        raise RuleRefusal(f"{entity.name} is not there to be taken off")
    now, before = after.condition_amount(unit, entity.id), state.condition_amount(unit, entity.id)
    return f"{entity.name} {before} → {now}" if now else f"no longer {entity.name}"


def add_note(opened: LoadedCharacter, text: str, at: str, unit: str | None = None) -> PlayResult:
    """Add a note to the history; ``at`` is the time of day, from the caller's clock."""
    bearer = find_unit(opened.character.state, unit)
    text = text.strip()
    if not text:
        raise UsageError("there is nothing to note")
    if bearer.name:
        text = f"{bearer.name}: {text}"
    if len(text) > LONGEST_NOTE:
        raise UsageError(f"a note has at most {LONGEST_NOTE} characters, not {len(text)}")
    refuse_unprintable(text)
    return _marked(opened, draft_event(NoteEvent, text=text, at=at), bearer.id, f"noted: {text}")


def _marked(
    opened: LoadedCharacter, draft: EventDraft, unit: str, text: str, entity: Entity | None = None
) -> PlayResult:
    message = StepMessage("", text, entity.id if entity is not None else "")
    return PlayResult(change_character(opened, draft), unit, (message,))


# ------------------------------------------------------------------ awards beyond the rules


def find_award(state: State, named: str, unit: Unit) -> str | Entity:
    """Return the id of a resource or the entity that a player names for an award.

    Entities are those that units can hold, and conditions. Raises UnknownId
    with the nearest name, UsageError for several.
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
        known = [name for name, computed in unit.type.values.items() if computed.resource]
        known += [e.id for e in ruleset.entities.values() if e.kind in held]
        known += [e.id for e in ruleset.conditions]
        raise UnknownId("resource or entity to gain", named, known) from None


def award_resource(
    opened: LoadedCharacter, value: str, by: int, unit: Unit, note: str = ""
) -> tuple[LoadedCharacter, int]:
    """Raise a resource within its bounds; return the character and the real difference.

    Raises UsageError for a calculated value, RuleRefusal for one at its
    maximum.
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
    draft = draft_event(ResourceEvent, value=value, by=by, unit=unit.id, note=note.strip())
    return commit_change(try_change(opened, [draft])), real


def draft_award(
    state: State, entity: Entity, number: int, unit: Unit, note: str = ""
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
    award_draft: EventDraft,
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = engine.leave_open,
) -> LoadedCharacter:
    """Make an award; its decisions are answered by ``answers``, then by ``source``."""
    known_answers = dict(answers or {})
    trial = try_change(opened, [award_draft], known_answers, source)
    refuse_unused(trial, known_answers)
    return commit_change(trial)


def holder_types(ruleset: Ruleset) -> dict[str, set[str]]:
    """Return the unit types that can hold each kind: the rules grant or offer it to them.

    Every unit can hold gear. Kinds that no unit holds are missing.
    """
    first = next(iter(ruleset.units))
    holders: dict[str, set[str]] = {kind: set(ruleset.units) for kind in ruleset.head.gear.kinds}

    def add(kinds: Iterable[str], units: Iterable[str]) -> None:
        for kind in kinds:
            holders.setdefault(kind, set()).update(units)

    head = ruleset.head
    add(_granted_kinds(ruleset, head.creation_grants), [first])
    for question in (*head.creation_questions, *head.advancement.asks):
        add(_offered_kinds(ruleset, question), [first])
    for unit in ruleset.units.values():
        for question in unit.asks:
            add(_offered_kinds(ruleset, question), [unit.id])
    before = -1
    while before != (before := sum(map(len, holders.values()))):
        for entity in ruleset.entities.values():
            own_type = ruleset.kinds[entity.kind].unit
            units = [own_type] if own_type is not None else list(holders.get(entity.kind, ()))
            if units:
                add(_granted_kinds(ruleset, entity.grants), units)
                for question in entity.choices:
                    add(_offered_kinds(ruleset, question), units)
    return holders


def _granted_kinds(ruleset: Ruleset, grants: Iterable[Grant]) -> Iterator[str]:
    return (ruleset.entity(grant.id).kind for grant in grants)


def _offered_kinds(ruleset: Ruleset, question: Question) -> Iterator[str]:
    """Yield the kinds that a question offers as entities or grants with its options."""
    yield from {entity.kind for entity in offered_entities(ruleset, question)}
    for option in getattr(question, "options", ()):
        yield from _granted_kinds(ruleset, option.grants)
