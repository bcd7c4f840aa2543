"""Saving character files: atomically, under a lock, with the replaced version as a backup."""

from __future__ import annotations

from pathlib import Path

from charforge.character.files import backups
from charforge.character.files.atomic_write import check_writable, remove_stale, write
from charforge.character.files.document import Document, to_text
from charforge.character.files.locks import locked
from charforge.character.files.reader import MAX_CHARACTERS, MAX_EVENTS, load
from charforge.errors import WriteError
from charforge.language import _


def save(document: Document, path: Path, replace: bool = True) -> None:
    """Save a document; see ``save_bytes``."""
    save_bytes(path, _encode(document, path), replace)


def _encode(document: Document, path: Path) -> bytes:
    """Return the bytes of a document. Raises WriteError if it is too large for a file.

    A lone surrogate, which an answer without effect can contain, stays a JSON
    escape.
    """
    text = to_text(document)
    if len(document.log) > MAX_EVENTS or len(text) > MAX_CHARACTERS:
        raise WriteError(path, _("its history is full"), _("Undo some changes first."))
    return text.encode(errors="backslashreplace")


def save_changed(before: Document, after: Document, path: Path) -> None:
    """Replace a document on disk by its changed version.

    Raises WriteError if the file is no longer ``before``, so that changes by
    another program are not lost.
    """
    data = _encode(after, path)
    with locked(path):
        if load(path) != before:
            raise WriteError(
                path, _("another program changed it in the meantime"), _("Run the command again.")
            )
        replace_locked(path, data)


def save_bytes(path: Path, data: bytes, replace: bool = True) -> None:
    """Write a character file atomically and keep the replaced version as a backup.

    With ``replace`` false an existing file is an error. Raises WriteError and
    leaves the existing file unchanged.
    """
    if not replace:
        write(path, data, replace=False)
        return
    check_writable(path, replace)
    with locked(path):
        replace_locked(path, data)


def replace_locked(path: Path, data: bytes) -> None:
    """Write a character file that is ``locked``, like ``save_bytes``; this ends the lock."""
    backups.back_up(path)
    write(path, data)
    remove_stale(path)
    backups.back_up(path)
