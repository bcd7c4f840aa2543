"""One charforge at a time: who writes a character holds it.

The lock lies in this user's state folder, so that nothing appears beside
a character. The system lets go of it when its process ends, however it ends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from charforge.character import backups
from charforge.errors import WriteError

if TYPE_CHECKING:
    from filelock import BaseFileLock

WAIT = 5.0  # seconds, for another one that is at it
LOCK, HOLDER = "lock", "holder"


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold a character file; whoever holds it already may do so again.

    Raises WriteError, naming who holds it, after a little waiting. Where
    nothing can be locked (the state folder may not be written to), it is
    told, and the work goes on: a file that changed meanwhile is refused
    all the same.
    """
    held = _acquire(path)
    try:
        yield
    finally:
        if held is not None:
            held.release()


def _acquire(path: Path) -> BaseFileLock | None:
    from filelock import FileLock, Timeout  # costly, and only needed to write

    folder = backups.folder_of(path)
    lock = FileLock(folder / LOCK, timeout=WAIT, is_singleton=True)
    try:
        backups.make_private_folder(folder)
        lock.acquire()
    except Timeout as error:
        said = f"{_holder(folder)} is writing to it"
        raise WriteError(path, said, "Nothing was changed; run the command again.") from error
    except OSError as error:
        backups.warn_no_backup(path, error)
        return None
    _sign(folder)
    return lock


def _sign(folder: Path) -> None:
    """Say who holds it. Not in the lock itself: Windows lets nobody else read that."""
    with suppress(OSError):
        (folder / HOLDER).write_text(str(os.getpid()), encoding="ascii")


def _holder(folder: Path) -> str:
    try:
        return f"another charforge (process {int((folder / HOLDER).read_text('ascii'))})"
    except (OSError, ValueError):
        return "another charforge"
