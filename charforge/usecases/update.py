"""Taking the installed packs for a character: what differs from what it was saved with, and so on.

The rules that it was saved with are gone: what they made of it is what the
file's summary remembers. The log stays as it is; one event more says which
packs hold from here on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charforge.character.document import Pin
from charforge.character.events import SetEvent
from charforge.replay.loaded import LoadedCharacter, pins, replay_document, summary
from charforge.replay.replay import Problem
from charforge.rules.ruleset import Ruleset
from charforge.sheet.offline import entity_name, saved_values
from charforge.usecases.compare import Difference

SUMMARY = "summary"  # the problem that taking the update mends


@dataclass(frozen=True)
class PackUpdate:
    """What it is to take the installed packs for a character.

    ``packs`` are those that are others now, as they were and as they are;
    ``changed`` what the summary remembers otherwise; ``problems`` what is
    wrong with it under the installed packs; ``dormant`` the answers and
    events that have no effect with them.
    """

    opened: LoadedCharacter
    packs: tuple[tuple[Pin, Pin], ...]
    changed: tuple[Difference, ...]
    problems: tuple[Problem, ...]
    dormant: tuple[str, ...]

    @property
    def needed(self) -> bool:
        """Whether anything would be written."""
        return bool(self.packs) or self.opened.document.character != summary(self.opened.character)


def pending_update(opened: LoadedCharacter) -> PackUpdate:
    """Return what an update of a character would be; it is opened with the installed packs."""
    document, ruleset = opened.document, opened.ruleset
    former = {pin.id: pin for pin in document.packs}
    return PackUpdate(
        opened,
        tuple(
            (former[pin.id], pin)
            for pin in pins(ruleset)
            if pin.id in former and pin != former[pin.id]
        ),
        tuple(summary_differences(document.character, summary(opened.character), ruleset)),
        tuple(problem for problem in opened.problems if problem.code != SUMMARY),
        opened.character.dormant,
    )


def apply_update(found: PackUpdate) -> LoadedCharacter:
    """Return the character with the installed packs pinned and its summary made by them."""
    document, ruleset = found.opened.document, found.opened.ruleset
    if not found.packs:
        return replay_document(document, ruleset)
    held = pins(ruleset)
    event = SetEvent(
        n=len(document.log) + 1, group=document.group + 1, packs=held, former=document.packs
    )
    changes = {"log": (*document.log, event), "undone": (), "undos": (), "packs": held}
    return replay_document(document.model_copy(update=changes), ruleset)


def summary_differences(
    old: Mapping[str, Any], new: Mapping[str, Any], ruleset: Ruleset
) -> Iterator[Difference]:
    """Yield what differs between two summaries; the old one may be anything that JSON can say."""
    yield from _one(old, new, ruleset, "")
    was, now = _units(old), _units(new)
    for key in dict.fromkeys([*now, *was]):
        name = entity_name(key.partition("#")[0], ruleset)
        if key in was and key in now:
            yield from _one(was[key], now[key], ruleset, name)
        else:
            left = name if key in was else None
            kind = _kind(key.partition("#")[0], ruleset)
            yield Difference("unit", key, name, left, name if left is None else None, kind=kind)
    yield from _counted("condition", old.get("conditions"), new.get("conditions"), ruleset, "")


def _one(
    old: Mapping[str, Any], new: Mapping[str, Any], ruleset: Ruleset, unit: str
) -> Iterator[Difference]:
    """Yield what a unit has otherwise: its level, values and holdings."""
    if old.get("level") != new.get("level") and isinstance(old.get("level"), int):
        label = ruleset.head.advancement.label
        yield Difference("level", "level", label, old["level"], new["level"], unit)
    was, now = saved_values(old.get("values")), saved_values(new.get("values"))
    for name in dict.fromkeys([*now, *was]):
        if was.get(name) != now.get(name):
            known = ruleset.values.get(name)
            label = name if known is None else known.label
            yield Difference("value", name, label, was.get(name), now.get(name), unit)
    yield from _counted("holding", old.get("holdings"), new.get("holdings"), ruleset, unit)


def _counted(topic: str, old: Any, new: Any, ruleset: Ruleset, unit: str) -> Iterator[Difference]:
    """Yield of which entities two lists have more or fewer: ``kind/slug``, or with ``× 3``."""
    was, now = _numbers(old, ruleset), _numbers(new, ruleset)
    for name in dict.fromkeys([*now, *was]):
        if was.get(name) != now.get(name):
            entity, _, about = name.partition(" ")
            label = f"{entity_name(entity, ruleset)} {about}".strip()
            kind = _kind(entity, ruleset)
            yield Difference(topic, name, label, was.get(name), now.get(name), unit, kind)


def _numbers(listed: Any, ruleset: Ruleset) -> Counter[str]:
    """Count a summary's list; what was renamed since goes by its present id."""
    found: Counter[str] = Counter()
    for text in listed if isinstance(listed, list) else ():
        name, _, number = str(text).partition(" × ")
        entity, space, about = name.partition(" ")
        if entity not in ruleset.entities:
            name = ruleset.canonical(entity) + space + about
        found[name] += int(number) if number.isdecimal() else 1
    return found


def _units(found: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the summaries of further units by entity, numbered where there are several."""
    listed = found.get("units")
    units: dict[str, Mapping[str, Any]] = {}
    for unit in listed if isinstance(listed, list) else ():
        if isinstance(unit, Mapping):
            name = str(unit.get("id", ""))
            again = sum(key.partition("#")[0] == name for key in units)
            units[f"{name}#{again + 1}" if again else name] = unit
    return units


def _kind(entity: str, ruleset: Ruleset) -> str:
    known = ruleset.kinds.get(entity.partition("/")[0])
    return "" if known is None else known.label
