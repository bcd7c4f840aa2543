"""Differences between two characters, levels, or versions of packs: as data and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from charforge.character.files.document import Difference, Entries, PackChange, entry_differences
from charforge.character.state import CHARACTER, State, Unit
from charforge.character.state_data import about_subject
from charforge.describe.formulas import FormulaWords
from charforge.errors import FormulaError, UsageError
from charforge.expressions.template import MINUS, has_unprintable
from charforge.language import _, with_colon
from charforge.procedures.inputs import dice_of_unit
from charforge.replay.loaded_character import (
    LoadedCharacter,
    held_rules,
    pack_notes,
    pins,
    rule_figures,
    saved_with_installed_packs,
    summary,
)
from charforge.replay.replay import Character
from charforge.rules.names import name_from_id
from charforge.rules.ruleset import Ruleset

ARROW = "\N{RIGHTWARDS ARROW}"
UnitFigures = tuple[Entries, Entries]  # the values of a unit, and the dice of its pools


def difference_lines(differences: Iterable[Difference], ruleset: Ruleset) -> list[str]:
    """Return differences in words, a line each, with the figures as the game prints them."""
    worded = (_with_figures(difference, ruleset) for difference in differences)
    return [LINES.get(one.topic, _changed)(one) for one in worded]


def change_text(difference: Difference) -> str:
    """Return what differs without its owner: ``Max HP 37 → 42``; of a new value the new one."""
    old, new = map(_value_text, (difference.old, difference.new))
    if difference.old is None:
        return f"{difference.label} {new}"
    return f"{difference.label} {old} {ARROW} {new}"


def _with_figures(difference: Difference, ruleset: Ruleset) -> Difference:
    """Return a difference with its numbers as the game prints them: ``d8``, ``10 m``."""
    old, new = difference.old, difference.new
    if difference.topic == "level":
        number = ruleset.head.advancement.number
        old, new = (number(n) if isinstance(n, int) else n for n in (old, new))
    elif difference.topic == "value":
        figure = partial(ruleset.figure_text, difference.id)
        old, new = (figure(n) if isinstance(n, int) else n for n in (old, new))
        value = ruleset.values.get(difference.id)
        if isinstance(new, str) and value is not None and value.unit:
            new = f"{new} {value.unit}"
    elif difference.topic == "figure":
        old, new = (_formula(n, difference, ruleset) for n in (old, new))
    return replace(difference, old=old, new=new)


def _formula(text: int | str | None, difference: Difference, ruleset: Ruleset) -> str:
    """Return a figure of an entity in words; of a damaged file as it was saved."""
    entity = ruleset.entities.get(difference.id.partition(" ")[0])
    try:
        return FormulaWords(entity, ruleset).formula(str(text))
    except FormulaError:
        return str(text)


def _value_text(value: int | str | None) -> str:
    return _("none") if value is None else str(value)


def _changed(difference: Difference) -> str:
    return f"{_owner_prefix(difference)}{change_text(difference)}"


def _holding(difference: Difference) -> str:
    """Return a holding that was gained or lost, or whose quantity changed."""
    if isinstance(difference.old, int) and isinstance(difference.new, int):
        numbers = f"× {difference.old} {ARROW} × {difference.new}"
        return f"{_owner_prefix(difference)}{difference.label} {numbers}"
    number = difference.new if difference.old is None else difference.old
    times = f" × {number}" if number != 1 else ""
    kind = f" ({difference.kind})" if difference.kind else ""
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}{times}{kind}"


def _unit(difference: Difference) -> str:
    return f"{_sign(difference)} {difference.label} ({difference.kind})"


def _condition(difference: Difference) -> str:
    if difference.old is not None and difference.new is not None:
        return _changed(difference)
    amount = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}" + (
        f" {amount}" if amount != 1 else ""
    )


def _choice(difference: Difference) -> str:
    """Return a changed choice by its short name, which ``edit`` accepts."""
    name = with_colon(difference.label)
    if difference.old is not None and difference.new is not None:
        return _("{name} {new}, was {old}").format(
            name=name, new=difference.new, old=difference.old
        )
    answer = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {name} {answer}"


def _text(difference: Difference) -> str:
    return _("{label}: this rule has a different text").format(label=difference.label)


def _rules(difference: Difference) -> str:
    return _("{label}: its rules have changed").format(label=difference.label)


def _rule(difference: Difference) -> str:
    label = with_colon(difference.label)
    if difference.old is None or difference.new is None:
        option = difference.new if difference.old is None else difference.old
        text = _("Table rule {label} {option}").format(label=label, option=option)
        return f"{_sign(difference)} {text}"
    return _("Table rule {label} {old} {arrow} {new}").format(
        label=label, old=difference.old, arrow=ARROW, new=difference.new
    )


def _sign(difference: Difference) -> str:
    return "+" if difference.old is None else MINUS


def _owner_prefix(difference: Difference) -> str:
    return f"{difference.unit}: " if difference.unit else ""


LINES = {
    "holding": _holding,
    "unit": _unit,
    "condition": _condition,
    "choice": _choice,
    "text": _text,
    "rule": _rule,
    "rules": _rules,
}


def differences(old: Character, new: Character, choices: bool = True) -> tuple[Difference, ...]:
    """Return all differences; without ``choices`` only their effects.

    Raises UsageError for characters of different games.
    """
    before, after = old.state, new.state
    if before.ruleset.id != after.ruleset.id:
        raise UsageError(
            _("{name} is a {game} character and {other_name} a {other_game} character").format(
                name=old.name,
                game=before.ruleset.head.name,
                other_name=new.name,
                other_game=after.ruleset.head.name,
            ),
            _("Compare characters of the same game."),
        )
    same_rules = before.ruleset is after.ruleset
    changed_rules = () if same_rules else tuple(rules_differences(held_rules(before), after))
    told = {difference.id for difference in changed_rules}
    texts = entry_differences("text", _ruled_texts(before), _ruled_texts(after))
    all_differences = [
        *entry_differences(
            "name", {"name": (_("Name"), old.name)}, {"name": (_("Name"), new.name)}
        ),
        *entry_differences("level", _level(before), _level(after)),
        *entry_differences("rule", _table_rules(before), _table_rules(after)),
        *state_differences(before, after),
        *changed_rules,
        *(difference for difference in texts if difference.id not in told),
    ]
    if choices:
        all_differences += entry_differences("choice", _choices(old), _choices(new))
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


def state_differences(before: State, after: State) -> Iterator[Difference]:
    """Yield the differences of the units of two states.

    Only the name of a unit that one side lacks is a difference.
    """
    old_units, new_units = _units_by_key(before), _units_by_key(after)
    for key in dict.fromkeys([*new_units, *old_units]):
        old, new = old_units.get(key), new_units.get(key)
        if old is None or new is None:
            yield _missing_unit(old, new)
            continue
        name = new.name if new.id != CHARACTER else ""
        if old.name != new.name and name:
            yield Difference("name", new.id, _("Name"), old.name, new.name, name)
        levels = before.level_of(old), after.level_of(new)
        if levels[0] != levels[1] and name and new.type.level != "owner":
            label = after.ruleset.head.advancement.label
            yield Difference("level", new.id, label, *levels, name)
        yield from unit_differences(unit_figures(before, old), unit_figures(after, new), name)
        yield from entry_differences(
            "holding", _holdings(before, old), _holdings(after, new), name,
            lambda key: after.ruleset.kind_label(key),
        )  # fmt: skip
        conditions = _conditions(before, old), _conditions(after, new)
        yield from entry_differences("condition", *conditions, name)


def unit_differences(old: UnitFigures, new: UnitFigures, name: str) -> Iterator[Difference]:
    """Yield the differences of the figures of a unit; a character has no ``name`` here."""
    for old_entries, new_entries in zip(old, new, strict=True):
        yield from entry_differences("value", old_entries, new_entries, name)


def differences_in_play(before: State, after: State) -> Iterator[Difference]:
    """Yield the differences of the units of two states, and of what their group owns."""
    yield from state_differences(before, after)
    yield from _shared_differences(before, after)


def _shared_differences(before: State, after: State) -> Iterator[Difference]:
    """Yield the differences of the values of what the group owns, if it is the same."""
    old, new = before.shared, after.shared
    if old is None or new is None or old.id != new.id:
        return
    for name, label in after.ruleset.shared_labels.items():
        values = before.shared_figure(name), after.shared_figure(name)
        if values[0] != values[1]:
            yield Difference("value", name, label, *values, new.name)


def _units_by_key(state: State) -> dict[tuple[str, str], Unit]:
    return {(unit.id, unit.entity.id if unit.entity else ""): unit for unit in state.units}


def _missing_unit(old: Unit | None, new: Unit | None) -> Difference:
    """Return the difference of a unit that only one side has."""
    unit = new or old
    assert unit is not None
    names = old.name if old else None, new.name if new else None
    return Difference("unit", unit.id, unit.name, *names, kind=unit.type.label)


def unit_figures(state: State, unit: Unit) -> UnitFigures:
    """Return the values of a unit that can be seen, and the dice of each of its pools in words."""
    values = state.values(unit.id)
    shown = (name for name in values.ids() if not values.is_hidden(name))
    return (
        {name: (state.ruleset.values[name].label, values.total(name)) for name in shown},
        {pool.id: (pool.label, dice_of_unit(values, pool)) for pool in unit.type.pools},
    )


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
        if condition.hidden:
            continue
        key = about_subject(condition.entity.id, condition.about)
        entries[key] = (condition.name, condition.amount)
    return entries


def _choices(character: Character) -> Entries:
    """Return every answer in effect, in words, by decision id."""
    answers = character.answers()
    return {
        decision.id: (decision.heading(), decision.answer_text(answers[decision.id]))
        for decision in character.asked
        if decision.id in answers
    }


def _ruled_texts(state: State) -> Entries:
    """Return the rules texts that depend on table rules, as they are for this character."""
    ruled = (entity for entity in state.ruleset.entities.values() if entity.ruled)
    return {entity.id: (entity.name, state.text(entity)) for entity in ruled}


def rules_differences(old: Mapping[str, str], now: State) -> Iterator[Difference]:
    """Yield what differs in the rules of what a character has and had: its figures, or the rest.

    ``old`` is what ``held_rules`` returned with the former rules. A figure that only one of them
    has is no difference of its own: then the rest differs.
    """
    ruleset = now.ruleset
    former = {_present_key(key, ruleset): value for key, value in old.items()}
    new = held_rules(now)
    for entity_id in (key for key in new if key in ruleset.entities and key in former):
        entity = ruleset.entities[entity_id]
        for figure in rule_figures(entity, ruleset):
            key = f"{entity_id} {figure.key}"
            before = former.get(key, figure.formula)
            if before != figure.formula:
                yield Difference("figure", key, figure.label, before, figure.formula)
        if former[entity_id] != new[entity_id]:
            yield Difference("rules", entity_id, entity.name, former[entity_id], new[entity_id])


def _present_key(key: str, ruleset: Ruleset) -> str:
    """Return the key of a saved rule with the present id of its entity."""
    entity, space, figure = key.partition(" ")
    return (entity if entity in ruleset.entities else ruleset.canonical(entity)) + space + figure


def pack_differences(loaded: LoadedCharacter) -> tuple[Difference, ...]:
    """Return what the installed packs change about a character since its packs were pinned.

    Two changes of one thing are one difference, unless something else changed
    it in between.
    """
    document, merged = loaded.document, dict[tuple[object, ...], Difference]()
    records = document.pending_pack_changes if pack_notes(loaded) else ()
    recorded = [difference for record in records for difference in record.changes]
    for difference in (*recorded, *unrecorded_differences(loaded)):
        key = (difference.topic, difference.unit, difference.id)
        earlier = merged.pop((*key, difference.old), difference)
        merged[(*key, difference.new)] = replace(difference, old=earlier.old)
    return tuple(d for d in merged.values() if d.old != d.new)


def unrecorded_differences(loaded: LoadedCharacter) -> tuple[Difference, ...]:
    """Return what the installed packs change about a character since it was saved.

    Empty if they are the packs that it was saved with.
    """
    if saved_with_installed_packs(loaded):
        return ()
    document, character = loaded.document, loaded.character
    return (
        *summary_differences(document.summary, summary(character), loaded.ruleset),
        *rules_differences(document.held_rules, character.state),
    )


def recorded_pack_changes(loaded: LoadedCharacter, length: int) -> tuple[PackChange, ...]:
    """Return the pack changes to save with a change of a character.

    They are those on record, and what is not on record yet. ``length`` is the
    number of events that the log keeps before the change.
    """
    document = loaded.document
    changes = tuple(filter(_is_printable, unrecorded_differences(loaded)))
    if not changes:
        return document.pack_changes
    group = document.log[length - 1].group + 1 if length else 1
    record = PackChange(
        n=length + 1, group=group, former=document.packs, packs=pins(loaded.ruleset),
        changes=changes,
    )  # fmt: skip
    return (*document.pack_changes, record)


def _is_printable(difference: Difference) -> bool:
    """Return whether a file can hold a difference; a damaged summary can have any text in it."""
    texts = (difference.id, difference.label, difference.old, difference.new, difference.unit)
    return not any(isinstance(x, str) and ("\n" in x or has_unprintable(x)) for x in texts)


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
            kind = ruleset.kind_label(entity)
            yield Difference("unit", key, name, before, after, kind=kind)
    yield from _count_differences("condition", "conditions", old, new, ruleset, "")


def _summary_differences(
    old: Mapping[str, Any], new: Mapping[str, Any], ruleset: Ruleset, unit_id: str
) -> Iterator[Difference]:
    """Yield the differences of a unit: its level, values and holdings."""
    if old.get("level") != new.get("level") and isinstance(old.get("level"), int):
        label = ruleset.head.advancement.label
        yield Difference("level", "level", label, old["level"], new["level"], unit_id)

    def values(summary: Mapping[str, Any]) -> Entries:
        known = ruleset.values
        return {
            name: (known[name].label if name in known else name, figure)
            for name, figure in saved_values(summary.get("values")).items()
        }

    yield from entry_differences("value", values(old), values(new), unit_id)
    yield from _count_differences("holding", "holdings", old, new, ruleset, unit_id)


def _count_differences(
    topic: str,
    key: str,
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    ruleset: Ruleset,
    unit_id: str,
) -> Iterator[Difference]:
    """Yield the entities whose numbers differ in two lists of ids, some with ``× 3``."""
    yield from entry_differences(
        topic, _counts(old.get(key), ruleset), _counts(new.get(key), ruleset), unit_id,
        lambda name: ruleset.kind_label(name),
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


def saved_values(values: Any) -> dict[str, int]:
    """Return the numbers in the values of a summary. Anything else in a damaged file is ignored."""
    entries = values.items() if isinstance(values, Mapping) else ()
    return {str(name): number for name, number in entries if isinstance(number, int)}


def entity_name(entity: str, ruleset: Ruleset) -> str:
    """Return the name of an entity; made from its id if its pack is not installed."""
    installed = ruleset.entities.get(entity)
    return name_from_id(entity) if installed is None else installed.name
