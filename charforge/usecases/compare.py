"""Comparison of two characters, or of one at two levels, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from charforge.character.state import CHARACTER, State, Unit
from charforge.errors import UsageError
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs; ``old`` or ``new`` is None where one side has nothing of it.

    ``topic`` is one of name, level, rule, unit, value, holding, condition,
    choice and text; ``unit`` names the companion or vehicle it concerns.
    ``kind`` is a holding's kind in words.
    """

    topic: str
    id: str
    label: str
    old: int | str | None
    new: int | str | None
    unit: str = ""
    kind: str = ""


def differences(old: Character, new: Character, choices: bool = True) -> tuple[Difference, ...]:
    """Return all differences; without ``choices`` only their effects.

    Raises UsageError for characters of different games.
    """
    was, now = old.state, new.state
    if was.ruleset.id != now.ruleset.id:
        raise UsageError(
            f"{old.name} is of {was.ruleset.head.name}, {new.name} of {now.ruleset.head.name}",
            "Only characters of one game can be compared.",
        )
    found = [
        *_changed("name", {"name": ("Name", old.name)}, {"name": ("Name", new.name)}),
        *_changed("level", _level(was), _level(now)),
        *_changed("rule", _rules(was), _rules(now)),
        *_units(was, now),
        *_changed("text", _texts(was), _texts(now)),
    ]
    if choices:
        found += _changed("choice", _choices(old), _choices(new))
    return tuple(found)


Shown = Mapping[str, tuple[str, int | str]]  # by id: a label, and what stands under it


def _changed(
    topic: str, old: Shown, new: Shown, unit: str = "", kind: Callable[[str], str] = lambda _id: ""
) -> Iterator[Difference]:
    """Yield where two maps differ, in the new one's order, then what is only in the old one."""
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        if (before and before[1]) != (after and after[1]):
            label = (after or before or ("", ""))[0]
            yield Difference(
                topic, name, label, before and before[1], after and after[1], unit, kind(name)
            )


def _level(state: State) -> Shown:
    return {"level": (state.ruleset.head.advancement.label, state.level)}


def _rules(state: State) -> Shown:
    """Return the option of each table rule, in words."""
    shown = {}
    for name, option in state.ruleset.table_rule_options(state.rules).items():
        rule = state.ruleset.table_rules[name]
        way = next((one.label for one in rule.options if one.id == option), option)
        shown[name] = (rule.label, way)
    return shown


def _units(was: State, now: State) -> Iterator[Difference]:
    """Yield the differences of each unit; of one on one side only just its name."""
    before, after = _by_key(was), _by_key(now)
    for key in dict.fromkeys([*after, *before]):
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            yield _whole(key, old, new)
            continue
        name = new.name if new.id != CHARACTER else ""
        if old.name != new.name and name:
            yield Difference("name", new.id, "Name", old.name, new.name, name)
        levels = was.level_of(old), now.level_of(new)
        if levels[0] != levels[1] and name and new.type.level != "owner":
            label = now.ruleset.head.advancement.label
            yield Difference("level", new.id, label, *levels, name)
        yield from _changed("value", _values(was, old), _values(now, new), name)
        held = _holdings(was, old), _holdings(now, new)
        yield from _changed("holding", *held, name, partial(_kind, now.ruleset))
        yield from _changed("condition", _conditions(was, old), _conditions(now, new), name)


def _kind(ruleset: Ruleset, key: str) -> str:
    """Return the kind of a holding in words; its entity's id stands before any title."""
    return ruleset.kinds[ruleset.entity(key.partition(" ")[0]).kind].label


def _by_key(state: State) -> dict[tuple[str, str], Unit]:
    return {(unit.id, unit.entity.id if unit.entity else ""): unit for unit in state.units}


def _whole(key: tuple[str, str], old: Unit | None, new: Unit | None) -> Difference:
    unit = new or old
    assert unit is not None
    was, now = old.name if old else None, new.name if new else None
    return Difference("unit", key[0], unit.name, was, now, kind=unit.type.label)


def _values(state: State, unit: Unit) -> Shown:
    values = state.values(unit.id)
    return {name: (state.ruleset.values[name].label, values.total(name)) for name in values.ids()}


def _holdings(state: State, unit: Unit) -> Shown:
    """Return how many a unit has of each entity; what has a title is by itself."""
    shown: dict[str, tuple[str, int]] = {}
    for holding in state.held(unit.id):
        if state.ruleset.kinds[holding.entity.kind].unit is None:
            key = f"{holding.entity.id} {holding.title}".strip()
            number = shown.get(key, ("", 0))[1] + holding.quantity
            shown[key] = (holding.name, number)
    return shown


def _conditions(state: State, unit: Unit) -> Shown:
    shown = {}
    for one in state.active_conditions(unit.id):
        about = f" ({one.about})" if one.about else ""
        shown[f"{one.entity.id}{about}"] = (one.entity.name + about, one.amount)
    return shown


def _choices(found: Character) -> Shown:
    """Return every answer in effect, in words; the id says which decision it is."""
    answers = found.answers()
    return {
        decision.id: (decision.title(), decision.answer_text(answers[decision.id]))
        for decision in found.asked
        if decision.id in answers
    }


def _texts(state: State) -> Shown:
    """Return the rules texts that depend on table rules, as they are for this character."""
    ruled = (entity for entity in state.ruleset.entities.values() if entity.ruled)
    return {entity.id: (entity.name, state.text(entity)) for entity in ruled}


def difference_data(found: Difference) -> dict[str, Any]:
    """Return a difference as ``diff --json`` prints it, without empty fields."""
    data: dict[str, Any] = {"topic": found.topic, "id": found.id, "label": found.label}
    if found.unit:
        data["unit"] = found.unit
    if found.kind:
        data["kind"] = found.kind
    return {**data, "old": found.old, "new": found.new}
