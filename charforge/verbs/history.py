"""The history of a character in words; undo and redo of its last change; its earlier versions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

from charforge.character.files import reader, storage
from charforge.character.files.document import Document, PackChange
from charforge.character.files.events import BY_KIND, AdvanceEvent, AnyEvent, Event, ResourceEvent
from charforge.character.files.storage import Backup, locked
from charforge.describe.events import LogDescriber, pack_change_sentence
from charforge.errors import CharforgeError, DocumentError, RuleRefusal, UsageError, WriteError
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.models import Advancement
from charforge.verbs.change import PlayResult, redo_groups, start_of_groups, undo_from

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


def undo(opened: LoadedCharacter, to_level: int | None = None) -> PlayResult:
    """Undo the last change, or all after ``to_level``; the result tells what was removed.

    A change is a group of events. They stay in the file for ``redo``.
    Raises UsageError for creation, which cannot be undone, RuleRefusal for a change that somebody
    else made.
    """
    document = opened.document
    if to_level is None:
        start = start_of_groups(document, 1)
    else:
        start = _start_beyond_level(document, to_level, opened.ruleset.head.advancement)
    after, removed = undo_from(_refuse_change_of_member(opened, document.log[start:]), start)
    return _retold(after, _("undone"), entries_of(opened, removed))


def redo(opened: LoadedCharacter) -> PlayResult:
    """Redo the last undo; the result tells what was restored.

    Raises UsageError if there is none, RuleRefusal for a change that somebody else made.
    """
    document = opened.document
    if not document.undone:
        raise UsageError(_("there is nothing to redo"), _("redo only restores what undo removed."))
    number = document.undos[0] if document.undos else 1
    last = document.undone[0].group + number - 1
    _refuse_change_of_member(opened, (e for e in document.undone if e.group <= last))
    after, restored = redo_groups(opened, number)
    return _retold(after, _("restored"), entries_of(after, restored))


def _retold(after: LoadedCharacter, verb: str, entries: Iterable[HistoryEntry]) -> PlayResult:
    told = PlayResult.of_texts(after, (entry.text for entry in entries))
    return replace(told, heading=f"{told.heading}, {verb}:")


def _refuse_change_of_member(
    opened: LoadedCharacter, events: Iterable[AnyEvent]
) -> LoadedCharacter:
    """Return the character. Raises RuleRefusal if a member of its group made one of its changes."""
    for event in events:
        if event.change is not None and not event.change.is_members:
            note = event.note if isinstance(event, ResourceEvent) else ""
            raise RuleRefusal(
                _("this change is also in another file ({note})").format(note=note),
                _("Undo or redo it with that character."),
            )
    return opened


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


class FileVersion(NamedTuple):
    """An earlier version of a character file.

    ``saved`` is the time in seconds since 1970; ``change`` the number of the last command, as
    ``history`` shows it; ``last`` the last event in words; ``fault`` the reason if it is damaged.
    """

    number: int
    saved: int | None
    level: int | None = None
    change: int = 0
    last: str = ""
    fault: str = ""


class RestoreResult(NamedTuple):
    """The restored version; ``former`` is the number of the content it replaced, if any."""

    restored: FileVersion
    former: int | None


def earlier_versions(path: Path) -> tuple[FileVersion, ...]:
    """Return the versions of a character file that differ from its content, newest first.

    Raises DocumentError if there are none.
    """
    return tuple(_file_version(backup, path) for backup in _other_backups(path))


def restore_version(
    path: Path, number: int, confirm: Callable[[FileVersion], bool]
) -> RestoreResult | None:
    """Restore a version, byte for byte; the replaced content becomes a version.

    ``confirm`` is asked before content is replaced; if it returns False,
    nothing happens and the result is None. Raises DocumentError for an
    unknown version, WriteError if the content can neither be kept nor
    replaced.
    """
    by_number = {backup.number: backup for backup in _other_backups(path)}
    if number not in by_number:
        raise DocumentError(
            path,
            _("it has no version {number}").format(number=number),
            _("It has {names}.").format(names=", ".join(map(str, by_number))),
        )
    version = _file_version(by_number[number], path)
    current = storage.current_content(path)
    if current is None and path.exists():
        raise WriteError(path, _("the present file cannot be backed up"), _("Move it away first."))
    if current is not None and not confirm(version):
        return None
    with locked(path):
        if storage.current_content(path) != current:
            raise WriteError(
                path, _("another program changed it in the meantime"), _("Run the command again.")
            )
        storage.replace_locked(path, _read_backup(by_number[number], path))
        return RestoreResult(version, _backup_number(path, current[0]) if current else None)


def _other_backups(path: Path) -> tuple[Backup, ...]:
    """Return the backups whose content is not the file's. Raises DocumentError for none."""
    known = storage.backups_of(path)
    current = storage.current_content(path)
    digest = storage.content_digest(current[0]) if current else ""
    others = tuple(backup for backup in known if backup.digest != digest)
    if not others:
        reason = _("there is no other saved version") if known else _("there is no saved version")
        raise DocumentError(path, reason, _("A version is saved with every change."))
    return others


def _backup_number(path: Path, data: bytes) -> int | None:
    """Return the number of the backup with this content, None for none."""
    digest = storage.content_digest(data)
    return next((b.number for b in storage.backups_of(path) if b.digest == digest), None)


def _read_backup(backup: Backup, path: Path) -> bytes:
    try:
        return backup.read()[0]
    except storage.READ_ERRORS as error:
        reason = _("version {number} is damaged").format(number=backup.number)
        raise DocumentError(path, reason, _("Choose another version.")) from error


def _file_version(backup: Backup, path: Path) -> FileVersion:
    """Return the description of a backup."""
    try:
        data, saved = backup.read()
    except storage.READ_ERRORS:
        return FileVersion(backup.number, None, fault=_("this version is damaged"))
    try:
        document = reader.parse_bytes(data, path)
    except DocumentError as error:
        return FileVersion(backup.number, saved, fault=error.reason)
    last = _last_event(document, path)
    change = document.log[-1].group if document.log else 0
    return FileVersion(backup.number, saved, document.level, change, last)


def _last_event(document: Document, path: Path) -> str:
    """Return the last event in words, or its kind if the rules are not installed."""
    try:
        entries = history_entries(load_document(document, path))
    except CharforgeError:
        return str(document.log[-1].do) if document.log else ""
    return entries[-1].text if entries else ""
