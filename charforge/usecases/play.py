"""What is done at the table: each verb one change, told step by step.

A procedure is run on the character as it is; what is kept of it are its
inputs and dice, from which each replay runs it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from charforge.character.events import AbilityEvent, ProcedureEvent
from charforge.character.state import State
from charforge.errors import UnknownId, UsageError
from charforge.expressions.template import has_unprintable
from charforge.procedures import abilities as using, run as procedures
from charforge.procedures.context import StepMessage
from charforge.procedures.inputs import items_of, read_input, values_of
from charforge.procedures.run import ProcedureResult
from charforge.procedures.steps import refuse_unit
from charforge.replay.loaded import LoadedCharacter
from charforge.rules.models import Input, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.usecases.abilities import ability_name, find_ability, has_named
from charforge.usecases.change import EventDraft, change_character, draft_event
from charforge.usecases.dice_source import (
    DiceSource,
    ParsedInputs,
    PossibleInputs,
    TypedInputs,
    parse_inputs,
    possible_inputs,
)
from charforge.usecases.lookup import find_unit

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
