"""The rules of what a character has, as its file keeps them: their numbers, and a hash of the rest.

A pack that is replaced takes its former rules with it. With these a file still knows what they
were, so that ``update`` can say what differs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from pydantic import BaseModel

from charforge.character.state import State
from charforge.language import _
from charforge.rules.models import Action, Attack, Capacity, Entity, Input, Question
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset

HASH_LENGTH = 8  # hexadecimal digits
# The fields that a hash leaves out: names, places in books, advice, words for players, figures.
LEFT_OUT: dict[type, tuple[str, ...]] = {
    Entity: (
        "id", "name", "source", "rulings", "aliases", "renamed_from", "key", "priority", "suits",
        "recommended",
    ),
    Question: ("short",), Input: ("words",), Capacity: ("max",), Attack: ("damage", "cost"),
    Action: ("cost",),
}  # fmt: skip


class RuleFigure(NamedTuple):
    """A number of an entity's rules: its key among them, a label, and a formula as in the pack."""

    key: str
    label: str
    formula: str


def held_rules(state: State) -> dict[str, str]:
    """Return the rules of every entity that a character and its units have.

    By the id of an entity the hash of its rules, which is the same in every language; by its id
    and the key of a figure the formula of that.
    """
    entities = {holding.entity.id: holding.entity for holding in state.holdings}
    rules: dict[str, str] = {}
    for entity in entities.values():
        figures = rule_figures(entity, state.ruleset)
        key = "rules hash", entity.id
        rules[entity.id] = state.ruleset.cached(key, partial(_hash, entity, state.ruleset))
        rules |= {f"{entity.id} {figure.key}": figure.formula for figure in figures}
    return rules


def rule_figures(entity: Entity, ruleset: Ruleset) -> Iterator[RuleFigure]:
    """Yield what its capacities hold, what its attacks deal and what it costs to use it."""
    labels = {capacity.id: capacity.label for capacity in entity.capacities}
    for capacity in entity.capacities:
        label = f"{entity.name}: {capacity.label}"
        yield RuleFigure(f"capacity {capacity.id}", label, capacity.max.text)
    parts: dict[str, Attack | Action] = {f"attack {n}": a for n, a in enumerate(entity.attacks, 1)}
    parts |= {f"action {n}": a for n, a in enumerate(entity.actions, 1)}
    for key, part in parts.items():
        own_name = part.name not in ("", entity.name)
        name = f"{entity.name} ({part.name})" if own_name else entity.name
        if isinstance(part, Attack):
            label = _("{name}: damage").format(name=name)
            yield RuleFigure(f"{key} damage", label, str(part.damage))
        for resource, amount in part.cost.items():
            of = labels.get(resource) or ruleset.label_of(resource)
            label = _("{name}: {resource} cost").format(name=name, resource=of)
            yield RuleFigure(f"{key} cost {resource}", label, str(amount))


def _hash(entity: Entity, ruleset: Ruleset) -> str:
    """Return a short hash of the rules of an entity, with the keys of its figures alone."""
    keys = [figure.key for figure in rule_figures(entity, ruleset)]
    text = json.dumps([keys, _as_written(entity)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def _as_written(value: Any) -> Any:
    """Return a part of a pack as data without defaults, with its own texts, not translations.

    Without the serializer of pydantic, which takes a tenth of a second to be built.
    """
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        left_out = {name for kind in type(value).mro() for name in LEFT_OUT.get(kind, ())}
        return {
            name: _as_written(part)
            for name, part in value
            if name not in left_out and part != fields[name].default
        }
    if isinstance(value, dict):
        return {str(key): _as_written(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_as_written(part) for part in value]
    if isinstance(value, str):
        return original(value)
    return value if isinstance(value, int | float | None) else str(value)
