"""Earlier versions of a character file: list them, and restore one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from charforge.character.files import backups, reader, storage
from charforge.character.files.backups import Backup
from charforge.character.files.document import Document
from charforge.character.files.locks import locked
from charforge.errors import CharforgeError, DocumentError, WriteError
from charforge.language import _
from charforge.replay.loaded_character import load_document
from charforge.verbs.history import history_entries


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
    current = backups.current_content(path)
    if current is None and path.exists():
        raise WriteError(path, _("the present file cannot be backed up"), _("Move it away first."))
    if current is not None and not confirm(version):
        return None
    with locked(path):
        if backups.current_content(path) != current:
            raise WriteError(
                path, _("another program changed it in the meantime"), _("Run the command again.")
            )
        storage.replace_locked(path, _read_backup(by_number[number], path))
        return RestoreResult(version, _backup_number(path, current[0]) if current else None)


def _other_backups(path: Path) -> tuple[Backup, ...]:
    """Return the backups whose content is not the file's. Raises DocumentError for none."""
    known = backups.backups_of(path)
    current = backups.current_content(path)
    digest = backups.digest_of(current[0]) if current else ""
    others = tuple(backup for backup in known if backup.digest != digest)
    if not others:
        reason = _("there is no other saved version") if known else _("there is no saved version")
        raise DocumentError(path, reason, _("A version is saved with every change."))
    return others


def _backup_number(path: Path, data: bytes) -> int | None:
    """Return the number of the backup with this content, None for none."""
    digest = backups.digest_of(data)
    return next((b.number for b in backups.backups_of(path) if b.digest == digest), None)


def _read_backup(backup: Backup, path: Path) -> bytes:
    try:
        return backup.read()[0]
    except backups.READ_ERRORS as error:
        reason = _("version {number} is damaged").format(number=backup.number)
        raise DocumentError(path, reason, _("Choose another version.")) from error


def _file_version(backup: Backup, path: Path) -> FileVersion:
    """Return the description of a backup."""
    try:
        data, saved = backup.read()
    except backups.READ_ERRORS:
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
