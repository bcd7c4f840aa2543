"""Earlier versions of a character file: list them, and restore one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from charforge.character import backups, reader, storage
from charforge.character.backups import Backup
from charforge.character.document import Document
from charforge.character.storage import locked
from charforge.errors import CharforgeError, DocumentError, WriteError
from charforge.replay.loaded_character import load_document
from charforge.usecases import history


@dataclass(frozen=True, slots=True)
class FileVersion:
    """An earlier version; ``saved`` in seconds, ``fault`` the reason if it is damaged."""

    number: int
    saved: int | None
    level: int | None = None
    events: int = 0
    last: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The restored version; ``former`` is the number of the replaced content, if any."""

    kept: FileVersion
    former: int | None


def earlier_versions(path: Path) -> tuple[FileVersion, ...]:
    """Return the versions of a character file that differ from its content, newest first.

    Raises DocumentError if there are none.
    """
    return tuple(_told(one, path) for one in _others(path))


def restore_version(
    path: Path, number: int, agreed: Callable[[FileVersion], bool]
) -> RestoreResult | None:
    """Restore a version, byte for byte; the replaced content becomes a version.

    ``agreed`` is asked before anything is replaced; returns None if it
    declines. Raises DocumentError for an unknown version, WriteError if
    the content can neither be kept nor replaced.
    """
    found = {one.number: one for one in _others(path)}
    if number not in found:
        raise DocumentError(
            path, f"it has no version {number}", f"It has {', '.join(map(str, found))}."
        )
    wanted = _told(found[number], path)
    stood = backups.current_content(path)
    if stood is None and path.exists():
        raise WriteError(path, "what stands there cannot be kept", "Move it away first.")
    if stood is not None and not agreed(wanted):
        return None
    with locked(path):
        if backups.current_content(path) != stood:
            raise WriteError(path, "it was changed meanwhile", "Run the command again.")
        storage.save_bytes(path, _read(found[number], path))
        return RestoreResult(wanted, _number(path, stood[0]) if stood else None)


def _others(path: Path) -> tuple[Backup, ...]:
    known = backups.backups_of(path)
    stood = backups.current_content(path)
    now = backups.digest_of(stood[0]) if stood else ""
    others = tuple(one for one in known if one.digest != now)
    if not others:
        reason = "no other version of it is kept" if known else "no version of it is kept"
        raise DocumentError(path, reason, "Versions are kept from its first change on.")
    return others


def _number(path: Path, data: bytes) -> int | None:
    digest = backups.digest_of(data)
    return next((one.number for one in backups.backups_of(path) if one.digest == digest), None)


def _read(version: Backup, path: Path) -> bytes:
    try:
        return version.read()[0]
    except backups.READ_ERRORS as error:
        reason = f"version {version.number} of it is damaged"
        raise DocumentError(path, reason, "Take another version.") from error


def _told(version: Backup, path: Path) -> FileVersion:
    try:
        data, saved = version.read()
    except backups.READ_ERRORS:
        return FileVersion(version.number, None, fault="this version is damaged")
    try:
        document = reader.parse_document(reader.decode_text(data, path), path)
    except DocumentError as error:
        return FileVersion(version.number, saved, fault=error.reason)
    last = _last(document, path)
    return FileVersion(version.number, saved, document.level, len(document.log), last)


def _last(document: Document, path: Path) -> str:
    """Return the last event in words, or its kind if the rules are not installed."""
    try:
        told = history.history_entries(load_document(document, path))
    except CharforgeError:
        return str(document.log[-1].do) if document.log else ""
    return told[-1].text if told else ""
