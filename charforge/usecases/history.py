"""The history of a character: its events in words, grouped by level."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from charforge.character.differences import PackChange
from charforge.character.events import AdvanceEvent, AnyEvent, Event
from charforge.describe.events import LogDescriber, pack_change_sentence
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter

CREATION = N_("Creation")
IN_PLAY = N_("In play")  # after creation, in a game without levels


class HistoryEntry(NamedTuple):
    """One event of the log, or what replaced packs changed, in words, with the level."""

    event: AnyEvent | PackChange
    level: int
    text: str


class HistoryChapter(NamedTuple):
    """The history of one level, or of creation."""

    level: int
    label: str
    events: tuple[HistoryEntry, ...]


def history_chapters(opened: LoadedCharacter) -> tuple[HistoryChapter, ...]:
    """Return the log in words, level by level; creation is a chapter of its own.

    What replaced packs changed comes before the event with which it was saved.
    """
    level_text = opened.ruleset.head.advancement.text
    chapters: dict[tuple[int, str], list[HistoryEntry]] = {}
    for entry in _with_pack_changes(opened, history_entries(opened)):
        title = (level_text(entry.level) or _(IN_PLAY)) if entry.event.group > 1 else _(CREATION)
        chapters.setdefault((entry.level, title), []).append(entry)
    return tuple(HistoryChapter(*key, tuple(entries)) for key, entries in chapters.items())


def history_entries(opened: LoadedCharacter) -> tuple[HistoryEntry, ...]:
    """Return every event of the log in words."""
    describer = LogDescriber(opened)
    level, entries = 1, []
    for event in opened.document.log:
        if isinstance(event, AdvanceEvent) and event.unit is None:
            level += 1
        entries.append(HistoryEntry(event, level, describer.sentence(event)))
    return tuple(entries)


def _with_pack_changes(
    opened: LoadedCharacter, entries: Iterable[HistoryEntry]
) -> Iterator[HistoryEntry]:
    """Yield the entries with those of pack changes in their places, the last ones at the end."""
    waiting = sorted(opened.document.pack_changes, key=lambda record: record.n)
    level = 1
    for entry in entries:
        while waiting and waiting[0].n <= entry.event.n:
            record = waiting.pop(0)
            yield HistoryEntry(record, level, pack_change_sentence(record))
        level = entry.level
        yield entry
    for record in waiting:
        yield HistoryEntry(record, level, pack_change_sentence(record))


def entries_of(opened: LoadedCharacter, events: Iterable[Event]) -> tuple[HistoryEntry, ...]:
    """Return some events of the log in words."""
    numbers = {event.n for event in events}
    return tuple(entry for entry in history_entries(opened) if entry.event.n in numbers)


def entry_data(entry: HistoryEntry) -> dict[str, Any]:
    """Return an event as ``history --json`` prints it: its fields in the log, and in words."""
    return {**entry.event.model_dump(), "level": entry.level, "told": entry.text}
