"""The history of a character in words, grouped by level; undo and redo of its last change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from charforge.character.files.differences import PackChange
from charforge.character.files.document import Document, former_pins, updated_pins
from charforge.character.files.events import BY_KIND, AdvanceEvent, AnyEvent, Event
from charforge.describe.events import LogDescriber, pack_change_sentence
from charforge.describe.pack_changes import recorded_pack_changes
from charforge.errors import UsageError
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter, fitting_rules, replay_document
from charforge.rules.models import Advancement

CREATION = N_("Creation")
IN_PLAY = N_("In play")  # after creation, in a game without levels


class HistoryEntry(JsonModel):
    """One event of the log, or what replaced packs changed, in words, with the level."""

    level: int
    text: str
    event: Annotated[AnyEvent | PackChange, BY_KIND]


class HistoryChapter(JsonModel):
    """The history of one level, or of creation, as ``history --json`` prints it."""

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
    return tuple(
        HistoryChapter(level=level, label=label, events=entries)
        for (level, label), entries in chapters.items()
    )


def history_entries(opened: LoadedCharacter) -> tuple[HistoryEntry, ...]:
    """Return every event of the log in words."""
    describer = LogDescriber(opened)
    level, entries = 1, []
    for event in opened.document.log:
        if isinstance(event, AdvanceEvent) and event.unit is None:
            level += 1
        entries.append(HistoryEntry(event=event, level=level, text=describer.sentence(event)))
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
            yield _pack_change_entry(record, level, opened)
        level = entry.level
        yield entry
    for record in waiting:
        yield _pack_change_entry(record, level, opened)


def _pack_change_entry(record: PackChange, level: int, opened: LoadedCharacter) -> HistoryEntry:
    text = pack_change_sentence(record, opened.ruleset)
    return HistoryEntry(event=record, level=level, text=text)


def entries_of(opened: LoadedCharacter, events: Iterable[Event]) -> tuple[HistoryEntry, ...]:
    """Return some events of the log in words."""
    numbers = {event.n for event in events}
    return tuple(entry for entry in history_entries(opened) if entry.event.n in numbers)


def undo_change(
    opened: LoadedCharacter, to_level: int | None = None
) -> tuple[LoadedCharacter, tuple[AnyEvent, ...]]:
    """Undo the last change, or all after ``to_level``; return the character and removed events.

    A change is a group of events. They stay in the file for ``redo_change``.
    Raises UsageError for creation, which cannot be undone.
    """
    document = opened.document
    if to_level is None:
        groups = [event.group for event in document.log]
        start = groups.index(groups[-1]) if groups else 0
    else:
        start = _start_beyond_level(document, to_level, opened.ruleset.head.advancement)
    if not document.log[start:] or document.log[start].group == 1:
        raise UsageError(
            _("there is nothing to undo: the character is new"), _("To change a choice, use edit.")
        )
    removed = document.log[start:]
    number = len({event.group for event in removed})
    document_after = document.model_copy(
        update={
            "log": document.log[:start],
            "undone": (*removed, *document.undone),
            "undos": (number, *document.undos) if number > 1 or document.undos else (),
            "packs": former_pins(removed) or document.packs,
            "pack_changes": recorded_pack_changes(opened, start),
        }
    )
    return _replay(document_after, opened), removed


def _replay(document: Document, opened: LoadedCharacter) -> LoadedCharacter:
    """Replay a document, whose packs can be others after the undo of an update."""
    return replay_document(document, fitting_rules(document, Path(document.name), opened.ruleset))


def _start_beyond_level(document: Document, level: int, advancement: Advancement) -> int:
    """Return the index in the log of the first group beyond a level. Raises UsageError."""
    if not 1 <= level < document.level:
        highest = document.level - 1
        if not highest:
            raise UsageError(
                _("{name} is {level}, so there is no level to undo").format(
                    name=document.name, level=advancement.text_inside(1)
                )
            )
        first = advancement.first
        levels = _("from {first} to {highest}").format(
            first=first, highest=advancement.number(highest)
        )
        raise UsageError(
            _("{name} is {level}, so --to-level must be {levels}").format(
                name=document.name,
                level=advancement.text_inside(document.level),
                levels=str(first) if highest == 1 else levels,
            ),
            _("To undo only the last change, leave out --to-level."),
        )
    group = next(
        e.group
        for e in document.log
        if isinstance(e, AdvanceEvent) and e.unit is None and e.level > level
    )
    return next(i for i, event in enumerate(document.log) if event.group == group)


def redo_change(opened: LoadedCharacter) -> tuple[LoadedCharacter, tuple[AnyEvent, ...]]:
    """Redo the last undo; return the character and the restored events. Raises UsageError."""
    document = opened.document
    if not document.undone:
        raise UsageError(_("there is nothing to redo"), _("redo only restores what undo removed."))
    number, *undos = document.undos or (1,)
    last = document.undone[0].group + number - 1
    restored = tuple(event for event in document.undone if event.group <= last)
    document_after = document.model_copy(
        update={
            "log": (*document.log, *restored),
            "undone": document.undone[len(restored) :],
            "undos": tuple(undos) if any(number > 1 for number in undos) else (),
            "packs": updated_pins(restored) or document.packs,
            "pack_changes": recorded_pack_changes(opened, len(document.log)),
        }
    )
    return _replay(document_after, opened), restored
