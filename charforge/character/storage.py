"""Saving character files: atomically, under a lock, with the replaced version as a backup."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from charforge.character import backups
from charforge.character.atomic_write import check_writable, remove_stale, write
from charforge.character.document import Document, to_text
from charforge.character.reader import MAX_CHARACTERS, MAX_EVENTS, load
from charforge.errors import WriteError
from charforge.paths import backup_folder

LOCK_WAIT = 5.0  # seconds, for another process that writes the same character
LOCK, HOLDER = "lock", "holder"


def save(document: Document, path: Path, replace: bool = True) -> None:
    """Save a document; see ``save_bytes``.

    A lone surrogate, which an answer without effect can contain, stays a JSON
    escape.
    """
    text = to_text(document)
    if len(document.log) > MAX_EVENTS or len(text) > MAX_CHARACTERS:
        raise WriteError(path, "more has happened to it than a file can tell", "Undo something.")
    save_bytes(path, text.encode(errors="backslashreplace"), replace)


def save_changed(before: Document, after: Document, path: Path) -> None:
    """Replace a document on disk by its changed version.

    Raises WriteError if the file is no longer ``before``, so that changes by
    another program are not lost.
    """
    with locked(path):
        if load(path) != before:
            raise WriteError(path, "it was changed meanwhile", "Run the command again.")
        save(after, path)


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
        backups.back_up(path)
        write(path, data)
        remove_stale(path)
        backups.back_up(path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a character file; the same process may lock it again.

    The lock is a file in this user's state folder, and the system releases
    it when the process ends. Raises WriteError, naming the process that has
    it, after LOCK_WAIT seconds. If the state folder is not writable, a
    warning is logged and the file stays unlocked: ``save_changed`` still
    refuses a file that changed in between.
    """
    folder = backup_folder(path)
    lock = FileLock(folder / LOCK, timeout=LOCK_WAIT, is_singleton=True)
    try:
        backups.make_private_folder(folder)
        lock.acquire()
    except Timeout as error:
        reason = f"{_lock_holder(folder)} is writing to it"
        raise WriteError(path, reason, "Nothing was changed; run the command again.") from error
    except OSError as error:
        backups.warn_no_backup(path, error)
        yield
        return
    try:
        # Not in the lock itself: on Windows no other process can read that.
        with suppress(OSError):
            (folder / HOLDER).write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        lock.release()


def _lock_holder(folder: Path) -> str:
    """Return the process that has the lock, in words."""
    try:
        return f"another charforge (process {int((folder / HOLDER).read_text('ascii'))})"
    except (OSError, ValueError):
        return "another charforge"
