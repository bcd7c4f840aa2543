"""Locks: one process at a time changes a character file.

One lock is on the character file itself, for all who share its folder. The
other is in this user's state folder, for the backups there.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from charforge.character.files import backups
from charforge.errors import WriteError
from charforge.language import _
from charforge.paths import backup_folder, read_plain_file

LOCK_WAIT = 5.0  # seconds, for another process that writes the same character
LOCK, HOLDER = "lock", "holder"
MAX_HOLDER = 20  # bytes of the number of a process
POLL = 0.02  # seconds between two attempts to get the lock


class LockedByOther(Exception):
    """Another process has the lock, and kept it for as long as we waited."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a character file against everybody, and its backups against this user's processes.

    The system releases both locks when the process ends. Raises WriteError
    after LOCK_WAIT seconds. If the state folder is not writable, a warning
    is logged and only the file is locked. A file that does not exist yet has
    no lock, nor has any file on a disk without locks: ``save_changed`` still
    refuses a file that changed in between.
    """
    with ExitStack() as locks:
        try:
            locks.enter_context(_locked_backups(path))
        except OSError as error:
            backups.warn_no_backup(path, error)
        try:
            with suppress(OSError):
                locks.enter_context(lock_file(path, LOCK_WAIT))
        except LockedByOther as error:
            raise _locked_error(path, _("another charforge")) from error
        yield


@contextmanager
def _locked_backups(path: Path) -> Iterator[None]:
    """Lock the backups of a character file, which are in this user's state folder."""
    folder = backup_folder(path)
    lock = FileLock(folder / LOCK, timeout=LOCK_WAIT)
    backups.make_private_folder(folder)
    try:
        lock.acquire()
    except Timeout as error:
        raise _locked_error(path, _lock_holder(folder)) from error
    try:
        # Not in the lock itself: on Windows no other process can read that.
        with suppress(OSError):
            _write_holder(folder / HOLDER)
        yield
    finally:
        lock.release()


def _write_holder(path: Path) -> None:
    """Write which process has the lock. Raises OSError, also if a symbolic link is in its place."""

    def open_no_link(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)

    with open(path, "wb", opener=open_no_link) as file:
        file.write(str(os.getpid()).encode())


def _locked_error(path: Path, holder: str) -> WriteError:
    advice = _("Nothing was changed; run the command again.")
    return WriteError(path, _("{holder} is writing to it").format(holder=holder), advice)


def _lock_holder(folder: Path) -> str:
    """Return the process that has the lock, in words."""
    try:
        return _("another charforge (process {read})").format(
            read=int(read_plain_file(folder / HOLDER, MAX_HOLDER))
        )
    except (OSError, ValueError):
        return _("another charforge")


if sys.platform == "win32":

    @contextmanager
    def lock_file(path: Path, wait: float) -> Iterator[None]:
        """Lock a file while the block runs.

        Windows replaces no file that is open, so the lock is a small hidden
        file beside it, which is deleted when the lock is released. Raises
        LockedByOther after ``wait`` seconds, OSError if the folder is not
        writable.
        """
        target = Path(os.path.realpath(path))
        lock = FileLock(target.with_name(f".{target.name}.lock"), timeout=wait)
        try:
            lock.acquire()
        except Timeout as error:
            raise LockedByOther from error
        try:
            yield
        finally:
            lock.release()

else:
    import fcntl

    @contextmanager
    def lock_file(path: Path, wait: float) -> Iterator[None]:
        """Lock a file while the block runs, or until the block replaces it.

        The lock is on the file itself: every process that opens it sees it,
        whoever runs it and wherever that user's other files are, and the
        system releases it when the process ends. Raises LockedByOther after
        ``wait`` seconds, OSError if the file is missing or its disk has no
        locks.
        """
        deadline = time.monotonic() + wait
        while (handle := _try_lock(path)) is None:
            if time.monotonic() > deadline:
                raise LockedByOther
            time.sleep(POLL)
        try:
            yield
        finally:
            with suppress(OSError):  # the system closes it even where it says that this failed
                os.close(handle)

    def _try_lock(path: Path) -> int | None:
        """Return the handle that has the lock; None if another process has it.

        A save replaces the file, so whoever waited may get the lock of a file
        that is gone. That counts as not having it.
        """
        with ExitStack() as closing:
            handle = _open(path)
            closing.callback(os.close, handle)
            with suppress(BlockingIOError, FileNotFoundError):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(handle), path.stat()):
                    closing.pop_all()
                    return handle
        return None

    def _open(path: Path) -> int:
        """Open for writing, which locks on network disks need, else for reading."""
        flags = os.O_CLOEXEC | os.O_NONBLOCK  # a pipe in its place would block
        try:
            return os.open(path, os.O_RDWR | flags)
        except OSError:
            return os.open(path, os.O_RDONLY | flags)
