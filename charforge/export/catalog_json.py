"""The data of ``catalog list --json`` and ``catalog show --json``, for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ConfigDict, Field

from charforge.expressions.template import as_written
from charforge.json_model import JsonModel
from charforge.rules.models import Action, Attack, Entity, PackModel, Requirement
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset

PackPart = dict[str, Any]  # of a pack as it is written, with numbers in place of formulas


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
