"""Abilities: the actions and attacks of a unit, their costs and cooldowns, and using them.

A unit has the abilities of its holdings, of the conditions it is under, and
of the kind of entity that every unit can use (``sheet.actions``).

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
from charforge.character.holdings import (
    CHOICE_FIGURE,
    attack_changes,
    damage_dice,
    fill_attack,
    fill_text,
    is_melee,
)
from charforge.character.modifiers import local_formulas
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State
from charforge.character.state_changes import CountedLimit, limit_of_entity
from charforge.errors import RuleRefusal, UsageError
from charforge.expressions.formula import Formula
from charforge.expressions.template import strip_markup
from charforge.language import N_, _
from charforge.procedures import costs, run
from charforge.procedures.context import RunSettings, StepMessage, allowed_message, ended_text
from charforge.procedures.costs import NO_INPUTS
from charforge.procedures.inputs import LowestDice
from charforge.procedures.run import ProcedureResult
from charforge.rules.models import Action, Attack, Entity, Input, Procedure, Steps, Timing
from charforge.rules.models.procedures import OWN_ITEM
from charforge.rules.names import original

GRANT_ADVICE = N_(
    "Add --granted if another ability grants this use, --override if the GM allows it."
)
PARAGRAPH = " · "
UNLIMITED = 1000  # targets of an attack whose Spread is in words


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


class Ability(NamedTuple):
    """An action or attack of an entity that a unit can use.

    ``source`` says in events whose ability it is: a holding's instance id,
    or the id of a condition or of an entity that every unit can use.
    ``key`` distinguishes the abilities of one source.
    """

    source: str
    key: str
    entity: Entity
    holding: Holding | None
    unit: str
    definition: Action | Attack

    @property
    def action(self) -> Action | None:
        """The action, if it is one."""
        return self.definition if isinstance(self.definition, Action) else None

    @property
    def attack(self) -> Attack | None:
        """The attack, if it is one."""
        return self.definition if isinstance(self.definition, Attack) else None

    @property
    def name(self) -> str:
        """The name that players see: that of the item or entity, then its own if it differs."""
        owner = self.holding.name if self.holding is not None else self.entity.name
        return f"{owner}: {self.mode}" if self.mode and self.mode != self.entity.name else owner

    @property
    def mode(self) -> str:
        """Its own name, or the range of an attack without one; empty if it has neither."""
        name = self.definition.name
        if self.attack is not None and not name and "{" not in self.attack.range:
            return self.attack.range
        return name


def all_abilities(state: State, unit_id: str = CHARACTER) -> Iterator[Ability]:
    """Yield the abilities of a unit: of its holdings, of its conditions, of every unit."""
    for holding in state.holdings:
        if state.bearer(holding) == unit_id:
            yield from _entity_abilities(holding.entity, holding.id, holding, unit_id)
    for condition in state.active_conditions(unit_id):
        yield from _entity_abilities(condition.entity, condition.entity.id, None, unit_id)
    everyone = state.ruleset.head.sheet.actions
    unit_type = state.unit(unit_id).type.id
    for entity in state.ruleset.of_kind(everyone) if everyone else ():
        for ability in _entity_abilities(entity, entity.id, None, unit_id):
            units = ability.action.units if ability.action is not None else ()
            if not units or unit_type in units:
                yield ability


def ability_of(state: State, unit_id: str, source: str, key: str) -> Ability | None:
    """Return the ability with this source and key, None unless the unit has it now."""
    holding = state.holding(source)
    if holding is not None and state.bearer(holding) == unit_id:
        abilities = _entity_abilities(holding.entity, source, holding, unit_id)
    else:
        entity = state.ruleset.entities.get(source)
        if entity is None or not _is_open_to(state, unit_id, entity):
            return None
        abilities = _entity_abilities(entity, source, None, unit_id)
    return next((ability for ability in abilities if ability.key == key), None)


def _entity_abilities(
    entity: Entity, source: str, holding: Holding | None, unit_id: str
) -> Iterator[Ability]:
    """Yield the actions of an entity, then its attacks."""
    for action in entity.actions:
        key = state_changes.action_key(entity, action)
        yield Ability(source, key, entity, holding, unit_id, action)
    for attack in entity.attacks:
        yield Ability(source, attack_key(entity, attack), entity, holding, unit_id, attack)


def attack_ability(
    unit_id: str, entity: Entity, holding: Holding | None, attack: Attack
) -> Ability:
    """Return the ability of an attack that an entity of a unit has."""
    source = entity.id if holding is None else holding.id
    return Ability(source, _plain_key(entity, attack), entity, holding, unit_id, attack)


def attack_key(entity: Entity, attack: Attack) -> str:
    """Return the key of an attack: its name, else its range; numbered where it repeats."""
    key = _plain_key(entity, attack)
    alike = [other for other in entity.attacks if _plain_key(entity, other) == key]
    number = next(index for index, other in enumerate(alike) if other is attack)
    return key if number == 0 else f"{key}#{number + 1}"


def _plain_key(entity: Entity, attack: Attack) -> str:
    has_range = attack.range and "{" not in attack.range
    return original(attack.name) or (original(attack.range) if has_range else entity.slug)


def _is_open_to(state: State, unit_id: str, entity: Entity) -> bool:
    """Return whether a unit can use an entity that it does not hold."""
    if entity.kind == state.ruleset.head.sheet.actions:
        return True
    return any(condition.entity is entity for condition in state.active_conditions(unit_id))


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
    procedure = procedure_of(state, ability)
    if procedure is not None:
        result = _run_procedure(state, ability, procedure, inputs, settings, permit.spared)
    elif isinstance(definition, Action):
        result = run.run_action(
            state, run.ActionUser(ability.unit, ability.entity, holding),
            _action_inputs(state, ability, untrained), definition.does, inputs, settings,
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


def hand_change(state: State) -> Ability | None:
    """Return the action that changing what is in hand uses now; None if it is free."""
    spec = state.ruleset.head.gear.changing
    if spec is None or not state.values().evaluate_now(spec.while_):
        return None
    actions = (one for one in all_abilities(state) if one.action is not None)
    return next((one for one in actions if one.entity.id == spec.uses), None)


def count_hand_change(state: State) -> State:
    """Return the state with one more use of the action that changing what is in hand uses."""
    ability = hand_change(state)
    limit = None if ability is None else _limit(state, ability)
    return state if limit is None else limit.count(state)


def permit_of(event: AbilityEvent) -> Permit:
    """Return what is allowed for a recorded use."""
    return Permit(event.granted, event.override is not None, event.spared)


def ability_inputs(
    state: State, ability: Ability, untrained: bool = False
) -> tuple[tuple[Input, ...], Steps]:
    """Return the inputs and the steps of an ability.

    The inputs that it supplies itself are optional. ``untrained`` adds
    those that the price of a use without Training depends on.
    """
    procedure = procedure_of(state, ability)
    if procedure is None:
        steps = ability.action.does if ability.action is not None else ()
        return _action_inputs(state, ability, untrained), steps
    supplied = supplied_inputs(state, ability)
    inputs = tuple(
        input_.model_copy(update={"optional": True}) if input_.id in supplied else input_
        for input_ in procedure.inputs
    )
    return inputs, procedure.steps


def _action_inputs(state: State, ability: Ability, untrained: bool) -> tuple[Input, ...]:
    """Return the inputs of an action, with those of the price of a use without Training."""
    own = () if ability.action is None else ability.action.inputs
    known = {input_.id for input_ in own}
    more = state.ruleset.head.play.untrained_inputs if untrained else ()
    return (*own, *(input_ for input_ in more if input_.id not in known))


def supplied_inputs(state: State, ability: Ability) -> dict[str, Any]:
    """Return the inputs that an ability gives its procedure, by id: figures of an attack."""
    procedure = procedure_of(state, ability)
    if procedure is None:
        return {}
    if ability.attack is None:
        return dict(_inputs_given(state, ability, procedure))
    return attack_inputs(state, ability, ability.attack).asked(procedure)


def settled_inputs(state: State, ability: Ability) -> dict[str, Any]:
    """Return the inputs that an ability settles: those it supplies, and defaults of the others."""
    procedure = procedure_of(state, ability)
    if procedure is None:
        return {}
    supplied = supplied_inputs(state, ability)
    asked, unit = procedure.inputs, acting_unit(state, ability)
    return {**run.default_inputs(state, unit, asked, supplied), **supplied}


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
    inputs, steps = ability_inputs(state, ability)
    user = run.ActionUser(acting_unit(state, ability), ability.entity, ability.holding)
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
    procedure = procedure_of(state, ability)
    if procedure is not None and inputs:
        unit, settled = acting_unit(state, ability), settled_inputs(state, ability)
        yield from run.replaced_inputs(state, unit, procedure.inputs, settled, inputs)


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


def is_waiting(state: State, ability: Ability) -> bool:
    """Return whether a cooldown or limit keeps an ability from being used for now."""
    return any(_cooldown_reasons(state, ability)) or any(_limit_reasons(state, ability))


def unheld_item(state: State, ability: Ability) -> Holding | None:
    """Return the item of an ability if it is not in hand but must be."""
    holding = ability.holding
    if holding is None or holding.entity.kind not in state.ruleset.head.gear.kinds:
        return None
    ready = state.in_hand.get(holding.id) or state.is_attached(holding)
    return None if ready else holding


def _item_reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield that the item of an ability is not in hand."""
    if unheld_item(state, ability) is not None:
        yield _("not in hand (hold it first)")


# ------------------------------------------------------------------ procedures and attacks


def procedure_of(state: State, ability: Ability) -> Procedure | None:
    """Return the procedure that an ability runs; None for an action with steps of its own.

    Raises UsageError for an attack in a ruleset that has no rule for attacks.
    """
    ruleset = state.ruleset
    called = ruleset.head.play.attack if ability.action is None else ability.action.procedure
    if called is None and ability.attack is not None:
        reason = _("{name} cannot attack: {game} has no rule for attacks")
        raise UsageError(reason.format(name=ability.entity.name, game=ruleset.head.name))
    return None if called is None else ruleset.procedure(called)


def acting_unit(state: State, ability: Ability) -> str:
    """Return the unit that rolls: of an attack the owner, if the bearer lacks the score."""
    bearer = state.unit(ability.unit)
    if ability.attack is None:
        return bearer.id
    attack = fill_attack(state, ability.holding, ability.unit, ability.attack)
    score = attack.hit if isinstance(attack.hit, str) else attack.defence
    own = score is None or score in bearer.type.values or bearer.owner is None
    return bearer.id if own else str(bearer.owner)


def _inputs_given(
    state: State, ability: Ability, procedure: Procedure
) -> Iterator[tuple[str, int | str]]:
    """Yield the inputs that an action gives its procedure: numbers, words, the entity's answers."""
    given = ability.action.with_ if ability.action is not None else {}
    known, values = local_formulas(state, ability.holding), state.values(ability.unit)
    words = procedure.words_given(given)
    for name, value in given.items():
        if name in words:
            yield name, words[name]
        elif isinstance(value, Formula):
            yield name, values.evaluate_now(value.with_variables(known))
        elif (answer := state.answers.get(f"{ability.source}.{value[1:]}")) is not None:
            yield name, answer


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
    supplied = supplied_inputs(state, ability)
    if not spared and "spared" in supplied:
        supplied["spared"] = 0
    acting = acting_unit(state, ability)
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


class AttackInputs(NamedTuple):
    """Inputs that an attack gives its procedure; None is left out.

    It has ``hit`` (a score's id), ``fixed`` (a number to reach) or nothing to roll. The damage
    ``type`` is in words; where the procedure asks for one of several words it is an id, and None
    if the attack has several. ``other`` inputs are those that a pack passes.
    """

    hit: str | None
    fixed: int | None
    defence: str | None
    damage: str
    shots: str | None
    type: str | None
    crit: int
    crit_damage: int
    bonus: int
    trained: int
    melee: int
    spread: int
    of_unit: int
    spared: int
    item: str | None
    other: Mapping[str, int]

    def asked(self, procedure: Procedure) -> dict[str, Any]:
        """Return those that a procedure asks for."""
        given = self._asdict()
        given |= given.pop("other")
        return {n: v for n, v in given.items() if v is not None and procedure.input(n) is not None}


def attack_inputs(state: State, ability: Ability, attack: Attack) -> AttackInputs:
    """Return what an attack gives its procedure."""
    holding, entity, unit = ability.holding, ability.entity, ability.unit
    attack = fill_attack(state, holding, unit, attack)
    values = state.values(unit)
    roll, damage = (
        sum(n for n, _ in attack_changes(state, holding, unit, entity, attack, part))
        for part in ("roll", "damage")
    )
    gained = [dice for dice, _ in damage_dice(state, holding, unit, entity, attack)]
    crit = attack.crit
    if crit is not None and unmet_requirements(
        crit.requires, Applicant(state, unit, entity, ability.source)
    ):
        crit = None
    return AttackInputs(
        hit=attack.hit if isinstance(attack.hit, str) else None,
        fixed=attack.hit if isinstance(attack.hit, int) else None,
        defence=attack.defence,
        damage=" + ".join([*gained, str(attack.damage), *([str(damage)] if damage else [])]),
        shots=None if attack.shots is None else str(attack.shots),
        type=_damage_type(state, ability, attack),
        crit=0 if crit is None else crit.margin,
        crit_damage=0 if crit is None else crit.damage,
        bonus=values.evaluate_now(attack.bonus) + roll,
        trained=int(holding is None or state.trained(entity, holding.id)),
        melee=int(is_melee(attack, state.ruleset)),
        spread=_most_targets(attack),
        of_unit=int(acting_unit(state, ability) != unit),
        spared=int(bool(costs.spared_resources(state, ability))),
        item=_own_item(state, ability),
        other={name: values.evaluate_now(formula) for name, formula in attack.with_.items()},
    )


def _own_item(state: State, ability: Ability) -> str | None:
    """Return the item with an attack, if its procedure takes such an item."""
    procedure, holding = procedure_of(state, ability), ability.holding
    own = procedure.input(OWN_ITEM) if procedure is not None else None
    takes_it = own is not None and holding is not None and holding.entity.kind in own.kind
    return holding.id if holding is not None and takes_it else None


def _damage_type(state: State, ability: Ability, attack: Attack) -> str | None:
    """Return the damage type as the procedure asks for it: an id, or in words."""
    procedure = procedure_of(state, ability)
    asked = procedure.input("type") if procedure is not None else None
    if asked is None or asked.type != "word":
        return _(" or ").join(_damage_type_labels(state, ability, attack))
    ids = tuple(_damage_types(state, ability, attack))
    return ids[0] if len(ids) == 1 else None


def _most_targets(attack: Attack) -> int:
    """Return how many targets an attack can have by its Spread; 0 without one."""
    if attack.spread is None:
        return 0
    return int(attack.spread) if attack.spread.isdecimal() else UNLIMITED


def _damage_types(state: State, ability: Ability, attack: Attack) -> Iterator[str]:
    """Yield the damage types of an attack by id; a ``$choice`` is looked up."""
    for name in attack.type:
        chosen = state.answers.get(f"{ability.source}.{name[1:]}") if name[:1] == "$" else name
        yield str(chosen)


def _damage_type_labels(state: State, ability: Ability, attack: Attack) -> Iterator[str]:
    for name in _damage_types(state, ability, attack):
        term = state.ruleset.term(name)
        yield term.label if term is not None else name
