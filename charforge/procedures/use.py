"""Using an ability: what forbids it, what it spends, and its steps.

``reasons_against`` collects everything that forbids a use: each kind of
limit is a generator of its own. ``use_ability`` pays the cost, starts the
cooldown and runs the steps. Both depend only on the state, the inputs and
the dice, so a replay repeats them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from charforge.character import state_changes
from charforge.character.files.events import AbilityEvent
from charforge.character.holdings import CHOICE_FIGURE, fill_text
from charforge.character.modifiers import local_formulas
from charforge.character.state import State
from charforge.character.state_changes import CountedLimit, limit_of_entity
from charforge.errors import RuleRefusal
from charforge.expressions.template import strip_markup
from charforge.language import N_, _
from charforge.procedures import abilities, costs, run
from charforge.procedures.abilities import Ability
from charforge.procedures.context import RunSettings, StepMessage, allowed_message, ended_text
from charforge.procedures.costs import NO_INPUTS
from charforge.procedures.inputs import LowestDice
from charforge.procedures.run import ProcedureResult
from charforge.rules.models import Action, Procedure, Timing

GRANT_ADVICE = N_(
    "Add --granted if another ability grants this use, --override if the GM allows it."
)
PARAGRAPH = " · "


class Permit(NamedTuple):
    """The permissions for one use of an ability.

    It may be ``granted`` by another ability, so that it spends no counter of
    its timing, or the GM allows it beyond limits, cooldowns and lenient
    requirements (``overridden``). A saved use without ``spared`` paid what it
    would not cost now.
    """

    granted: bool = False
    overridden: bool = False
    spared: bool = True


NO_PERMIT = Permit()


def permit_of(event: AbilityEvent) -> Permit:
    """Return what is allowed for a recorded use."""
    return Permit(event.granted, event.override is not None, event.spared)


def use_ability(
    state: State,
    ability: Ability,
    inputs: Mapping[str, Any],
    settings: RunSettings,
    untrained: bool = False,
    permit: Permit = NO_PERMIT,
) -> ProcedureResult:
    """Use an ability: pay its cost, start its cooldown, count the use, and run its steps.

    ``inputs`` are values by input id, as ``procedures.inputs`` reads them; ``settings`` say how
    its steps run. ``untrained`` pays the ruleset's price for using it without Training;
    ``permit`` is what is allowed for it. Raises RuleRefusal with every reason against it,
    ProcedureError for missing or invalid inputs.
    """
    settings = replace(settings, overridden=permit.overridden)
    quiet, recorded = settings.quiet, settings.recorded is not None
    reasons = list(reasons_against(state, ability, untrained, inputs, recorded, permit))
    if reasons:
        grantable = any(_timing_reasons(state, ability, inputs, permit))
        advice = _(GRANT_ADVICE) if grantable and not permit.overridden else ""
        raise _refusal(ability, reasons, advice)
    lifted: tuple[StepMessage, ...] = ()
    if permit.overridden and not quiet:
        reasons = list(_liftable_reasons(state, ability, inputs, recorded, permit))
        lifted = tuple(allowed_message(reason, ability.entity.id) for reason in reasons)
    state, paid = costs.pay(state, ability, untrained, inputs, permit.spared)
    crew = _crew(state, ability)
    interrupted = state_changes.interrupted_conditions(state, crew, ability.definition)
    definition, holding = ability.definition, ability.holding
    limit = _limit(state, ability)
    if limit is not None:
        state = limit.count(state)
    if isinstance(definition, Action) and definition.cooldown and holding is not None:
        state = state_changes.start_cooldown(state, holding, definition)
    procedure = abilities.procedure_of(state, ability)
    if procedure is not None:
        result = _run_procedure(state, ability, procedure, inputs, settings, permit.spared)
    elif isinstance(definition, Action):
        result = run.run_action(
            state, run.ActionUser(ability.unit, ability.entity, holding),
            abilities.action_inputs(state, ability, untrained), definition.does, inputs, settings,
        )  # fmt: skip
    state, ended = state_changes.end_interrupted(result.state, crew, interrupted)
    spent = tuple(
        StepMessage("pass", ended_text(one), one.entity.id, one.entity.id, 0)
        for one in ended
        if not one.internal
    )
    for payer, counter in list(_counters(state, ability, inputs, permit)):
        state, message = _spend_counter(state, payer, counter)
        spent += message
    told = () if quiet else result.steps or tuple(_effect_message(state, ability))
    return replace(result, state=state, steps=() if quiet else (*lifted, *paid, *told, *spent))


def _effect_message(state: State, ability: Ability) -> Iterator[StepMessage]:
    """Yield the text of an action, for one whose steps say nothing.

    A text of the player's own words is told whole, with a dot between its paragraphs.
    """
    action = ability.action
    if action is not None and action.procedure is None:
        own = CHOICE_FIGURE in action.text
        text = action.text if own else action.digest or action.text
        filled = strip_markup(fill_text(state, ability.holding, ability.unit, text))
        paragraphs = (" ".join(part.split()) for part in filled.split("\n\n"))
        told = (PARAGRAPH if own else " ").join(filter(None, paragraphs))
        yield StepMessage("say", told, ability.entity.id)


def _results(
    state: State, ability: Ability, outputs: Mapping[str, int | str]
) -> Iterator[StepMessage]:
    """Yield what the outputs of an action's procedure mean for this action."""
    for name, text in (ability.action.results if ability.action is not None else {}).items():
        if outputs.get(name):
            told = strip_markup(fill_text(state, ability.holding, ability.unit, text))
            yield StepMessage("say", told, ability.entity.id, name)


def _run_procedure(
    state: State,
    ability: Ability,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    settings: RunSettings,
    spared: bool,
) -> ProcedureResult:
    """Run the procedure of an ability; the result leaves out the inputs that it supplied."""
    supplied = abilities.supplied_inputs(state, ability)
    if not spared and "spared" in supplied:
        supplied["spared"] = 0
    acting = abilities.acting_unit(state, ability)
    answers = {**supplied, **inputs}
    result = run.run_procedure(state, procedure, answers, settings, acting, ability.unit)
    if settings.quiet:
        return result
    own = {
        name: value
        for name, value in result.inputs.items()
        if name in inputs or name not in supplied
    }
    told = _results(result.state, ability, result.outputs)
    return replace(result, inputs=own, steps=(*result.steps, *told))


def reasons_against(
    state: State,
    ability: Ability,
    untrained: bool = False,
    inputs: Mapping[str, Any] = NO_INPUTS,
    recorded: bool = False,
    permit: Permit = NO_PERMIT,
) -> Iterator[str]:
    """Yield every reason why an ability cannot be used now, with these inputs.

    ``recorded``: a saved event is repeated, so that ``only`` and limits of
    uses are not judged.
    """
    yield from _condition_reasons(state, ability, inputs, recorded, permit)
    if ability.attack is not None and ability.attack.only is not None and not recorded:
        only = ability.attack.only
        if not state.values(ability.unit).evaluate_now(only.when):
            yield only.say
    yield from _requirement_reasons(state, ability, untrained, inputs)
    if not recorded:
        yield from _during_reasons(state, ability)
    if not permit.overridden:
        yield from _liftable_reasons(state, ability, inputs, recorded, permit)
    yield from _item_reasons(state, ability)
    for name, amount in costs.present_amounts(state, ability, untrained, inputs, permit.spared):
        have = costs.available_amount(state, ability, name)
        if have is None:
            yield _("you have nothing with {name}").format(name=name)
        elif have < amount:
            yield _("needs {amount} {resource}; you have {have}").format(
                amount=amount, resource=costs.resource_noun(state, ability, name, amount), have=have
            )


def refuse_before_inputs(
    state: State, ability: Ability, permit: Permit = NO_PERMIT, typed: Container[str] = ()
) -> None:
    """Raise RuleRefusal for what forbids a use whatever its inputs are, so that none is asked.

    ``typed`` are the names of the inputs that were given: one that grants an attack lets it pass.
    """
    granted = str(state.ruleset.head.play.attack_granted)
    inputs = {granted: 1} if granted in typed else NO_INPUTS
    reasons = [*_condition_reasons(state, ability, inputs, False, permit)]
    reasons += _during_reasons(state, ability)
    if not permit.overridden:
        reasons += _cooldown_reasons(state, ability)
        reasons += _limit_reasons(state, ability)
        reasons += _only_reasons(state, ability)
        reasons += _timing_reasons(state, ability, inputs, permit)
    reasons += _item_reasons(state, ability)
    if reasons:
        raise _refusal(ability, reasons)
    refuse_by_first_steps(state, ability, permit)


def refuse_by_first_steps(state: State, ability: Ability, permit: Permit = NO_PERMIT) -> None:
    """Raise RuleRefusal if the first steps of an ability refuse it whatever its inputs are."""
    settings = RunSettings(LowestDice().roll, quiet=True, overridden=permit.overridden)
    inputs, steps = abilities.ability_inputs(state, ability)
    user = run.ActionUser(abilities.acting_unit(state, ability), ability.entity, ability.holding)
    run.require_before_inputs(state, user, inputs, steps, settings)


def _refusal(ability: Ability, reasons: Iterable[str], advice: str = "") -> RuleRefusal:
    return RuleRefusal(
        _("you can't use {name} now: {reasons}").format(
            name=ability.name, reasons="; ".join(reasons)
        ),
        advice,
    )


def _liftable_reasons(
    state: State, ability: Ability, inputs: Mapping[str, Any], recorded: bool, permit: Permit
) -> Iterator[str]:
    """Yield the reasons against a use that the GM can lift."""
    yield from _cooldown_reasons(state, ability)
    if not recorded:
        yield from _limit_reasons(state, ability)
        yield from _only_reasons(state, ability)
        yield from _timing_reasons(state, ability, inputs, permit)
        yield from _replaced_inputs(state, ability, inputs)


def _condition_reasons(
    state: State, ability: Ability, inputs: Mapping[str, Any], recorded: bool, permit: Permit
) -> Iterator[str]:
    """Yield the conditions of whoever acts that keep them from using this, or anything."""
    barring = state.ruleset.barring_conditions
    if not barring:
        return
    payer, timing = _timing(state, ability)
    used_as = "" if timing is None or _is_granted(state, ability, inputs, permit) else timing.id
    for unit in dict.fromkeys((ability.unit, payer)):
        for condition in state.active_conditions(unit, barring):
            name, spec = condition.entity.name, condition.entity.condition
            if spec is None:
                continue
            ended = spec.ends and spec.bars is None and not recorded
            if ended or (spec.bars is not None and state.values(unit).evaluate_now(spec.bars)):
                yield _("you cannot use anything while {name}").format(name=name)
            if spec.allows and used_as not in spec.allows and not recorded:
                allowed = (t.label for t in state.ruleset.head.timings if t.id in spec.allows)
                yield _("{name} only allows: {timings}").format(
                    name=name, timings=", ".join(allowed)
                )


def _requirement_reasons(
    state: State, ability: Ability, untrained: bool, inputs: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the unmet requirements, unless Training alone is missing and is paid for."""
    reasons = costs.unmet_for_use(state, ability)
    if not reasons:
        return
    training_alone = not costs.unmet_for_use(state, ability, assume_trained=True)
    prices = costs.untrained_price(state, ability, inputs) if training_alone else ()
    price = ", ".join(f"{amount} {state.ruleset.values[name].label}" for name, amount in prices)
    if not (untrained and price):
        yield from reasons
        if price:
            yield _("--untrained pays {price} instead").format(price=price)


def _cooldown_reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield that an ability is on cooldown."""
    if ability.action is not None and (ability.source, ability.key) in state.cooldowns:
        yield _("on cooldown")


def _during_reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield that the unit is not under the condition during which an ability can be used."""
    limit = _limit(state, ability)
    reason = "" if limit is None else limit.missing_condition(state)
    if reason:
        yield reason


def _limit_reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield that an ability has been used as often as its limit allows, and until when."""
    limit = _limit(state, ability)
    printed = ability.action.limit if ability.action is not None else ""
    reason = "" if limit is None else limit.refusal(state, printed=printed)
    if reason:
        yield reason


def _only_reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield that what an action follows has not happened.

    Not without the condition that it needs anyway: the lack of that says enough.
    """
    only = None if ability.action is None else ability.action.only
    if only is None or any(_during_reasons(state, ability)):
        return
    if not state.values(ability.unit).evaluate_now(only.when):
        yield strip_markup(fill_text(state, ability.holding, ability.unit, only.say))


def _replaced_inputs(state: State, ability: Ability, inputs: Mapping[str, Any]) -> Iterator[str]:
    """Yield why inputs cannot replace those that an ability gives its procedure."""
    procedure = abilities.procedure_of(state, ability)
    if procedure is not None and inputs:
        unit = abilities.acting_unit(state, ability)
        settled = abilities.settled_inputs(state, ability)
        yield from run.replaced_inputs(state, unit, procedure.inputs, settled, inputs)


def _item_reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield that the item of an ability is not in hand."""
    if abilities.unheld_item(state, ability) is not None:
        yield _("not in hand (hold it first)")


def is_waiting(state: State, ability: Ability) -> bool:
    """Return whether a cooldown or limit keeps an ability from being used for now."""
    return any(_cooldown_reasons(state, ability)) or any(_limit_reasons(state, ability))


def _limit(state: State, ability: Ability) -> CountedLimit | None:
    """Return the limit of an ability: its own, or that of an entity, which it shares."""
    limit = None if ability.action is None else ability.action.uses
    if limit is None:
        return None
    if limit.of is not None:
        return limit_of_entity(state, ability.unit, limit.of)
    local = local_formulas(state, ability.holding)
    return CountedLimit(ability.unit, ability.source, ability.key, limit, local)


def _limiting_timing(
    state: State, ability: Ability, inputs: Mapping[str, Any], permit: Permit
) -> tuple[str, Timing] | None:
    """Return the timing that limits a use, and the unit whose turn and counters it is about."""
    payer, timing = _timing(state, ability)
    if timing is None or _is_granted(state, ability, inputs, permit):
        return None
    return payer, timing


def _is_granted(state: State, ability: Ability, inputs: Mapping[str, Any], permit: Permit) -> bool:
    """Return whether a use takes nothing of what its timing limits."""
    granted = state.ruleset.head.play.attack_granted
    is_attack = ability.attack is not None and granted is not None
    return permit.granted or (is_attack and bool(inputs.get(str(granted))))


def _timing(state: State, ability: Ability) -> tuple[str, Timing | None]:
    """Return the unit whose turn and counters an ability is about, and its timing if known."""
    action = ability.action
    attack_timing = state.ruleset.head.play.attack_timing
    name = attack_timing if action is None else _played_as(state, ability, action)
    timing = next((timing for timing in state.ruleset.head.timings if timing.id == name), None)
    unit = state.unit(ability.unit)
    shared = timing is not None and timing.units and unit.type.id not in timing.units
    return (unit.owner or unit.id) if shared else unit.id, timing


def _crew(state: State, ability: Ability) -> tuple[str, ...]:
    """Return the units that act with an ability: who uses it, and what has no Actions of its own.

    A vehicle acts with its owner; a companion has Actions of its own.
    """
    payer, timing = _timing(state, ability)
    own = timing.units if timing is not None else ()
    shared = (u.id for u in state.units if own and u.owner == payer and u.type.id not in own)
    return payer, *shared


def _played_as(state: State, ability: Ability, action: Action) -> str:
    """Return the timing whose limits apply to an action; a ``$choice`` is looked up."""
    name = action.played_as or action.timing
    return str(state.answers.get(f"{ability.source}.{name[1:]}")) if name[:1] == "$" else name


def _counters(
    state: State, ability: Ability, inputs: Mapping[str, Any], permit: Permit
) -> Iterator[tuple[str, str]]:
    """Yield the counters, conditions, that a use at its timing spends, each with its unit."""
    limiting = _limiting_timing(state, ability, inputs, permit)
    if limiting is None or limiting[1].spends is None:
        return
    payer, timing = limiting
    if state.values(payer).evaluate_now(timing.while_):
        possible = (str(timing.spends), *timing.or_spends)
        left = (name for name in possible if state.condition_amount(payer, name))
        yield payer, next(left, possible[0])
        yield from ((payer, name) for name in timing.also_spends)


def _timing_reasons(
    state: State, ability: Ability, inputs: Mapping[str, Any], permit: Permit
) -> Iterator[str]:
    """Yield that it is not the time for a use, or that its timing's counter is used up."""
    payer, timing = _limiting_timing(state, ability, inputs, permit) or ("", None)
    only = None if timing is None else timing.only
    if only is not None and not state.values(payer).evaluate_now(only.when):
        yield only.say
        return
    for payer, counter in _counters(state, ability, inputs, permit):
        if not state.condition_amount(payer, counter):
            yield _("no {name}").format(name=state.ruleset.entity(counter).name)


def _spend_counter(
    state: State, unit_id: str, counter: str
) -> tuple[State, tuple[StepMessage, ...]]:
    """Return the state with 1 less of a counter of a unit, and a message."""
    entity = state.ruleset.entity(counter)
    state, spent = state_changes.remove_condition(state, unit_id, entity, 1)
    if not spent:
        return state, ()
    left = state.condition_amount(unit_id, counter)
    return state, (StepMessage("cost", f"{entity.name}: {left}", counter, counter, left),)


def hand_change(state: State) -> Ability | None:
    """Return the action that changing what is in hand uses now; None if it is free."""
    spec = state.ruleset.head.gear.changing
    if spec is None or not state.values().evaluate_now(spec.while_):
        return None
    actions = (one for one in abilities.all_abilities(state) if one.action is not None)
    return next((one for one in actions if one.entity.id == spec.uses), None)


def count_hand_change(state: State) -> State:
    """Return the state with one more use of the action that changing what is in hand uses."""
    ability = hand_change(state)
    limit = None if ability is None else _limit(state, ability)
    return state if limit is None else limit.count(state)
