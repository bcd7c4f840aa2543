"""Abilities: the actions and attacks of a unit, their costs and cooldowns, and using them.

A unit has the abilities of its holdings, of the conditions it is under, and
of the kind of entity that every unit can use (``sheet.actions``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from charforge.character import gear, play_state
from charforge.character.holdings import fill_attack
from charforge.character.modifiers import local_formulas
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.formula import Formula
from charforge.procedures import run
from charforge.procedures.context import Chooser, Roller, StepMessage
from charforge.procedures.run import ProcedureResult, choose_suggested
from charforge.rules.models import Action, Attack, Entity, Input, Procedure, Steps

NOTHING: Mapping[str, Any] = MappingProxyType({})
MELEE = "melee"
PLAIN_SHOTS = "1"


@dataclass(frozen=True, slots=True)
class Ability:
    """An action or attack that a unit can use.

    ``source`` identifies its bearer in events: a holding's instance id, or
    the id of a condition or of an entity that every unit can use; ``key``
    tells it apart from the bearer's other abilities.
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
        """The name that players see: its bearer, and its own name if that differs."""
        bearer = self.holding.name if self.holding is not None else self.entity.name
        mode = self.definition.name
        if isinstance(self.definition, Attack) and not mode and "{" not in self.definition.range:
            mode = self.definition.range
        return f"{bearer}: {mode}" if mode and mode != self.entity.name else bearer


def all_abilities(state: State, unit: str = CHARACTER) -> Iterator[Ability]:
    """Yield the abilities of a unit: of its holdings, of its conditions, of every unit."""
    for holding in state.holdings:
        if state.bearer(holding) == unit:
            yield from _of(holding.entity, holding.id, holding, unit)
    for condition in state.active_conditions(unit):
        yield from _of(condition.entity, condition.entity.id, None, unit)
    everyone = state.ruleset.head.sheet.actions
    for entity in state.ruleset.of_kind(everyone) if everyone else ():
        yield from _of(entity, entity.id, None, unit)


def _of(entity: Entity, source: str, holding: Holding | None, unit: str) -> Iterator[Ability]:
    for key, definition in _keyed(entity):
        yield Ability(source, key, entity, holding, unit, definition)


def _keyed(entity: Entity) -> Iterator[tuple[str, Action | Attack]]:
    """Yield the actions and attacks of an entity with their keys."""
    for action in entity.actions:
        yield play_state.action_key(entity, action), action
    for attack in entity.attacks:
        yield attack_key(entity, attack), attack


def attack_key(entity: Entity, attack: Attack) -> str:
    """Return the key of an attack: its name, else its range; numbered where it repeats."""

    def named(one: Attack) -> str:
        return one.name or (entity.slug if "{" in one.range else one.range)

    key = named(attack)
    alike = [one for one in entity.attacks if named(one) == key]
    number = next(index for index, one in enumerate(alike) if one is attack)
    return key if number == 0 else f"{key}#{number + 1}"


def ability_of(state: State, unit: str, source: str, key: str) -> Ability | None:
    """Return the ability with this source and key, if the unit has it now."""
    holding = state.holding(source)
    if holding is not None and state.bearer(holding) == unit:
        entity = holding.entity
    else:
        known = state.ruleset.entities.get(source)
        if known is None or not _open_to(state, unit, known):
            return None
        holding, entity = None, known
    definition = next((definition for name, definition in _keyed(entity) if name == key), None)
    return None if definition is None else Ability(source, key, entity, holding, unit, definition)


def _open_to(state: State, unit: str, entity: Entity) -> bool:
    """Return whether a unit can use an entity that it does not hold."""
    if entity.kind == state.ruleset.head.sheet.actions:
        return True
    return any(condition.entity is entity for condition in state.active_conditions(unit))


def use_ability(
    state: State,
    ability: Ability,
    inputs: Mapping[str, Any],
    roll: Roller,
    choose: Chooser = choose_suggested,
    untrained: bool = False,
    quiet: bool = False,
) -> ProcedureResult:
    """Use an ability: pay its cost, start its cooldown, and run its steps.

    ``untrained`` pays the ruleset's price for using it without Training;
    with ``quiet`` there are no messages. Raises RuleRefusal with every
    reason against it.
    """
    reasons = list(reasons_against(state, ability, untrained, inputs))
    if reasons:
        raise RuleRefusal(f"{ability.name}: " + "; ".join(reasons))
    state, costs = _pay(state, ability, untrained, inputs)
    definition, holding = ability.definition, ability.holding
    if isinstance(definition, Attack):
        result = _attack(state, ability, definition, inputs, roll, choose, quiet)
    else:
        if definition.cooldown and holding is not None:
            state = play_state.start_cooldown(state, holding, definition)
        result = run.run_action(
            state, ability.unit, ability.entity, holding, definition.inputs, definition.does,
            inputs, roll, choose, quiet,
        )  # fmt: skip
    return result if quiet else replace(result, steps=(*costs, *result.steps))


def ability_inputs(state: State, ability: Ability) -> tuple[tuple[Input, ...], Steps]:
    """Return the inputs and the steps of an ability.

    The inputs that an attack supplies itself are optional.
    """
    if isinstance(ability.definition, Action):
        return ability.definition.inputs, ability.definition.does
    procedure = _attack_rule(state, ability)
    supplied = attack_figures(state, ability, ability.definition)
    inputs = tuple(
        one.model_copy(update={"optional": True}) if one.id in supplied else one
        for one in procedure.inputs
    )
    return inputs, procedure.steps


def attack_inputs(state: State, ability: Ability) -> dict[str, Any]:
    """Return the inputs that an ability supplies itself: an attack's own figures."""
    return {} if ability.attack is None else attack_procedure(state, ability, ability.attack)[1]


def reasons_against(
    state: State,
    ability: Ability,
    untrained: bool = False,
    inputs: Mapping[str, Any] = NOTHING,
) -> Iterator[str]:
    """Yield every reason why an ability cannot be used now, with these inputs."""
    for name in _barred(state, ability.unit):
        yield f"nothing can be used while {name}"
    applicant = Applicant(state, ability.unit, ability.entity, ability.source)
    reasons = unmet_requirements(ability.definition.requires, applicant)
    if reasons:
        training_alone = not unmet_requirements(
            ability.definition.requires, replace(applicant, assume_trained=True)
        )
        price = ", ".join(_untrained(state)) if training_alone else ""
        if not (untrained and price):
            yield from reasons
            if price:
                yield f"--untrained pays {price} instead"
    if ability.holding is not None:
        pair = (ability.holding.id, ability.key)
        if ability.action is not None and pair in state.cooldowns:
            yield "it is on cooldown"
        if (
            ability.holding.entity.kind in state.ruleset.head.gear.kinds
            and not state.in_hand.get(ability.holding.id)
            and not gear.is_attached(state, ability.holding)
        ):
            yield "it is not in hand (hold it first)"
    for name, amount in _costs(state, ability, untrained and bool(reasons), inputs):
        have = _available(state, ability, name)
        if have is None:
            yield f"nothing here has {name}"
        elif have < amount:
            yield f"needs {amount} {_label(state, ability, name)}, {have} left"


def _barred(state: State, unit: str) -> Iterator[str]:
    """Yield the conditions that keep a unit from using anything, by name."""
    bars = state.ruleset.barring_conditions
    if bars:
        values = state.values(unit)
        for condition in state.active_conditions(unit, bars):
            if values.evaluate_now(bars[condition.entity.id]):
                yield condition.entity.name


def _untrained(state: State) -> Iterator[str]:
    for name, amount in state.ruleset.head.play.untrained.items():
        yield f"{amount} {state.ruleset.values[name].label}"


def _costs(
    state: State, ability: Ability, untrained: bool, inputs: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    """Yield the cost of a use, by resource."""
    total: dict[str, int] = {}
    costs = {} if _free(state, ability, inputs) else ability.definition.cost
    for name, amount in costs.items():
        number = (
            state.values(ability.unit).evaluate_now(
                amount.with_variables(local_formulas(state, ability.holding))
            )
            if isinstance(amount, Formula)
            else amount
        )
        total[name] = total.get(name, 0) + number
    if untrained:
        for name, amount in state.ruleset.head.play.untrained.items():
            total[name] = total.get(name, 0) + amount
    yield from total.items()


def _free(state: State, ability: Ability, inputs: Mapping[str, Any]) -> bool:
    """Return whether an action costs nothing this time."""
    action = ability.action
    if action is None or action.free is None:
        return False
    free = action.free.with_variables(local_formulas(state, ability.holding))
    return run.condition_holds(state, ability.unit, free, action.inputs, inputs)


def _available(state: State, ability: Ability, name: str) -> int | None:
    capacity = next((c for c in ability.entity.capacities if c.id == name), None)
    if capacity is not None:
        return (
            None
            if ability.holding is None
            else play_state.capacity_left(state, ability.holding, capacity)
        )
    bearer = state.unit(ability.unit)
    known = name in bearer.type.values or bearer.owner is not None
    return state.values(ability.unit).read(name) if known else None


def _label(state: State, ability: Ability, name: str) -> str:
    for capacity in ability.entity.capacities:
        if capacity.id == name:
            return capacity.label
    return state.ruleset.values[name].label if name in state.ruleset.values else name


def _pay(
    state: State, ability: Ability, untrained: bool, inputs: Mapping[str, Any]
) -> tuple[State, list[StepMessage]]:
    """Return the state after the cost was paid, and a message for each resource."""
    applicant = Applicant(state, ability.unit, ability.entity, ability.source)
    without = untrained and bool(unmet_requirements(ability.definition.requires, applicant))
    messages: list[StepMessage] = []
    for name, amount in _costs(state, ability, without, inputs):
        capacity = next((c for c in ability.entity.capacities if c.id == name), None)
        if not amount:
            continue
        if capacity is not None and ability.holding is not None:
            state, _real = play_state.change_capacity(state, ability.holding, capacity, -amount)
            left = play_state.capacity_left(state, ability.holding, capacity)
        else:
            state, _real = play_state.change_resource(state, ability.unit, name, -amount)
            left = state.values(ability.unit).read(name)
        text = f"{_label(state, ability, name)} \N{MINUS SIGN}{amount} → {left}"
        messages.append(StepMessage("cost", text, ability.entity.id, name, -amount))
    return state, messages


def _attack(
    state: State,
    ability: Ability,
    attack: Attack,
    inputs: Mapping[str, Any],
    roll: Roller,
    choose: Chooser,
    quiet: bool,
) -> ProcedureResult:
    """Run the ruleset's attack procedure; the result has only the inputs that were given."""
    procedure, supplied = attack_procedure(state, ability, attack)
    unit = attack_unit(state, ability)
    result = run.run_procedure(
        state, procedure, {**supplied, **inputs}, roll, unit, choose, quiet=quiet
    )
    if quiet:
        return result
    given = {
        name: value
        for name, value in result.inputs.items()
        if name in inputs or name not in supplied
    }
    return replace(result, inputs=given)


def attack_procedure(
    state: State, ability: Ability, attack: Attack
) -> tuple[Procedure, dict[str, Any]]:
    """Return the procedure of an attack, and the inputs that the attack supplies."""
    procedure = _attack_rule(state, ability)
    wanted = {one.id for one in procedure.inputs}
    supplied = attack_figures(state, ability, attack)
    return procedure, {key: value for key, value in supplied.items() if key in wanted}


def state_once_paid(state: State, ability: Ability) -> State:
    """Return the state after the cost of an ability was paid, as far as it can be."""
    return _pay(state, ability, False, NOTHING)[0]


def _attack_rule(state: State, ability: Ability) -> Procedure:
    """Return the procedure of an attack."""
    name = state.ruleset.head.play.attack
    if name is None:
        raise ProcedureError(ability.entity.id, [("", "this ruleset does not say how to attack")])
    return state.ruleset.procedure(name)


def attack_unit(state: State, ability: Ability) -> str:
    """Return the unit that rolls an attack: its bearer, or the owner if that lacks the score."""
    bearer = state.unit(ability.unit)
    if ability.attack is None:
        return bearer.id
    attack = fill_attack(state, ability.holding, ability.unit, ability.attack)
    needs = attack.hit if isinstance(attack.hit, str) else attack.defence
    return bearer.id if needs in bearer.type.values or bearer.owner is None else bearer.owner


def attack_figures(state: State, ability: Ability, attack: Attack) -> dict[str, Any]:
    """Return the figures of an attack, by the names of inputs that may ask for them.

    The damage type is in words; it is an id if the procedure asks for one of
    several words.
    """
    holding = ability.holding
    attack = fill_attack(state, holding, ability.unit, attack)
    values = state.values(ability.unit)
    trained = holding is None or state.trained(ability.entity, holding.id)
    crit = attack.crit
    may_crit = crit is not None and not unmet_requirements(
        crit.requires, Applicant(state, ability.unit, ability.entity, ability.source)
    )
    figures: dict[str, Any] = {
        "defence": attack.defence,
        "damage": str(attack.damage),
        "shots": PLAIN_SHOTS if attack.shots is None else str(attack.shots),
        "crit": crit.margin if crit is not None and may_crit else 0,
        "crit_damage": crit.damage if crit is not None and may_crit else 0,
        "bonus": values.evaluate_now(attack.bonus),
        "melee": int(attack.range.casefold() == MELEE),
        "trained": int(trained),
        "type": ", ".join(_damage_type_labels(state, ability, attack)),
    }
    figures |= {name: values.evaluate_now(formula) for name, formula in attack.with_.items()}
    wanted = _attack_rule(state, ability).input("type")
    if wanted is not None and wanted.type == "word":
        ids = tuple(_damage_types(state, ability, attack))
        del figures["type"]
        figures |= {"type": ids[0]} if len(ids) == 1 else {}
    figures["hit" if isinstance(attack.hit, str) else "fixed"] = attack.hit
    return figures


def _damage_types(state: State, ability: Ability, attack: Attack) -> Iterator[str]:
    """Yield the damage types of an attack by id; a ``$choice`` is looked up."""
    for name in attack.type:
        taken = state.answers.get(f"{ability.source}.{name[1:]}") if name[:1] == "$" else name
        yield str(taken)


def _damage_type_labels(state: State, ability: Ability, attack: Attack) -> Iterator[str]:
    for taken in _damage_types(state, ability, attack):
        term = state.ruleset.term(taken)
        yield term.label if term is not None else taken
