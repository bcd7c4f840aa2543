"""Using what a unit has: an action or an attack, its cost, its cooldown, what it does.

What can be used are the abilities of what a unit holds, of the conditions
it is under, and of the kind that every unit has (``sheet.actions``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from charforge.character import gear, play_state
from charforge.character.local_formulas import fill_attack, local_formulas as own
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
    """Something that a unit can use: ``key`` names it among those of its source.

    ``source`` is what a log keeps of it: a holding's instance id, or the
    id of a condition or of something that every unit can do.
    """

    source: str
    key: str
    entity: Entity
    holding: Holding | None
    unit: str
    what: Action | Attack

    @property
    def action(self) -> Action | None:
        """The action, if it is one."""
        return self.what if isinstance(self.what, Action) else None

    @property
    def attack(self) -> Attack | None:
        """The attack, if it is one."""
        return self.what if isinstance(self.what, Attack) else None

    @property
    def name(self) -> str:
        """Its name, as players say it."""
        bearer = self.holding.name if self.holding is not None else self.entity.name
        mode = self.what.name
        if isinstance(self.what, Attack) and not mode and "{" not in self.what.range:
            mode = self.what.range
        return f"{bearer}: {mode}" if mode and mode != self.entity.name else bearer


def all_abilities(state: State, unit: str = CHARACTER) -> Iterator[Ability]:
    """Yield all that a unit can use: its own and held things, then conditions, then the rest."""
    for holding in state.holdings:
        if state.bearer(holding) == unit:
            yield from _of(holding.entity, holding.id, holding, unit)
    for condition in state.all_conditions(unit):
        yield from _of(condition.entity, condition.entity.id, None, unit)
    everyone = state.ruleset.head.sheet.actions
    for entity in state.ruleset.of_kind(everyone) if everyone else ():
        yield from _of(entity, entity.id, None, unit)


def _of(entity: Entity, source: str, holding: Holding | None, unit: str) -> Iterator[Ability]:
    for key, what in _keyed(entity):
        yield Ability(source, key, entity, holding, unit, what)


def _keyed(entity: Entity) -> Iterator[tuple[str, Action | Attack]]:
    """Yield what an entity lets one use, by what names it among the rest."""
    for action in entity.actions:
        yield play_state.action_key(entity, action), action
    for attack in entity.attacks:
        yield attack_key(entity, attack), attack


def attack_key(entity: Entity, attack: Attack) -> str:
    """Return what names an attack among those of its entity: its name, else its range."""

    def named(one: Attack) -> str:
        return one.name or (entity.slug if "{" in one.range else one.range)

    key = named(attack)
    alike = [one for one in entity.attacks if named(one) == key]
    number = next(index for index, one in enumerate(alike) if one is attack)
    return key if number == 0 else f"{key}#{number + 1}"


def ability_of(state: State, unit: str, source: str, key: str) -> Ability | None:
    """Return an ability as a log names it, if the unit has it now."""
    holding = state.holding(source)
    if holding is not None and state.bearer(holding) == unit:
        entity = holding.entity
    else:
        known = state.ruleset.entities.get(source)
        if known is None or not _open_to(state, unit, known):
            return None
        holding, entity = None, known
    what = next((what for name, what in _keyed(entity) if name == key), None)
    return None if what is None else Ability(source, key, entity, holding, unit, what)


def _open_to(state: State, unit: str, entity: Entity) -> bool:
    """Whether a unit can use something that it does not hold: its condition, or for everyone."""
    if entity.kind == state.ruleset.head.sheet.actions:
        return True
    return any(condition.entity is entity for condition in state.all_conditions(unit))


def use_ability(
    state: State,
    ability: Ability,
    inputs: Mapping[str, Any],
    roll: Roller,
    choose: Chooser = choose_suggested,
    untrained: bool = False,
    quiet: bool = False,
) -> ProcedureResult:
    """Use an ability: pay for it, put it on cooldown, and do what it does.

    ``untrained`` pays what the ruleset asks for doing without Training;
    ``quiet`` tells nobody of the steps.
    Raises RuleRefusal with every reason against it.
    """
    reasons = list(reasons_against(state, ability, untrained, inputs))
    if reasons:
        raise RuleRefusal(f"{ability.name}: " + "; ".join(reasons))
    state, state_once_paid = _pay(state, ability, untrained, inputs)
    what, holding = ability.what, ability.holding
    if isinstance(what, Attack):
        done = _attack(state, ability, what, inputs, roll, choose, quiet)
    else:
        if what.cooldown and holding is not None:
            state = play_state.start_cooldown(state, holding, what)
        done = run.run_action(
            state, ability.unit, ability.entity, holding, what.inputs, what.does, inputs, roll,
            choose, quiet,
        )  # fmt: skip
    return done if quiet else replace(done, steps=(*state_once_paid, *done.steps))


def ability_inputs(state: State, ability: Ability) -> tuple[tuple[Input, ...], Steps]:
    """Return the inputs that using an ability may be told, and the steps that it takes.

    What an attack says itself need not be told, but may be.
    """
    if isinstance(ability.what, Action):
        return ability.what.inputs, ability.what.does
    procedure = _attacking(state, ability)
    said = _said(state, ability, ability.what)
    inputs = tuple(
        one.model_copy(update={"optional": True}) if one.id in said else one
        for one in procedure.inputs
    )
    return inputs, procedure.steps


def attack_inputs(state: State, ability: Ability) -> dict[str, Any]:
    """Return what an ability says of its inputs itself: an attack its own figures."""
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
    asker = Applicant(state, ability.unit, ability.entity, ability.source)
    reasons = unmet_requirements(ability.what.requires, asker)
    if reasons:
        training_alone = not unmet_requirements(
            ability.what.requires, replace(asker, supposed=True)
        )
        price = ", ".join(_untrained(state)) if training_alone else ""
        if not (untrained and price):
            yield from reasons
            if price:
                yield f"--untrained pays {price} instead"
    if ability.holding is not None:
        pair = (ability.holding.id, ability.key)
        if ability.action is not None and pair in state.cooling:
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
        for condition in state.all_conditions(unit, bars):
            if values.evaluate_now(bars[condition.entity.id]):
                yield condition.entity.name


def _untrained(state: State) -> Iterator[str]:
    for name, amount in state.ruleset.head.play.untrained.items():
        yield f"{amount} {state.ruleset.values[name].label}"


def _costs(
    state: State, ability: Ability, untrained: bool, inputs: Mapping[str, Any]
) -> Iterator[tuple[str, int]]:
    """Yield what a use costs, by resource."""
    found: dict[str, int] = {}
    costs = {} if _free(state, ability, inputs) else ability.what.cost
    for name, amount in costs.items():
        whole = (
            state.values(ability.unit).evaluate_now(amount.given(own(state, ability.holding)))
            if isinstance(amount, Formula)
            else amount
        )
        found[name] = found.get(name, 0) + whole
    if untrained:
        for name, amount in state.ruleset.head.play.untrained.items():
            found[name] = found.get(name, 0) + amount
    yield from found.items()


def _free(state: State, ability: Ability, inputs: Mapping[str, Any]) -> bool:
    """Whether an action costs nothing this time."""
    action = ability.action
    if action is None or action.free is None:
        return False
    free = action.free.given(own(state, ability.holding))
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
    asker = Applicant(state, ability.unit, ability.entity, ability.source)
    without = untrained and bool(unmet_requirements(ability.what.requires, asker))
    told: list[StepMessage] = []
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
        told.append(StepMessage("cost", text, ability.entity.id, name, -amount))
    return state, told


def _attack(
    state: State,
    ability: Ability,
    attack: Attack,
    inputs: Mapping[str, Any],
    roll: Roller,
    choose: Chooser,
    quiet: bool,
) -> ProcedureResult:
    """Run the ruleset's attack procedure with what the attack says."""
    procedure, said = attack_procedure(state, ability, attack)
    done = run.run_procedure(
        state, procedure, {**said, **inputs}, roll, attack_unit(state, ability), choose, quiet=quiet
    )
    if quiet:
        return done
    own = {name: value for name, value in done.inputs.items() if name in inputs or name not in said}
    return replace(done, inputs=own)


def attack_procedure(
    state: State, ability: Ability, attack: Attack
) -> tuple[Procedure, dict[str, Any]]:
    """Return the procedure of an attack, and what the attack says of its inputs."""
    procedure = _attacking(state, ability)
    wanted = {one.id for one in procedure.inputs}
    said = _said(state, ability, attack)
    return procedure, {key: value for key, value in said.items() if key in wanted}


def state_once_paid(state: State, ability: Ability) -> State:
    """Return the state once the cost of an ability is paid, as far as it can be."""
    return _pay(state, ability, False, NOTHING)[0]


def _attacking(state: State, ability: Ability) -> Procedure:
    """Return the procedure of an attack."""
    name = state.ruleset.head.play.attack
    if name is None:
        raise ProcedureError(ability.entity.id, [("", "this ruleset does not say how to attack")])
    return state.ruleset.procedure(name)


def attack_unit(state: State, ability: Ability) -> str:
    """Return who rolls an attack: the unit itself, or its owner where it has no such score."""
    bearer = state.unit(ability.unit)
    if ability.attack is None:
        return bearer.id
    attack = fill_attack(state, ability.holding, ability.unit, ability.attack)
    needs = attack.hit if isinstance(attack.hit, str) else attack.defence
    return bearer.id if needs in bearer.type.values or bearer.owner is None else bearer.owner


def _said(state: State, ability: Ability, attack: Attack) -> dict[str, Any]:
    """Return what an attack says, by the names that a procedure may ask for.

    Its damage type in words; by id where the procedure asks for one of several words.
    """
    holding = ability.holding
    attack = fill_attack(state, holding, ability.unit, attack)
    values = state.values(ability.unit)
    trained = holding is None or state.trained(ability.entity, holding.id)
    crit = attack.crit
    may_crit = crit is not None and not unmet_requirements(
        crit.requires, Applicant(state, ability.unit, ability.entity, ability.source)
    )
    found: dict[str, Any] = {
        "defence": attack.defence,
        "damage": str(attack.damage),
        "shots": PLAIN_SHOTS if attack.shots is None else str(attack.shots),
        "crit": crit.margin if crit is not None and may_crit else 0,
        "crit_damage": crit.damage if crit is not None and may_crit else 0,
        "bonus": values.evaluate_now(attack.bonus),
        "melee": int(attack.range.casefold() == MELEE),
        "trained": int(trained),
        "type": ", ".join(_types(state, ability, attack)),
    }
    found |= {name: values.evaluate_now(formula) for name, formula in attack.with_.items()}
    wanted = _attacking(state, ability).input("type")
    if wanted is not None and wanted.type == "word":
        ids = tuple(_taken(state, ability, attack))
        del found["type"]
        found |= {"type": ids[0]} if len(ids) == 1 else {}
    found["hit" if isinstance(attack.hit, str) else "fixed"] = attack.hit
    return found


def _taken(state: State, ability: Ability, attack: Attack) -> Iterator[str]:
    """Yield the damage types of an attack by id, ``$choice`` looked up."""
    for name in attack.type:
        taken = state.answers.get(f"{ability.source}.{name[1:]}") if name[:1] == "$" else name
        yield str(taken)


def _types(state: State, ability: Ability, attack: Attack) -> Iterator[str]:
    for taken in _taken(state, ability, attack):
        term = state.ruleset.term(taken)
        yield term.label if term is not None else taken
