"""What is done at the table: each verb one change, told step by step.

A procedure is run on the character as it is; what is kept of it are its
inputs and dice, from which each replay runs it again.
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
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.replay import AnswerSource
from charforge.rules.models import Ask, Capacity, Entity, Give, Grant, Input, Procedure, Value
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
    """What was played: the character after it, what happened, what came out."""

    after: LoadedCharacter
    unit: str
    steps: tuple[StepMessage, ...] = ()
    outputs: Mapping[str, int | str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)


def apply_damage(
    opened: LoadedCharacter, amount: int, sort: str | None = None, unit: str | None = None,
    said: TypedInputs = UNSAID,
) -> PlayResult:  # fmt: skip
    """Take damage, of a damage type where that matters."""
    wanted = opened.ruleset.head.play.damage
    return _serve(opened, wanted, "damage", unit, said.also(amount=amount, type=sort))


def apply_healing(
    opened: LoadedCharacter, amount: int, unit: str | None = None, said: TypedInputs = UNSAID
) -> PlayResult:
    """Regain what damage took."""
    wanted = opened.ruleset.head.play.heal
    return _serve(opened, wanted, "healing", unit, said.also(amount=amount))


def roll_check(
    opened: LoadedCharacter, attribute: str, against: int | None = None, unit: str | None = None,
    said: TypedInputs = UNSAID,
) -> PlayResult:  # fmt: skip
    """Roll an attribute, or something of one's own, against a score."""
    wanted = opened.ruleset.head.play.check
    procedure = opened.ruleset.procedures.get(wanted or "")
    name = attribute
    if procedure is not None:
        bearer = find_unit(opened.character.state, unit).id
        scores = [one.id for one in _scores(procedure)]
        meant = find_checkable(opened.character.state, procedure, attribute, bearer)
        name = meant[0] if meant is not None else next(iter(scores), attribute)
    return _serve(opened, wanted, "a check", unit, said.also(**{name: attribute, "vs": against}))


def find_checkable(
    state: State, procedure: Procedure, named: str, unit: str
) -> tuple[str, int | str] | None:
    """Return the input of a check that a name is for, and what it says for it.

    It is a value's, or that of an item held; None where it is for neither.
    """
    for one in _scores(procedure):
        held = list(items_of(state, one, unit)) if one.type == "item" else []
        if one.type == "value" or held:
            with suppress(ValueError):
                return one.id, read_input(state.ruleset, one, named, held)
    return None


def checkable_names(state: State, procedure: Procedure, unit: str) -> Iterator[str]:
    """Yield what a unit can name for a check: ids of values, names of what it holds."""
    for one in _scores(procedure):
        if one.type == "item":
            yield from (held.name for held in items_of(state, one, unit))
        else:
            yield from values_of(state.ruleset, one)


def _scores(procedure: Procedure) -> Iterator[Input]:
    """Yield the inputs of a check that say what is rolled."""
    return (one for one in procedure.inputs if one.type in ("value", "item"))


def start_or_end_turn(
    opened: LoadedCharacter, end: bool = False, unit: str | None = None, said: TypedInputs = UNSAID
) -> PlayResult:
    """Begin a turn, or end it."""
    served = opened.ruleset.head.play
    wanted = served.turn_end if end else served.turn
    return _serve(opened, wanted, "the end of a turn" if end else "a turn", unit, said)


def take_rest(
    opened: LoadedCharacter, sort: str | None, hours: int | None = None, unit: str | None = None,
    said: TypedInputs = UNSAID,
) -> PlayResult:  # fmt: skip
    """Rest in one of the ways that the ruleset knows; they are named where none is meant."""
    ways = opened.ruleset.head.play.rests
    if sort is None and ways:
        rules = {way: opened.ruleset.procedure(name).label for way, name in ways.items()}
        width = max(map(len, rules))
        listed = "".join(f"\n  {way:<{width}}  {label}" for way, label in rules.items())
        raise UsageError(f"which rest?{listed}\nName one by what stands first")
    wanted = None if sort is None else ways.get(sort.strip().casefold())
    if sort is not None and ways and wanted is None:
        raise UnknownId(f"rest of {opened.ruleset.head.name}", sort, ways)
    return _serve(opened, wanted, "a rest", unit, said.also(hours=hours))


def _serve(
    opened: LoadedCharacter, wanted: str | None, what: str, unit: str | None, said: TypedInputs
) -> PlayResult:
    """Run the procedure that serves a verb."""
    if wanted is None:
        name = opened.ruleset.head.name
        raise UsageError(
            f"{name} has no rule for {what}", "Use spend, gain, condition or note instead."
        )
    procedure = opened.ruleset.procedure(wanted)
    state = opened.character.state
    bearer = find_unit(state, unit).id
    heard = parse_inputs(state, procedure.label, procedure.inputs, procedure.steps, said, bearer)
    thrown = _thrown(opened, heard)
    run = procedures.run_procedure(state, procedure, heard.inputs, thrown, bearer, said.choose)
    thrown.refuse_unused(procedure.label)
    kept = draft_event(
        ProcedureEvent,
        procedure=procedure.id,
        unit=bearer,
        inputs=dict(run.inputs),
        faces=dict(run.faces),
    )
    return _done(opened, kept, bearer, run)


def use_named(
    opened: LoadedCharacter,
    named: str,
    action: str | None = None,
    untrained: bool = False,
    unit: str | None = None,
    said: TypedInputs = UNSAID,
) -> PlayResult:
    """Use an ability: pay for it, and take what it does.

    What is no ability but a rule of its own, such as a fall, is run.
    """
    state = opened.character.state
    bearer = find_unit(state, unit).id
    rule = find_rule(opened.ruleset, named)
    if rule is not None and action is None and not has_named(state, bearer, named):
        return _serve(opened, rule.id, rule.label, unit, said)
    ability = find_ability(state, bearer, named, action)
    inputs, steps = using.ability_inputs(state, ability)
    roller = bearer if ability.attack is None else using.attack_unit(state, ability)
    known = using.attack_inputs(state, ability)
    heard = parse_inputs(state, ability.name, inputs, steps, said, roller, known=known)
    thrown = _thrown(opened, heard)
    run = using.use_ability(state, ability, heard.inputs, thrown, said.choose, untrained)
    thrown.refuse_unused(ability.name)
    kept = draft_event(
        AbilityEvent, holding=ability.source, ability=ability.key, unit=bearer, untrained=untrained,
        inputs=dict(run.inputs), faces=dict(run.faces),
    )  # fmt: skip
    head = StepMessage("use", ability_name(state, ability), ability.entity.id)
    return _done(opened, kept, bearer, replace(run, steps=(head, *run.steps)))


def inputs_of_named(
    opened: LoadedCharacter, named: str, action: str | None = None, unit: str | None = None
) -> PossibleInputs:
    """Return what the ability or rule that ``use`` would mean can be told."""
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
    """Return what a rule can be told that a unit runs."""
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


def _thrown(opened: LoadedCharacter, heard: ParsedInputs) -> DiceSource:
    """Return the dice of the event to come."""
    number = len(opened.document.log) + 1
    return DiceSource(opened.document.seed, f"event.{number}", heard.dice)


def _done(opened: LoadedCharacter, kept: EventDraft, unit: str, run: ProcedureResult) -> PlayResult:
    return PlayResult(change_character(opened, kept), unit, run.steps, run.outputs, run.labels)


def refuse_unprintable(text: str) -> None:
    """Raise UsageError for a text that no terminal should be sent."""
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


# ------------------------------------------------------------------ awards beyond the rules


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
