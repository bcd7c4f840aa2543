"""History: every event of a character in words, by level."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from charforge.character.events import AdvanceEvent, AnyEvent, Event
from charforge.describe.events import LogDescriber
from charforge.replay.loaded_character import LoadedCharacter

CREATION = "Creation"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One event of the log in words, and the level at which it happened."""

    event: AnyEvent
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class HistoryChapter:
    """The history of one level, or of creation."""

    level: int
    label: str
    events: tuple[HistoryEntry, ...]


def history_chapters(opened: LoadedCharacter) -> tuple[HistoryChapter, ...]:
    """Return the log in words, level by level."""
    label = opened.ruleset.head.advancement.label
    chapters: dict[tuple[int, str], list[HistoryEntry]] = {}
    for one in history_entries(opened):
        title = f"{label} {one.level}" if one.event.group > 1 else CREATION
        chapters.setdefault((one.level, title), []).append(one)
    return tuple(HistoryChapter(*key, tuple(entries)) for key, entries in chapters.items())


def history_entries(opened: LoadedCharacter) -> tuple[HistoryEntry, ...]:
    """Return every event of the log in words."""
    teller = LogDescriber(opened)
    level, found = 1, []
    for event in opened.document.log:
        if isinstance(event, AdvanceEvent) and event.unit is None:
            level += 1
        found.append(HistoryEntry(event, level, teller.sentence(event)))
    return tuple(found)


def entries_of(opened: LoadedCharacter, meant: Iterable[Event]) -> tuple[HistoryEntry, ...]:
    """Return some events of the log in words."""
    numbers = {event.n for event in meant}
    return tuple(one for one in history_entries(opened) if one.event.n in numbers)


def entry_data(found: HistoryEntry) -> dict[str, Any]:
    """Return an event as ``history --json`` prints it: as the log has it, and in words."""
    return {**found.event.model_dump(), "level": found.level, "told": found.text}
