"""The data of ``show --json`` and ``catalog … --json``, for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ConfigDict, Field

from charforge.character import state_changes
from charforge.character.files.document import Difference
from charforge.character.holdings import holding_answers
from charforge.character.state import Holding, State, Unit
from charforge.expressions.template import as_written
from charforge.json_model import JsonModel, ProblemJson
from charforge.replay.replay import Character, Problem
from charforge.rules.models import Action, Attack, Entity, PackModel, Requirement
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset

PackPart = dict[str, Any]  # of a pack as it is written, with numbers in place of formulas


class StepJson(JsonModel):
    """One step of a value, with the ``total`` after it; a factor may be a fraction."""

    source: str
    op: str
    amount: int | float
    total: int


class ValueJson(JsonModel):
    """A value of a unit with its steps: ``base`` is lasting, ``total`` is the present number.

    ``track`` is the name of its present step, if its numbers have names.
    """

    label: str
    base: int
    total: int
    track: str | None = None
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


class DifferenceJson(JsonModel):
    """One thing that differs, as ``Difference``; what one side does not have is null."""

    topic: str
    id: str
    label: str
    unit: str = ""
    kind: str = ""
    old: int | str | None
    new: int | str | None


class HeldJson(JsonModel):
    """The values and holdings of a character, a companion or a vehicle."""

    values: dict[str, ValueJson]
    holdings: tuple[HoldingJson, ...]


class UnitHeadJson(JsonModel):
    """A companion or vehicle; ``kind`` is its unit type, ``entity`` its entry in the rules."""

    id: str
    kind: str
    name: str
    level: int
    entity: str | None


class UnitJson(HeldJson, UnitHeadJson):
    """A companion or vehicle with its values and holdings."""


class ShownUnitJson(UnitJson):
    """The output of ``show --unit --json``: a companion or vehicle with its conditions."""

    conditions: tuple[ConditionJson, ...]


class CharacterHeadJson(JsonModel):
    """A character; ``ruleset`` is the id of its game."""

    name: str
    ruleset: str
    level: int


class CharacterJson(HeldJson, CharacterHeadJson):
    """The output of ``show --json``: a character; ``pack_changes`` are those of other packs."""

    units: tuple[UnitJson, ...]
    conditions: tuple[ConditionJson, ...]
    legal: bool
    problems: tuple[ProblemJson, ...]
    notes: tuple[NoteJson, ...]
    pack_changes: tuple[DifferenceJson, ...]


class RememberedJson(JsonModel):
    """The output of ``show --json`` without the rules of the character: its saved summary."""

    name: str
    ruleset: str
    remembered: bool = True
    summary: dict[str, Any]


def character(
    character: Character, problems: Sequence[Problem], pack_changes: Iterable[Difference] = ()
) -> CharacterJson:
    """Return a character as ``show --json`` prints it; ``problems`` are those of its file."""
    state = character.state
    return CharacterJson(
        name=character.name,
        ruleset=state.ruleset.id,
        level=state.level,
        values=values(state, state.units[0]),
        holdings=holdings(state, state.units[0]),
        units=[UnitJson(**_unit(state, unit)) for unit in state.units[1:]],
        conditions=conditions(state, *state.units),
        legal=character.legal and not problems,
        problems=problems,
        notes=notes(character),
        pack_changes=tuple(pack_changes),
    )


def unit(state: State, unit: Unit) -> ShownUnitJson:
    """Return a companion or vehicle as ``show --unit --json`` prints it, with its conditions."""
    return ShownUnitJson(**_unit(state, unit), conditions=conditions(state, unit))


def _unit(state: State, unit: Unit) -> dict[str, Any]:
    head = unit_head(state, unit)
    return {**head, "values": values(state, unit), "holdings": holdings(state, unit)}


def unit_head(state: State, unit: Unit) -> dict[str, Any]:
    """Return the fields of a companion or vehicle without its values and holdings."""
    return {
        "id": unit.id,
        "kind": unit.type.id,
        "name": unit.name,
        "level": state.level_of(unit),
        "entity": unit.entity.id if unit.entity else None,
    }


def values(state: State, unit: Unit) -> dict[str, ValueJson]:
    """Return every value of a unit, by id."""
    return {name: value_json(state, unit, name) for name in state.values(unit.id).shown_ids()}


def value_json(state: State, unit: Unit, name: str) -> ValueJson:
    """Return a value of a unit, also one that is not shown."""
    explained = state.values(unit.id).explain(name)
    track = state.ruleset.tracks.get(name)
    return ValueJson(
        label=explained.label,
        base=explained.base,
        total=explained.total,
        track=None if track is None else track.step(explained.base).label,
        steps=explained.steps,
    )


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


# ------------------------------------------------------------------ entries of the catalog


class GrantJson(JsonModel):
    """Something that an entity grants."""

    id: str
    quantity: int
    level: int


class ActionJson(JsonModel):
    """An action of an entity; ``with`` are the inputs that it gives its procedure."""

    name: str
    timing: str
    cost: dict[str, int | str]
    trigger: str
    limit: str
    cooldown: str
    requires: PackPart | None
    who: str
    text: str
    digest: str
    procedure: str | None
    with_: dict[str, int | str] = Field(alias="with")
    results: dict[str, str]


class CritJson(JsonModel):
    """The critical hit of an attack."""

    margin: int | str
    effect: str
    requires: PackPart | None


class AttackJson(JsonModel):
    """An attack of an entity; ``type`` is a list if a choice of the entity decides it."""

    name: str
    range: str
    hit: int | str | None
    defence: str | None
    damage: int | str
    type: str | tuple[str, ...]
    shots: int | str | None
    crit: CritJson | None
    spread: str | None
    notes: list[str]
    ammo: int | str | None
    cost: dict[str, int]
    bonus: int | str
    requires: PackPart | None
    who: str
    text: str
    digest: str


class EntityJson(JsonModel):
    """An entity of a game; the own fields of its kind are more keys."""

    model_config = ConfigDict(extra="allow")

    id: str
    kind: str
    name: str
    ruleset: str
    pack: str | None
    source: str
    rulings: tuple[str, ...]
    tags: tuple[str, ...]
    text: str
    digest: str
    slots: int | None
    price: Any
    rarity: Any
    requires: PackPart | None
    replaces: str | None
    repeatable: bool | int
    alias_of: str | None
    grants: tuple[GrantJson, ...]
    titled: str | None
    figures: tuple[PackPart, ...]
    choices: tuple[PackPart, ...]
    each_level: tuple[PackPart, ...]
    capacities: dict[str, int | str]
    modifies: tuple[PackPart, ...]
    tables: tuple[PackPart, ...]
    values: dict[str, int | str]
    actions: tuple[ActionJson, ...]
    attacks: tuple[AttackJson, ...]


def entity_json(entity: Entity, ruleset: Ruleset) -> EntityJson:
    """Return an entity as ``catalog list --json`` prints it."""
    own = {name: entity.own.get(name) for name in ruleset.kinds[entity.kind].fields}
    return EntityJson(
        **{"rarity": entity.own.get("rarity"), **own},
        id=entity.id,
        kind=entity.kind,
        name=entity.name,
        ruleset=ruleset.id,
        pack=ruleset.origins.get(entity.id),
        source=entity.source,
        rulings=entity.rulings,
        tags=entity.tags,
        text=as_written(entity.text),
        digest=as_written(entity.digest),
        slots=entity.slots,
        price=entity.price,
        requires=_tree(entity.requires),
        replaces=entity.replaces,
        repeatable=entity.repeatable,
        alias_of=entity.alias_of,
        grants=entity.all_grants,
        titled=entity.titled,
        figures=_parts(entity.figures),
        choices=_parts(entity.choices),
        each_level=_parts(entity.each_level),
        capacities={capacity.id: _plain(capacity.max.text) for capacity in entity.capacities},
        modifies=_parts(entity.modifies),
        tables=[_plain(table.model_dump(mode="json")) for table in entity.tables],
        values={name: _plain(formula.text) for name, formula in entity.values.items()},
        actions=[_action(action) for action in entity.actions],
        attacks=[_attack(attack, entity, ruleset) for attack in entity.attacks],
    )


def _parts(parts: Iterable[PackModel]) -> list[PackPart]:
    """Return parts of an entity without the keys that have their default."""
    return [_plain(part.model_dump(mode="json", exclude_defaults=True)) for part in parts]


def _tree(requirement: Requirement | None) -> PackPart | None:
    if requirement is None:
        return None
    return requirement.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _plain(data: Any) -> Any:
    """Return data with numbers in place of formulas that are numbers."""
    if isinstance(data, Mapping):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_plain(value) for value in data]
    if isinstance(data, str) and data.lstrip("-").isdigit():
        return int(data)
    return data


def _action(action: Action) -> ActionJson:
    return ActionJson(
        **{"with": {name: _plain(str(given)) for name, given in action.with_.items()}},
        name=action.name,
        timing=action.timing,
        cost={key: _plain(str(amount)) for key, amount in action.cost.items()},
        trigger=action.trigger,
        limit=action.limit,
        cooldown=original(action.cooldown),
        requires=_tree(action.requires),
        who=action.who,
        text=as_written(action.text),
        digest=as_written(action.digest),
        procedure=action.procedure,
        results={name: as_written(text) for name, text in action.results.items()},
    )


def _attack(attack: Attack, bearer: Entity, ruleset: Ruleset) -> AttackJson:
    types = _damage_types(attack, bearer, ruleset)
    crit = attack.crit
    return AttackJson(
        name=attack.name,
        range=as_written(attack.range),
        hit=attack.hit,
        defence=attack.defence,
        damage=attack.damage,
        type=types[0] if len(types) == 1 else types,
        shots=attack.shots,
        crit=crit
        and CritJson(margin=crit.margin, effect=crit.effect, requires=_tree(crit.requires)),
        spread=attack.spread,
        notes=[as_written(note.text) for note in attack.notes],
        ammo=sum(attack.cost.get(one.id, 0) for one in bearer.capacities) or None,
        cost=attack.cost,
        bonus=_plain(str(attack.bonus)),
        requires=_tree(attack.requires),
        who=attack.who,
        text=as_written(attack.text),
        digest=as_written(attack.digest),
    )


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
