"""Play by the rules: damage, healing, checks, turns, rests, and using abilities.

Each function makes one change: it runs a procedure or uses an ability on the
current character, and adds one event to the log with the inputs and dice
used, from which a replay runs it again. Changes that no rule makes are in
``manual_changes``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from charforge.character.files.document import Document
from charforge.character.files.events import AbilityEvent, Override, ProcedureEvent
from charforge.character.state import CHARACTER, Holding, State, Unit, find_unit
from charforge.describe.differences import differences_in_play
from charforge.errors import (
    FILE,
    AmbiguousName,
    CharforgeError,
    ProcedureError,
    RuleRefusal,
    UnknownId,
    UsageError,
    WrongUnit,
    shorten,
)
from charforge.language import _
from charforge.procedures import abilities, run as procedures
from charforge.procedures.abilities import Ability
from charforge.procedures.context import RunSettings, StepMessage
from charforge.procedures.inputs import DiceSource, LowestDice, items_of, read_input, values_of
from charforge.procedures.run import ProcedureResult
from charforge.procedures.steps import refuse_unit
from charforge.procedures.use import Permit, refuse_before_inputs, use_ability
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Input, Procedure
from charforge.rules.names import name_matches
from charforge.verbs.change import (
    EventDraft,
    PlayResult,
    change_character,
    draft_carry,
    draft_event,
    refuse_out_of_play,
)
from charforge.verbs.lookup import ability_name, find_ability, named_rule, with_other_abilities
from charforge.verbs.typed_inputs import (
    NO_VALUES,
    CommandInputs,
    PlannedRun,
    PossibleInputs,
    TypedInputs,
    choose_scores,
    names_not_taken,
    parse_inputs,
    possible_inputs,
)
from charforge.verbs.unit_status import unit_status

NOTHING_TYPED = TypedInputs()
# Inputs that commands give, see CommandInputs.
AGAINST, UNTRAINED = "vs", "untrained"


# ------------------------------------------------------------------ rules of the game


def apply_damage(
    opened: LoadedCharacter,
    amount: int,
    damage_type: str | None = None,
    unit_id: str | None = None,
    typed: TypedInputs = NOTHING_TYPED,
) -> PlayResult:
    """Apply damage of a type, for rules that have types."""
    check_amount(amount)
    inputs = typed.of_command(CommandInputs(amount=amount, type=damage_type))
    return use_procedure(opened, damage_rule(opened), unit_id, inputs)


def damage_rule(opened: LoadedCharacter) -> Procedure:
    """Return the procedure of damage. Raises UsageError if the game has none."""
    return _rule_for(_("damage"), opened, opened.ruleset.head.play.damage)


def healing_rule(opened: LoadedCharacter) -> Procedure:
    """Return the procedure of healing."""
    return _rule_for(_("healing"), opened, opened.ruleset.head.play.heal)


def turn_rule(opened: LoadedCharacter, end: bool = False) -> Procedure:
    """Return the procedure that starts a turn, or that ends it."""
    rules = opened.ruleset.head.play
    if end:
        return _rule_for(_("the end of a turn"), opened, rules.turn_end)
    return _rule_for(_("a turn"), opened, rules.turn)


def check_rule(opened: LoadedCharacter) -> Procedure:
    """Return the procedure of a check."""
    return _rule_for(_("a check"), opened, opened.ruleset.head.play.check)


def apply_healing(
    opened: LoadedCharacter,
    amount: int,
    unit_id: str | None = None,
    typed: TypedInputs = NOTHING_TYPED,
) -> PlayResult:
    """Heal damage, up to the maximum. Raises RuleRefusal if that changes nothing."""
    check_amount(amount)
    healed = use_procedure(
        opened, healing_rule(opened), unit_id, typed.of_command(CommandInputs(amount=amount))
    )
    if healed.after.character.state == opened.character.state:
        raise RuleRefusal(_("there is nothing to heal"))
    return healed


def check_amount(amount: int) -> None:
    """Raise UsageError for an amount that changes nothing, or the opposite."""
    if amount < 1:
        raise UsageError(_("the amount must be at least 1"))


def start_or_end_turn(
    opened: LoadedCharacter,
    end: bool = False,
    unit_id: str | None = None,
    typed: TypedInputs = NOTHING_TYPED,
) -> PlayResult:
    """Start a turn, or end it: of a unit, or of the character and all who share its turn.

    Ending a turn also says whose it was and which conditions last.
    """
    rule = turn_rule(opened, end)
    done = _run_for_all(opened, rule, unit_id, typed)
    if not end:
        return done
    units = _units_of_turn(opened.character.state, rule, unit_id)
    return replace(done, texts=tuple(_turn_end_texts(done.after, units)))


def _turn_end_texts(after: LoadedCharacter, units: Sequence[str]) -> Iterator[str]:
    """Yield whose turn is over, and the conditions that each of these units still has."""
    state = after.character.state
    names = {unit: state.unit(unit).name or after.document.name for unit in units}
    yield _("End of turn: {names}").format(names=", ".join(names.values()))
    for unit, name in names.items():
        if lasting := unit_status(state, unit).conditions:
            message = _("Still active: {names}")
            if len(names) > 1:
                message = _("Still active ({name}): {names}")
            yield message.format(name=name, names=", ".join(lasting))


def end_combat(opened: LoadedCharacter) -> PlayResult:
    """End combat for the character and all who share its turn."""
    rule = opened.ruleset.head.play.combat_end
    return _run_for_all(
        opened, _rule_for(_("the end of combat"), opened, rule), None, NOTHING_TYPED
    )


def take_rest(
    opened: LoadedCharacter,
    kind: str | None,
    hours: int | None = None,
    unit_id: str | None = None,
    typed: TypedInputs = NOTHING_TYPED,
) -> PlayResult:
    """Take a kind of rest of the ruleset, as ``start_or_end_turn`` does.

    If its rule reports nothing, the result lists what changed. Raises as ``rest_rule`` does.
    """
    inputs = typed.of_command(CommandInputs(hours=hours))
    done = _run_for_all(opened, rest_rule(opened, kind), unit_id, inputs)
    if any(step.text for step in done.steps):
        return done
    before, after = opened.character.state, done.after.character.state
    if changed := tuple(differences_in_play(before, after)):
        return replace(done, differences=changed)
    restored = before.uses != after.uses
    text = _("Limited uses are restored.") if restored else _("There was nothing to restore.")
    return replace(done, texts=(text,))


def rest_rule(opened: LoadedCharacter, kind: str | None) -> Procedure:
    """Return the procedure of a kind of rest. Raises AmbiguousName without a kind, UnknownId."""
    rests = opened.ruleset.head.play.rests
    labels = {name: opened.ruleset.procedure(rule).label for name, rule in rests.items()}
    found = [*rests] if kind is None else name_matches(rests, kind, lambda r: (r, labels[r]))
    if kind is not None and rests and not found:
        raise UnknownId(_("rest of {name}").format(name=opened.ruleset.head.name), kind, rests)
    if (kind is None and rests) or len(found) > 1:
        options = ((labels[name], (name,)) for name in found)
        raise AmbiguousName(_("which rest?"), kind or "", options, asks=True)
    return _rule_for(_("a rest"), opened, rests[found[0]] if found else None)


def roll_check(
    opened: LoadedCharacter,
    named: str | None,
    against: int | None = None,
    unit_id: str | None = None,
    typed: TypedInputs = NOTHING_TYPED,
) -> PlayResult:
    """Roll a check of an attribute, or of something that the unit holds, against a number.

    Raises AmbiguousName without a name.
    """
    procedure = check_rule(opened)
    state, bearer = opened.character.state, find_unit(opened.character.state, unit_id).id
    if state.out_of_play(bearer) is not None:
        refuse_out_of_play(opened, bearer)
    if named is None:
        ways = ((label, (way,)) for label, way in _checkable_labels(state, procedure, bearer))
        raise AmbiguousName(_("which check?"), "", ways, asks=True)
    checkable = find_checkable(state, procedure, named, bearer)
    name = next((input_.id for input_ in _checked_inputs(procedure)), named)
    name = name if checkable is None else checkable[0]
    inputs = typed.also(**{name: named}).of_command(CommandInputs(vs=against))
    return use_procedure(opened, procedure, unit_id, inputs)


def find_checkable(
    state: State, procedure: Procedure, named: str, unit_id: str, beginnings: bool = True
) -> tuple[str, int | str] | None:
    """Return the input of a check and its value for a name: a value's id or an item's.

    None if the name is neither a value nor an item held. ``beginnings`` of their names do not count
    where abilities can be meant as well.
    """
    for input_ in _checked_inputs(procedure):
        items = list(items_of(state, input_, unit_id)) if input_.type == "item" else []
        if input_.type == "value" or items:
            with suppress(ValueError):
                return input_.id, read_input(state.ruleset, input_, named, items, beginnings)
    return None


def checkable_names(state: State, procedure: Procedure, unit_id: str) -> Iterator[str]:
    """Yield the names that a unit can roll a check of: ids of values, names of items."""
    for input_ in _checked_inputs(procedure):
        if input_.type == "item":
            yield from (item.name for item in items_of(state, input_, unit_id))
        else:
            yield from values_of(state.ruleset, input_)


def _checkable_labels(
    state: State, procedure: Procedure, unit_id: str
) -> Iterator[tuple[str, str]]:
    """Yield label and name of everything that a unit can roll a check of."""
    for name in checkable_names(state, procedure, unit_id):
        value = state.ruleset.values.get(name)
        yield (name if value is None else value.title), name


def _checked_inputs(procedure: Procedure) -> Iterator[Input]:
    """Yield the inputs of a check that select a value or an item to roll."""
    return (input_ for input_ in procedure.inputs if input_.type in ("value", "item"))


def _rule_for(what: str, opened: LoadedCharacter, procedure_id: str | None) -> Procedure:
    """Return a procedure of the ruleset. Raises UsageError if it has none for ``what``."""
    if procedure_id is None:
        name = opened.ruleset.head.name
        raise UsageError(
            _("{name} has no rule for {what}").format(name=name, what=what),
            _("Use spend, award, condition or note instead."),
        )
    return opened.ruleset.procedure(procedure_id)


# ------------------------------------------------------------------ procedures and abilities


def use_procedure(
    opened: LoadedCharacter,
    procedure: Procedure,
    unit_id: str | None,
    typed: TypedInputs,
    override: Override | None = None,
) -> PlayResult:
    """Run a procedure for a unit. Raises as ``parse_inputs`` and ``procedures.run`` do.

    ``override`` allows what a limit or a lenient requirement forbids.
    """
    bearer = find_unit(opened.character.state, unit_id).id
    return _run_for(opened, procedure, [bearer], typed, override)


def _run_for_all(
    opened: LoadedCharacter, procedure: Procedure, unit_id: str | None, typed: TypedInputs
) -> PlayResult:
    """Run a procedure for a unit, or for the character and all units that share its turn."""
    if unit_id is not None:
        return _run_for_one(opened, procedure, unit_id, typed)
    units = _units_of_turn(opened.character.state, procedure, None)
    return _run_for(opened, procedure, units, typed)


def _units_of_turn(state: State, procedure: Procedure, unit_id: str | None) -> list[str]:
    """Return the id of a unit, or of the character and of all units that share its turn."""
    if unit_id is not None:
        return [find_unit(state, unit_id).id]
    return [CHARACTER, *_sharing_units(state, procedure)]


def _run_for_one(
    opened: LoadedCharacter, procedure: Procedure, unit_id: str, typed: TypedInputs
) -> PlayResult:
    """Run a procedure for one unit alone.

    Raises WrongUnit if nothing happens, because the unit shares the character's turns.
    """
    state, unit = opened.character.state, find_unit(opened.character.state, unit_id)
    if state.out_of_play(unit.id) is not None:
        refuse_out_of_play(opened, unit.id)
    done = use_procedure(opened, procedure, unit.id, typed)
    did_something = done.after.character.state != state or any(step.text for step in done.steps)
    if unit.type.shares_turn and not did_something:
        text = _("{rule}: {unit} shares the turns of {owner}; nothing happens to it alone").format(
            rule=procedure.label, unit=unit.title, owner=opened.document.name
        )
        raise WrongUnit(text, "")
    return done


def _run_for(
    opened: LoadedCharacter,
    procedure: Procedure,
    units: Sequence[str],
    typed: TypedInputs,
    override: Override | None = None,
) -> PlayResult:
    """Run a procedure for one unit after another, as one change; the outputs are the first one's.

    Typed dice are those of the first unit that rolls them.
    """
    state = opened.character.state
    dice_left: Mapping[str, Sequence[int]] | None = None
    drafts: list[EventDraft] = []
    steps: dict[str, tuple[StepMessage, ...]] = {}
    results: list[ProcedureResult] = []
    for unit in units:
        own = procedures.unit_inputs(state, unit, procedure)
        parsed = parse_inputs(state, PlannedRun.of_procedure(procedure, unit, own), typed)
        reasons = procedures.replaced_inputs(state, unit, procedure.inputs, own, parsed.inputs)
        if override is None and (reason := "; ".join(reasons)):
            raise RuleRefusal(f"{procedure.label}: {reason}")
        faces = parsed.dice if dice_left is None else dice_left
        dice = event_dice(opened.document, typed, faces, len(drafts))
        settings = RunSettings(dice.roll, typed.choose, overridden=override is not None)
        result = procedures.run_procedure(
            state, procedure, {**own, **parsed.inputs}, settings, unit
        )
        unchanged = result.state is state and not result.steps
        state, dice_left = result.state, dice.unused
        results.append(result)
        if unchanged and drafts:
            continue
        drafts.append(draft_procedure(procedure, unit, result, override))
        steps |= {unit: result.steps} if result.steps or unit == units[0] else {}
    dice.refuse_unused(procedure.label)
    after = change_character(opened, *drafts)
    told: list[StepMessage] = []
    for unit, messages in steps.items():
        if len(steps) > 1:
            name = state.unit(unit).name or opened.document.name
            told.append(StepMessage("unit", f"{name}:", ""))
        told += messages
    return PlayResult(after, units[0], tuple(told), results[0].outputs, results[0].labels)


def _sharing_units(state: State, procedure: Procedure) -> Iterator[str]:
    """Yield the units that share the character's turn and can run a procedure."""
    for unit in state.units:
        if unit.type.shares_turn and is_for(procedure, unit) and state.out_of_play(unit.id) is None:
            yield unit.id


def is_for(procedure: Procedure, unit: Unit) -> bool:
    """Return whether a procedure is for this kind of unit."""
    return not procedure.units or unit.type.id in procedure.units


class UseTerms(NamedTuple):
    """On what terms an ability is used.

    ``untrained`` pays for missing Training; ``override`` allows a use beyond its limits,
    lenient requirements or cooldown; one that another ability has ``granted`` is none of
    the actions of the turn.
    """

    untrained: bool = False
    override: Override | None = None
    granted: bool = False

    @property
    def permit(self) -> Permit:
        """The permissions for the use."""
        return Permit(self.granted, self.override is not None)


USUAL_TERMS = UseTerms()


class Usable(NamedTuple):
    """An ability or a procedure that a unit uses.

    ``name`` is what a player called it if nothing else selects the ability, so that another one
    of that name may be meant. ``input`` has the input that the word after the name is for.
    """

    rule: Procedure | Ability
    unit_id: str
    name: str = ""
    input: Mapping[str, str] = NO_VALUES


def find_usable(
    opened: LoadedCharacter, named: str, action: str | None = None, unit_id: str | None = None
) -> Usable:
    """Return what a name means to use; ``action`` selects one of several abilities of an entity.

    Raises UnknownId, AmbiguousName.
    """
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    rule = named_rule(state, bearer, named, action) or find_ability(state, bearer, named, action)
    return Usable(rule, bearer, named if action is None else "")


def use_named(
    opened: LoadedCharacter,
    named: str,
    action: str | None = None,
    unit_id: str | None = None,
    typed: TypedInputs = NOTHING_TYPED,
    terms: UseTerms = USUAL_TERMS,
) -> PlayResult:
    """Use the ability that a player names, or run the procedure."""
    return use(opened, find_usable(opened, named, action, unit_id), typed, terms)


def use(
    opened: LoadedCharacter,
    usable: Usable,
    typed: TypedInputs = NOTHING_TYPED,
    terms: UseTerms = USUAL_TERMS,
) -> PlayResult:
    """Use an ability or run a procedure. A refusal lists the other abilities of its name."""
    rule = usable.rule
    if isinstance(rule, Procedure):
        asked = terms.untrained and rule.input(UNTRAINED) is not None
        words = typed.of_command(CommandInputs(untrained=1)) if asked else typed
        return use_procedure(opened, rule, usable.unit_id, words, terms.override)
    try:
        return _use_ability(opened, rule, typed, terms)
    except RuleRefusal as refusal:
        state = opened.character.state
        advised = _with_way_to_hold(state, rule, refusal)
        if not usable.name:
            raise advised from refusal
        not_taken = partial(_inputs_not_taken, state, typed, terms)
        raise with_other_abilities(state, usable.name, rule, advised, not_taken) from refusal


def _with_way_to_hold(state: State, ability: Ability, refusal: RuleRefusal) -> RuleRefusal:
    """Return a refusal; for an item that is not in hand, with the command that takes it there."""
    item = abilities.unheld_item(state, ability)
    if item is None or refusal.advice or ability.unit != CHARACTER:
        return refusal
    command = ["hold", FILE, item.entity.slug]
    return RuleRefusal(refusal.reason, _("To hold it: {command}"), command)


def _use_ability(
    opened: LoadedCharacter, ability: Ability, typed: TypedInputs, terms: UseTerms
) -> PlayResult:
    """Use an ability on some terms."""
    untrained, override, granted = terms
    state, permit = opened.character.state, terms.permit
    if typed.ask is not None:
        refuse_before_inputs(state, ability, permit, typed.words)
    planned = PlannedRun.of_ability(state, ability, untrained)
    parsed = parse_inputs(state, planned, typed)
    parsed, notes = choose_scores(state, planned, parsed, typed.ask)
    dice = event_dice(opened.document, typed, parsed.dice)
    result = use_ability(
        state, ability, parsed.inputs, RunSettings(dice.roll, typed.choose), untrained, permit
    )
    dice.refuse_unused(ability.name)
    draft = draft_event(
        AbilityEvent, holding=ability.source, ability=ability.key, unit=ability.unit,
        untrained=untrained, override=override, granted=granted,
        spared=bool(abilities.spared_resources(state, ability)),
        inputs=dict(result.inputs), faces=dict(result.faces),
    )  # fmt: skip
    title = StepMessage("use", ability_name(state, ability), ability.entity.id)
    told = (title, *(StepMessage("say", note, "") for note in notes), *result.steps)
    thrown = _thrown_item(result.state, ability)
    if thrown is None:
        after = change_character(opened, draft)
        return PlayResult(after, ability.unit, told, result.outputs, result.labels)
    text = _("{name} has left your hand. Pick it up, then hold it.").format(name=thrown.name)
    left = StepMessage("stow", text, ability.entity.id)
    after = change_character(opened, draft, draft_carry("stow", thrown.id))
    return PlayResult(after, ability.unit, (*told, left), result.outputs, result.labels)


def _inputs_not_taken(
    state: State, typed: TypedInputs, terms: UseTerms, ability: Ability
) -> Mapping[str, str] | None:
    """Return the typed inputs to leave out to use an ability, None if that is refused as well.

    Dice that it does not roll are among them.
    """
    untrained, permit = terms.untrained, terms.permit
    run = PlannedRun.of_ability(state, ability, untrained)
    not_taken = names_not_taken(state.ruleset, run.inputs, run.steps, typed.words)
    words = {name: word for name, word in typed.words.items() if name not in not_taken}
    for dice in dict.fromkeys((bool(typed.dice), False)):
        tried = TypedInputs(words, typed.dice if dice else {})
        try:
            parsed = parse_inputs(state, run, tried)
            rolled = LowestDice(parsed.dice)
            settings = RunSettings(rolled.roll, quiet=True)
            use_ability(state, ability, parsed.inputs, settings, untrained, permit)
            rolled.refuse_unused(ability.name)
        except RuleRefusal:
            return None
        except ProcedureError:  # perhaps only the dice are wrong
            continue
        left_out = {name: typed.words[name] for name in not_taken}
        return left_out if dice or not typed.dice else {**left_out, "dice": ""}
    return None


def item_to_take(state: State, usable: Usable) -> Holding | None:
    """Return the item to take in hand before an ability can be used."""
    rule = usable.rule
    return None if isinstance(rule, Procedure) else abilities.unheld_item(state, rule)


def _thrown_item(state: State, ability: Ability) -> Holding | None:
    """Return the item that an attack has thrown out of the hand; None for any other use."""
    attack, holding = ability.attack, ability.holding
    if attack is None or not attack.thrown or holding is None:
        return None
    return holding if state.in_hand.get(holding.id) else None


def find_usable_with_input(
    opened: LoadedCharacter, named: str, action: str | None = None, unit_id: str | None = None
) -> Usable:
    """Return what a name means to use, and what the word after it is for.

    A number is the score of the target, or else the first number that is needed: ``pistol 8``.
    Of several abilities those that take a number are meant. Any other word is the answer to the
    only question that has to be answered: ``prepare str``. Raises UsageError if none takes a
    number, UnknownId, AmbiguousName.
    """
    first, number = last_number(named)
    try:
        return find_usable(opened, named, action, unit_id)
    except UnknownId:
        if not number:
            usable = _use_with_word(opened, named, action, unit_id)
            if usable is None:
                raise
            return usable
    try:
        usable = find_usable(opened, first, action, unit_id)
    except AmbiguousName as error:
        usable = _way_with_number(opened, error, unit_id)
    possible = inputs_of(opened, usable)
    asked = number_input(possible.inputs)
    if asked is None:
        raise UsageError(_("{label} takes no number").format(label=possible.label))
    return usable._replace(input={asked: number})


def _use_with_word(
    opened: LoadedCharacter, named: str, action: str | None, unit_id: str | None
) -> Usable | None:
    """Return what is used if the last word answers its only open question; else None."""
    first, _space, word = named.rpartition(" ")
    try:
        usable = find_usable(opened, first, action, unit_id)
    except CharforgeError:
        return None
    inputs = inputs_of(opened, usable).inputs
    asked = [one.id for one in inputs if one.needed and one.type in ("value", "word")]
    return usable._replace(input={asked[0]: word}) if len(asked) == 1 else None


def _way_with_number(opened: LoadedCharacter, error: AmbiguousName, unit_id: str | None) -> Usable:
    """Return the one ability of several that takes a number."""
    uses = []
    for label, (name, *option) in error.ways:
        usable = find_usable(opened, name, option[-1] if option else None, unit_id)
        if number_input(inputs_of(opened, usable).inputs) is not None:
            uses.append((label, (name, *option), usable))
    if not uses:
        raise UsageError(_("{label} takes no number").format(label=shorten(error.name)))
    if len(uses) > 1:
        ways = ((label, words) for label, words, _use in uses)
        raise AmbiguousName(error.reason, error.name, ways)
    return uses[0][-1]


def last_number(named: str) -> tuple[str, str]:
    """Return a name of several words and the number after it; without one, an empty text."""
    first, _space, last = named.rpartition(" ")
    return (first, last) if first and last.isdecimal() else (named, "")


def number_input(inputs: Iterable[Input]) -> str | None:
    """Return the input that a number alone is for; None if there is none."""
    numbers = {input_.id: input_ for input_ in inputs if input_.type == "number"}
    needed = (name for name, input_ in numbers.items() if input_.needed)
    return AGAINST if AGAINST in numbers else next(needed, None)


def inputs_of(opened: LoadedCharacter, usable: Usable) -> PossibleInputs:
    """Return the inputs of an ability or a procedure that a unit uses."""
    state, ability = opened.character.state, usable.rule
    if isinstance(ability, Procedure):
        return inputs_of_procedure(opened, ability, usable.unit_id)
    inputs, steps = abilities.ability_inputs(state, ability)
    supplied = abilities.supplied_inputs(state, ability)
    defaults = procedures.default_inputs(
        state,
        abilities.acting_unit(state, ability),
        inputs,
        supplied,
        ability.holding if ability.attack is None else None,
    )
    possible = possible_inputs(
        opened.ruleset, ability_name(state, ability), inputs, steps, defaults
    )
    return replace(possible, supplied=frozenset(supplied))


def inputs_of_procedure(
    opened: LoadedCharacter, rule: Procedure, unit_id: str | None = None
) -> PossibleInputs:
    """Return the inputs of a procedure that a unit runs."""
    state = opened.character.state
    bearer = find_unit(state, unit_id).id
    refuse_unit(state, rule, bearer)
    own = procedures.unit_inputs(state, bearer, rule)
    defaults = procedures.default_inputs(state, bearer, rule.inputs, own)
    return possible_inputs(opened.ruleset, rule.label, rule.inputs, rule.steps, defaults)


def event_dice(
    document: Document, typed: TypedInputs, faces: Mapping[str, Sequence[int]], earlier: int = 0
) -> DiceSource:
    """Return the dice of the next event; ``earlier`` events of the same change come before it.

    ``faces`` are those that a player rolled.
    """
    number = len(document.log) + earlier + 1
    return typed.new_dice(document.seed, f"event.{number}", faces)


def draft_procedure(
    procedure: Procedure, unit_id: str, result: ProcedureResult, override: Override | None = None
) -> EventDraft:
    """Return the draft of the event of a procedure that was run."""
    return draft_event(
        ProcedureEvent, procedure=procedure.id, unit=unit_id, override=override,
        inputs=dict(result.inputs), faces=dict(result.faces),
    )  # fmt: skip
