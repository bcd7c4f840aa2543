"""The data of ``show --json`` and ``catalog … --json``, for other programs.

The keys are a contract with other programs; values come with their steps, so that a script can
explain a number as the program does. The models describe the parts of a character; the JSON
export contains the same ones, and its schema is made from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from charforge.character import state_changes
from charforge.character.holdings import holding_answers
from charforge.character.state import Holding, State, Unit
from charforge.expressions.template import as_written
from charforge.replay.replay import Character, Problem
from charforge.rules.models import Action, Attack, Entity
from charforge.rules.ruleset import Ruleset


class JsonModel(BaseModel):
    """A part of the data of a character; it may have more keys than its model."""

    model_config = ConfigDict(
        defer_build=True,
        frozen=True,
        extra="allow",
        from_attributes=True,
        model_title_generator=lambda model: model.__name__.removesuffix("Json"),
    )


class StepJson(JsonModel):
    """One step of a value, with the ``total`` after it; a factor may be a fraction."""

    source: str
    op: str
    amount: int | float
    total: int


class ValueJson(JsonModel):
    """A value of a unit with its steps: ``base`` is lasting, ``total`` is the present number.

    A value with a track also has ``track``, the name of its present step.
    """

    label: str
    base: int
    total: int
    steps: tuple[StepJson, ...]


class HoldingJson(JsonModel):
    """A holding of a unit; ``from`` is the decision or holding that granted it.

    ``capacities`` are the remaining amounts of its capacities, ``cooling`` its actions on cooldown,
    ``choices`` the answers to its own choices, such as the damage type of a weapon.
    """

    id: str
    kind: str
    name: str
    origin: str = Field(alias="from")
    instance: str
    quantity: int = 1
    in_hand: int = 0
    worn: int = 0
    capacities: dict[str, int] = {}
    cooling: tuple[str, ...] = ()
    choices: dict[str, Any] = {}


class ConditionJson(JsonModel):
    """A present condition of a unit; ``left`` is how many more turns or rests it lasts."""

    id: str
    name: str
    amount: int
    about: str
    unit: str
    left: int | None


class NoteJson(JsonModel):
    """A note of the player; ``at`` is its date and time, ``author`` who wrote it, if known."""

    text: str
    at: str
    author: str


class ProblemJson(JsonModel):
    """A problem of the character; ``decision`` is the id of the decision that it is about."""

    code: str
    decision: str
    message: str


def character(character: Character, problems: tuple[Problem, ...]) -> dict[str, Any]:
    """Return a character as ``show --json`` prints it."""
    state = character.state
    return {
        "name": character.name,
        "ruleset": state.ruleset.id,
        "level": state.level,
        **_values_and_holdings(state, state.units[0]),
        "units": [_unit(state, unit) for unit in state.units[1:]],
        "conditions": [part.model_dump() for part in conditions(state, *state.units)],
        "legal": character.legal and not problems,
        "problems": [part.model_dump() for part in problems_json(problems)],
        "notes": [note.model_dump() for note in notes(character)],
    }


def unit(state: State, unit: Unit) -> dict[str, Any]:
    """Return a companion or vehicle as ``show --unit --json`` prints it, with its conditions."""
    present = [part.model_dump() for part in conditions(state, unit)]
    return {**_unit(state, unit), "conditions": present}


def _unit(state: State, unit: Unit) -> dict[str, Any]:
    return {**unit_head(state, unit), **_values_and_holdings(state, unit)}


def unit_head(state: State, unit: Unit) -> dict[str, Any]:
    """Return the data of a companion or vehicle without its values and holdings."""
    return {
        "id": unit.id,
        "kind": unit.type.id,
        "name": unit.name,
        "level": state.level_of(unit),
        "entity": unit.entity.id if unit.entity else None,
    }


def _values_and_holdings(state: State, unit: Unit) -> dict[str, Any]:
    """Return the values and holdings of a unit; what a holding has by default is left out."""
    return {
        "values": {
            name: {**(value.model_extra or {}), **value.model_dump()}
            for name, value in values(state, unit).items()
        },
        "holdings": [
            part.model_dump(by_alias=True, exclude_defaults=True) for part in holdings(state, unit)
        ],
    }


def values(state: State, unit: Unit) -> dict[str, ValueJson]:
    """Return every value of a unit, by id."""
    return {name: value_json(state, unit, name) for name in state.values(unit.id).shown_ids()}


def value_json(state: State, unit: Unit, name: str) -> ValueJson:
    """Return a value of a unit, also one that is not shown."""
    explained = state.values(unit.id).explain(name)
    track = state.ruleset.tracks.get(name)
    value = ValueJson.model_validate(explained)
    if track is None:
        return value
    return value.model_copy(update={"track": track.step(explained.base).label})


def holdings(state: State, unit: Unit) -> list[HoldingJson]:
    """Return the holdings of a unit."""
    return [_holding(state, holding) for holding in state.held(unit.id)]


def _holding(state: State, holding: Holding) -> HoldingJson:
    return HoldingJson(
        **{"from": holding.origin},
        id=holding.entity.id,
        kind=holding.entity.kind,
        name=holding.name,
        instance=holding.id,
        quantity=holding.quantity,
        in_hand=state.in_hand.get(holding.id, 0),
        worn=state.pieces_worn(holding),
        capacities={
            capacity.id: state_changes.capacity_left(state, holding, capacity)
            for capacity in holding.entity.capacities
        },
        cooling=tuple(key for name, key in state.cooldowns if name == holding.id),
        choices=holding_answers(state, holding),
    )


def conditions(state: State, *units: Unit) -> list[ConditionJson]:
    """Return the present conditions of units."""
    return [
        ConditionJson(
            id=condition.entity.id,
            name=condition.entity.name,
            amount=condition.amount,
            about=condition.about,
            unit=condition.unit,
            left=condition.left,
        )
        for unit in units
        for condition in state.active_conditions(unit.id)
    ]


def notes(character: Character) -> list[NoteJson]:
    """Return the player's notes."""
    return [NoteJson(text=note.text, at=note.at, author=note.author) for note in character.notes]


def problems_json(problems: Iterable[Problem]) -> list[ProblemJson]:
    """Return the problems of a character file."""
    return list(map(ProblemJson.model_validate, problems))


def entity(entity: Entity, ruleset: Ruleset) -> dict[str, Any]:
    """Return an entity as ``catalog list --json`` prints it.

    The damage type of an attack is a list if a choice of the entity decides it.
    """
    return {
        "id": entity.id,
        "kind": entity.kind,
        "name": entity.name,
        "ruleset": ruleset.id,
        "pack": ruleset.origins.get(entity.id),
        "source": entity.source,
        "rulings": list(entity.rulings),
        "tags": list(entity.tags),
        "text": as_written(entity.text),
        "digest": as_written(entity.digest),
        "slots": entity.slots,
        "price": entity.price,
        "rarity": entity.own.get("rarity"),
        "requires": _tree(entity.requires),
        "replaces": entity.replaces,
        "repeatable": entity.repeatable,
        "alias_of": entity.alias_of,
        "grants": [
            {"id": grant.id, "quantity": grant.quantity, "level": grant.level}
            for grant in entity.all_grants
        ],
        "titled": entity.titled,
        "figures": [
            _plain(figure.model_dump(mode="json", exclude_defaults=True))
            for figure in entity.figures
        ],
        "choices": [
            _plain(choice.model_dump(mode="json", exclude_defaults=True))
            for choice in entity.choices
        ],
        "each_level": [
            _plain(question.model_dump(mode="json", exclude_defaults=True))
            for question in entity.each_level
        ],
        "capacities": {capacity.id: _plain(capacity.max.text) for capacity in entity.capacities},
        "modifies": [
            _plain(modifier.model_dump(mode="json", exclude_defaults=True))
            for modifier in entity.modifies
        ],
        "tables": [_plain(table.model_dump(mode="json")) for table in entity.tables],
        "values": {name: _plain(formula.text) for name, formula in entity.values.items()},
        "actions": [_action(action) for action in entity.actions],
        "attacks": [_attack(attack, entity, ruleset) for attack in entity.attacks],
        **{name: entity.own.get(name) for name in ruleset.kinds[entity.kind].fields},
    }


def _tree(requirement: Any) -> Any:
    return (
        None
        if requirement is None
        else requirement.model_dump(mode="json", by_alias=True, exclude_unset=True)
    )


def _plain(data: Any) -> Any:
    """Return data with numbers in place of formulas that are numbers."""
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_plain(value) for value in data]
    if isinstance(data, str) and data.lstrip("-").isdigit():
        return int(data)
    return data


def _action(action: Action) -> dict[str, Any]:
    return {
        "name": action.name,
        "timing": action.timing,
        "cost": {key: _plain(str(amount)) for key, amount in action.cost.items()},
        "trigger": action.trigger,
        "limit": action.limit,
        "cooldown": action.cooldown,
        "requires": _tree(action.requires),
        "who": action.who,
        "text": as_written(action.text),
        "digest": as_written(action.digest),
        "procedure": action.procedure,
        "with": {name: _plain(str(given)) for name, given in action.with_.items()},
        "results": {name: as_written(text) for name, text in action.results.items()},
    }


def _attack(attack: Attack, bearer: Entity, ruleset: Ruleset) -> dict[str, Any]:
    types = _damage_types(attack, bearer, ruleset)
    crit = attack.crit
    return {
        "name": attack.name,
        "range": as_written(attack.range),
        "hit": attack.hit,
        "defence": attack.defence,
        "damage": attack.damage,
        "type": types[0] if len(types) == 1 else types,
        "shots": attack.shots,
        "crit": None
        if crit is None
        else {"margin": crit.margin, "effect": crit.effect, "requires": _tree(crit.requires)},
        "spread": attack.spread,
        "ammo": attack.ammo or None,
        "cost": dict(attack.cost),
        "bonus": _plain(str(attack.bonus)),
        "requires": _tree(attack.requires),
        "who": attack.who,
        "text": as_written(attack.text),
        "digest": as_written(attack.digest),
    }


def _damage_types(attack: Attack, bearer: Entity, ruleset: Ruleset) -> list[str]:
    """Return the damage types that an attack may have, with the options of a choice."""
    types: list[str] = []
    for name in attack.type:
        choice = next((c for c in bearer.choices if f"${c.id}" == name), None)
        among = getattr(choice, "among", None)
        if among is None:
            types.append(name)
        elif among.only:
            types += among.only
        else:
            types += [term.id for term in ruleset.head.terms.get(among.terms, ())]
    return types
