"""Abilities: the actions and attacks of a unit, what they run and what they give it.

A unit has the abilities of its holdings, of the conditions it is under, and
of the kind of entity that every unit can use (``sheet.actions``). ``costs``
has what they cost. ``use`` has what forbids a use, and runs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from charforge.character import state_changes
from charforge.character.holdings import attack_changes, damage_dice, fill_attack, is_melee
from charforge.character.modifiers import local_formulas
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import UsageError
from charforge.expressions.formula import Formula
from charforge.expressions.template import MEASURE
from charforge.language import _
from charforge.procedures import run
from charforge.rules.models import Action, Attack, Entity, Input, Procedure, Steps
from charforge.rules.models.procedures import OWN_ITEM
from charforge.rules.names import original

UNLIMITED = 1000  # targets of an attack whose Spread is in words


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
            return MEASURE.sub(" ", self.attack.range)
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


def unheld_item(state: State, ability: Ability) -> Holding | None:
    """Return the item of an ability if it is not in hand but must be."""
    holding = ability.holding
    if holding is None or holding.entity.kind not in state.ruleset.head.gear.kinds:
        return None
    ready = state.in_hand.get(holding.id) or state.is_attached(holding)
    return None if ready else holding


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
        return action_inputs(state, ability, untrained), steps
    supplied = supplied_inputs(state, ability)
    inputs = tuple(
        input_.model_copy(update={"optional": True}) if input_.id in supplied else input_
        for input_ in procedure.inputs
    )
    return inputs, procedure.steps


def action_inputs(state: State, ability: Ability, untrained: bool) -> tuple[Input, ...]:
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


def spared_resources(state: State, ability: Ability) -> frozenset[str]:
    """Return the resources that an ability does not cost now, as a vehicle's out of combat."""
    unit = state.unit(ability.unit)
    values = state.values(unit.owner or unit.id)
    known = ((name, unit.type.values.get(name)) for name in ability.definition.cost)
    return frozenset(
        name
        for name, computed in known
        if computed is not None
        and computed.costs_while is not None
        and not values.evaluate_now(computed.costs_while)
    )


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
        spared=int(bool(spared_resources(state, ability))),
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
