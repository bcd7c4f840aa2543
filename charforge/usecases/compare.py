"""Differences between two characters, two levels of one, or two saved summaries, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charforge.character.state import CHARACTER, State, Unit
from charforge.describe.saved_summary import entity_name, saved_values
from charforge.errors import UsageError
from charforge.replay.loaded_character import LoadedCharacter, pack_notes, summary
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs; ``old`` or ``new`` is None where one side does not have it.

    ``topic`` is one of name, level, rule, unit, value, holding, condition,
    choice and text; ``unit`` names the companion or vehicle it concerns.
    ``kind`` is the label of a holding's kind.
    """

    topic: str
    id: str
    label: str
    old: int | str | None
    new: int | str | None
    unit: str = ""
    kind: str = ""


def difference_data(difference: Difference) -> dict[str, Any]:
    """Return a difference as ``diff --json`` prints it, without empty fields."""
    data: dict[str, Any] = {
        "topic": difference.topic,
        "id": difference.id,
        "label": difference.label,
    }
    if difference.unit:
        data["unit"] = difference.unit
    if difference.kind:
        data["kind"] = difference.kind
    return {**data, "old": difference.old, "new": difference.new}


Entries = Mapping[str, tuple[str, int | str]]  # by id: a label and a value


def _entry_differences(
    topic: str,
    old: Entries,
    new: Entries,
    unit: str = "",
    kind_of: Callable[[str], str] = lambda _id: "",
) -> Iterator[Difference]:
    """Yield the entries whose values differ: in the order of ``new``, then those only in ``old``.

    ``kind_of`` returns the kind of an entry by its id.
    """
    for name in dict.fromkeys([*new, *old]):
        before, after = old.get(name), new.get(name)
        old_value, new_value = before and before[1], after and after[1]
        if old_value != new_value:
            label = (after or before or ("", ""))[0]
            yield Difference(topic, name, label, old_value, new_value, unit, kind_of(name))


# ------------------------------------------------------------------ characters


def differences(old: Character, new: Character, choices: bool = True) -> tuple[Difference, ...]:
    """Return all differences; without ``choices`` only their effects.

    Raises UsageError for characters of different games.
    """
    before, after = old.state, new.state
    if before.ruleset.id != after.ruleset.id:
        raise UsageError(
            f"{old.name} is of {before.ruleset.head.name}, {new.name} of {after.ruleset.head.name}",
            "Only characters of one game can be compared.",
        )
    all_differences = [
        *_entry_differences("name", {"name": ("Name", old.name)}, {"name": ("Name", new.name)}),
        *_entry_differences("level", _level(before), _level(after)),
        *_entry_differences("rule", _table_rules(before), _table_rules(after)),
        *_unit_differences(before, after),
        *_entry_differences("text", _ruled_texts(before), _ruled_texts(after)),
    ]
    if choices:
        all_differences += _entry_differences("choice", _choices(old), _choices(new))
    return tuple(all_differences)


def _level(state: State) -> Entries:
    return {"level": (state.ruleset.head.advancement.label, state.level)}


def _table_rules(state: State) -> Entries:
    """Return the label of the chosen option of each table rule."""
    entries = {}
    for name, chosen in state.ruleset.table_rule_options(state.rules).items():
        rule = state.ruleset.table_rules[name]
        label = next((option.label for option in rule.options if option.id == chosen), chosen)
        entries[name] = (rule.label, label)
    return entries


def _unit_differences(before: State, after: State) -> Iterator[Difference]:
    """Yield the differences of each unit; only the name of a unit that one side lacks."""
    old_units, new_units = _units_by_key(before), _units_by_key(after)
    for key in dict.fromkeys([*new_units, *old_units]):
        old, new = old_units.get(key), new_units.get(key)
        if old is None or new is None:
            yield _missing_unit(old, new)
            continue
        name = new.name if new.id != CHARACTER else ""
        if old.name != new.name and name:
            yield Difference("name", new.id, "Name", old.name, new.name, name)
        levels = before.level_of(old), after.level_of(new)
        if levels[0] != levels[1] and name and new.type.level != "owner":
            label = after.ruleset.head.advancement.label
            yield Difference("level", new.id, label, *levels, name)
        yield from _entry_differences("value", _values(before, old), _values(after, new), name)
        yield from _entry_differences(
            "holding", _holdings(before, old), _holdings(after, new), name,
            lambda key: _kind_label(key, after.ruleset),
        )  # fmt: skip
        conditions = _conditions(before, old), _conditions(after, new)
        yield from _entry_differences("condition", *conditions, name)


def _units_by_key(state: State) -> dict[tuple[str, str], Unit]:
    return {(unit.id, unit.entity.id if unit.entity else ""): unit for unit in state.units}


def _missing_unit(old: Unit | None, new: Unit | None) -> Difference:
    """Return the difference of a unit that only one side has."""
    unit = new or old
    assert unit is not None
    names = old.name if old else None, new.name if new else None
    return Difference("unit", unit.id, unit.name, *names, kind=unit.type.label)


def _values(state: State, unit: Unit) -> Entries:
    values = state.values(unit.id)
    return {name: (state.ruleset.values[name].label, values.total(name)) for name in values.ids()}


def _holdings(state: State, unit: Unit) -> Entries:
    """Return the number of each entity that a unit has; those with a title are kept apart."""
    entries: dict[str, tuple[str, int]] = {}
    for holding in state.held(unit.id):
        if state.ruleset.kinds[holding.entity.kind].unit is None:
            key = f"{holding.entity.id} {holding.title}".strip()
            number = entries.get(key, ("", 0))[1] + holding.quantity
            entries[key] = (holding.name, number)
    return entries


def _conditions(state: State, unit: Unit) -> Entries:
    entries = {}
    for condition in state.active_conditions(unit.id):
        about = f" ({condition.about})" if condition.about else ""
        entity = condition.entity
        entries[f"{entity.id}{about}"] = (entity.name + about, condition.amount)
    return entries


def _choices(character: Character) -> Entries:
    """Return every answer in effect, in words, by decision id."""
    answers = character.answers()
    return {
        decision.id: (decision.title(), decision.answer_text(answers[decision.id]))
        for decision in character.asked
        if decision.id in answers
    }


def _ruled_texts(state: State) -> Entries:
    """Return the rules texts that depend on table rules, as they are for this character."""
    ruled = (entity for entity in state.ruleset.entities.values() if entity.ruled)
    return {entity.id: (entity.name, state.text(entity)) for entity in ruled}


# ------------------------------------------------------------------ saved summaries


def summary_differences(
    old: Mapping[str, Any], new: Mapping[str, Any], ruleset: Ruleset
) -> Iterator[Difference]:
    """Yield the differences between two summaries of a character; ``old`` may be any JSON."""
    yield from _summary_differences(old, new, ruleset, "")
    old_units, new_units = _summary_units(old), _summary_units(new)
    for key in dict.fromkeys([*new_units, *old_units]):
        entity = key.partition("#")[0]
        name = entity_name(entity, ruleset)
        if key in old_units and key in new_units:
            yield from _summary_differences(old_units[key], new_units[key], ruleset, name)
        else:
            before, after = (name, None) if key in old_units else (None, name)
            kind = _kind_label(entity, ruleset)
            yield Difference("unit", key, name, before, after, kind=kind)
    yield from _count_differences("condition", "conditions", old, new, ruleset, "")


def pack_differences(loaded: LoadedCharacter) -> tuple[Difference, ...]:
    """Return what the installed packs change about a character since it was saved.

    Empty if they are the packs that it was saved with.
    """
    if not pack_notes(loaded):
        return ()
    saved, now = loaded.document.character, summary(loaded.character)
    return tuple(summary_differences(saved, now, loaded.ruleset))


def _summary_differences(
    old: Mapping[str, Any], new: Mapping[str, Any], ruleset: Ruleset, unit: str
) -> Iterator[Difference]:
    """Yield the differences of a unit: its level, values and holdings."""
    if old.get("level") != new.get("level") and isinstance(old.get("level"), int):
        label = ruleset.head.advancement.label
        yield Difference("level", "level", label, old["level"], new["level"], unit)

    def values(summary: Mapping[str, Any]) -> Entries:
        known = ruleset.values
        return {
            name: (known[name].label if name in known else name, figure)
            for name, figure in saved_values(summary.get("values")).items()
        }

    yield from _entry_differences("value", values(old), values(new), unit)
    yield from _count_differences("holding", "holdings", old, new, ruleset, unit)


def _count_differences(
    topic: str,
    key: str,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    ruleset: Ruleset,
    unit: str,
) -> Iterator[Difference]:
    """Yield the entities whose numbers differ in two lists of ids, some with ``× 3``."""
    yield from _entry_differences(
        topic, _counts(old.get(key), ruleset), _counts(new.get(key), ruleset), unit,
        lambda name: _kind_label(name, ruleset),
    )  # fmt: skip


def _counts(listed: Any, ruleset: Ruleset) -> Entries:
    """Return the numbers in a summary's list; renamed entities get their present ids."""
    counts: Counter[str] = Counter()
    for text in listed if isinstance(listed, list) else ():
        name, _, number = str(text).partition(" × ")
        entity, space, about = name.partition(" ")
        if entity not in ruleset.entities:
            name = ruleset.canonical(entity) + space + about
        counts[name] += int(number) if number.isdecimal() else 1
    entries = {}
    for name, count in counts.items():
        entity, _, about = name.partition(" ")
        entries[name] = (f"{entity_name(entity, ruleset)} {about}".strip(), count)
    return entries


def _summary_units(summary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the summaries of further units by entity, numbered where there are several."""
    listed = summary.get("units")
    units: dict[str, Mapping[str, Any]] = {}
    for unit in listed if isinstance(listed, list) else ():
        if isinstance(unit, Mapping):
            name = str(unit.get("id", ""))
            earlier = sum(key.partition("#")[0] == name for key in units)
            units[f"{name}#{earlier + 1}" if earlier else name] = unit
    return units


def _kind_label(entity: str, ruleset: Ruleset) -> str:
    """Return the label of an entity's kind, which begins its id; empty for an unknown one."""
    kind = ruleset.kinds.get(entity.partition("/")[0])
    return "" if kind is None else kind.label
