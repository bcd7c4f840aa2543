"""Changes of a saved character by replaced packs: compared with its summary, and on record.

A save replaces the summary, and with it the former figures. So the change that
saves first records the differences in the file, where ``undo`` leaves them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from charforge.character.files.differences import Difference, Entries, PackChange, entry_differences
from charforge.expressions.template import has_unprintable
from charforge.replay.loaded_character import (
    LoadedCharacter,
    pack_notes,
    pins,
    saved_with_installed_packs,
    summary,
)
from charforge.rules.ruleset import Ruleset


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
    saved, now = loaded.document.character, summary(loaded.character)
    return tuple(summary_differences(saved, now, loaded.ruleset))


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
    """Whether a file can hold a difference; a damaged summary can have any text in it."""
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

    yield from entry_differences("value", values(old), values(new), unit)
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
    yield from entry_differences(
        topic, _counts(old.get(key), ruleset), _counts(new.get(key), ruleset), unit,
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


def entity_name(entity: str, ruleset: Ruleset | None) -> str:
    """Return the name of an entity; made from its id if its pack is not installed."""
    installed = ruleset.entities.get(entity) if ruleset is not None else None
    slug = entity.partition("/")[2] or entity
    return slug.replace("-", " ").capitalize() if installed is None else installed.name
