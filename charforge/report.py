"""The data of ``show --json`` and ``catalog … --json``, for other programs.

The keys are a contract with other programs; values come with their steps,
so that a script can explain a number as the program does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from charforge.character import play_state
from charforge.character.state import Condition, Holding, State, Unit
from charforge.character.values import ExplainedValue
from charforge.expressions.template import as_written
from charforge.replay.replay import Character, Problem
from charforge.rules.models import Action, Attack, Entity
from charforge.rules.ruleset import Ruleset


def character(found: Character, problems: tuple[Problem, ...]) -> dict[str, Any]:
    """Return a character as ``show --json`` prints it."""
    state = found.state
    own = state.units[0]
    return {
        "name": found.name,
        "ruleset": state.ruleset.id,
        "level": state.level,
        "values": values(state, own),
        "holdings": [_holding(state, h) for h in state.held(own.id)],
        "units": [_unit(state, unit) for unit in state.units[1:]],
        "conditions": _conditions(state, *state.units),
        "legal": found.legal and not problems,
        "problems": [
            {"code": p.code, "decision": p.decision, "message": p.message} for p in problems
        ],
    }


def unit(state: State, found: Unit) -> dict[str, Any]:
    """Return a companion or vehicle as ``show --unit --json`` prints it, with its conditions."""
    return {**_unit(state, found), "conditions": _conditions(state, found)}


def _conditions(state: State, *units: Unit) -> list[dict[str, Any]]:
    return [_condition(found) for one in units for found in state.active_conditions(one.id)]


def values(state: State, unit: Unit) -> dict[str, Any]:
    """Return every value of a unit with its steps."""
    found = state.values(unit.id)
    return {name: _value(state, found.explain(name)) for name in found.ids()}


def _value(state: State, explained: ExplainedValue) -> dict[str, Any]:
    """Return a value with its steps, and where it stands if a track goes by it."""
    track = state.ruleset.tracks.get(explained.id)
    stands = {} if track is None else {"track": track.step(explained.base).label}
    return {
        **stands,
        "label": explained.label,
        "base": explained.base,
        "total": explained.total,
        "steps": [
            {"source": s.source, "op": s.op, "amount": s.amount, "total": s.total}
            for s in explained.steps
        ],
    }


def _condition(found: Condition) -> dict[str, Any]:
    """Return a condition; ``left`` is how often its moment has still to pass."""
    return {
        "id": found.entity.id,
        "name": found.entity.name,
        "amount": found.amount,
        "about": found.about,
        "unit": found.unit,
        "left": found.left,
    }


def _holding(state: State, holding: Holding) -> dict[str, Any]:
    """Return a holding, with the state of play where it has any."""
    found: dict[str, Any] = {
        "id": holding.entity.id,
        "kind": holding.entity.kind,
        "name": holding.name,
        "from": holding.origin,
        "instance": holding.id,
    }
    if holding.quantity != 1:
        found["quantity"] = holding.quantity
    if holding.id in state.in_hand:
        found["in_hand"] = state.in_hand[holding.id]
    capacities = {
        c.id: play_state.capacity_left(state, holding, c) for c in holding.entity.capacities
    }
    if capacities:
        found["capacities"] = capacities
    cooling = [key for name, key in state.cooldowns if name == holding.id]
    if cooling:
        found["cooling"] = cooling
    return found


def _unit(state: State, unit: Unit) -> dict[str, Any]:
    return {
        "id": unit.id,
        "kind": unit.type.id,
        "name": unit.name,
        "level": state.level_of(unit),
        "entity": unit.entity.id if unit.entity else None,
        "values": values(state, unit),
        "holdings": [_holding(state, h) for h in state.held(unit.id)],
    }


def entity(found: Entity, ruleset: Ruleset) -> dict[str, Any]:
    """Return an entity as ``catalog list --json`` prints it.

    A damage type that the bearer's choice decides is the list of what it
    may be.
    """
    return {
        "id": found.id,
        "kind": found.kind,
        "name": found.name,
        "ruleset": ruleset.id,
        "pack": ruleset.origins.get(found.id),
        "source": found.source,
        "rulings": list(found.rulings),
        "tags": list(found.tags),
        "text": as_written(found.text),
        "slots": found.slots,
        "price": found.price,
        "rarity": found.own.get("rarity"),
        "requires": _tree(found.requires),
        "replaces": found.replaces,
        "repeatable": found.repeatable,
        "alias_of": found.alias_of,
        "grants": [
            {"id": grant.id, "quantity": grant.quantity, "level": grant.level}
            for grant in found.grants
        ],
        "titled": found.titled,
        "figures": [
            _plain(one.model_dump(mode="json", exclude_defaults=True)) for one in found.figures
        ],
        "choices": [
            _plain(choice.model_dump(mode="json", exclude_defaults=True))
            for choice in found.choices
        ],
        "capacities": {item.id: _plain(item.max.text) for item in found.capacities},
        "modifies": [
            _plain(m.model_dump(mode="json", exclude_defaults=True)) for m in found.modifies
        ],
        "tables": [_plain(table.model_dump(mode="json")) for table in found.tables],
        "values": {name: _plain(formula.text) for name, formula in found.values.items()},
        "actions": [_action(action) for action in found.actions],
        "attacks": [_attack(attack, found, ruleset) for attack in found.attacks],
        **{name: found.own.get(name) for name in ruleset.kinds[found.kind].fields},
    }


def _tree(requirement: Any) -> Any:
    return (
        None
        if requirement is None
        else requirement.model_dump(mode="json", by_alias=True, exclude_unset=True)
    )


def _plain(data: Any) -> Any:
    """Write formulas that are numbers as numbers."""
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
    }


def _attack(attack: Attack, bearer: Entity, ruleset: Ruleset) -> dict[str, Any]:
    dealt = types(attack, bearer, ruleset)
    crit = attack.crit
    return {
        "name": attack.name,
        "range": as_written(attack.range),
        "hit": attack.hit,
        "defence": attack.defence,
        "damage": attack.damage,
        "type": dealt[0] if len(dealt) == 1 else dealt,
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
    }


def types(attack: Attack, bearer: Entity, ruleset: Ruleset) -> list[str]:
    """Return the damage types an attack may have, the bearer's choice spelt out."""
    dealt: list[str] = []
    for name in attack.type:
        choice = next((c for c in bearer.choices if f"${c.id}" == name), None)
        among = getattr(choice, "among", None)
        if among is None:
            dealt.append(name)
        elif among.only:
            dealt += among.only
        else:
            dealt += [term.id for term in ruleset.head.terms.get(among.terms, ())]
    return dealt
