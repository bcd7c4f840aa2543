"""Saving character files: atomically, under locks, with the last versions as backups.

One lock is on the character file itself, for all who share its folder. The
other is in this user's state folder, for the backups there.

Each character has a folder of backups (``paths.backup_folder``), named after the path of its
file, with one compressed file per version, numbered in the order of saving. A save keeps both the
old and the new content, so that a lost file can be restored.

Several files are replaced as one change, all or none: a journal in their folder holds the content
of each before and after. Once it is written, the change is made: whoever loads a character there
after an interruption finishes it.
"""

from __future__ import annotations

import base64
import errno
import gzip
import hashlib
import json
import logging
import os
import re
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from charforge.character.files import atomic_write
from charforge.character.files.atomic_write import check_writable, remove_stale, write
from charforge.character.files.document import Document, to_text
from charforge.character.files.reader import JOURNAL, MAX_DOCUMENT_LENGTH, MAX_EVENTS, load
from charforge.errors import ChangedMeanwhile, CharforgeError, WriteError, os_reason
from charforge.language import _
from charforge.limits import MAX_FILE_BYTES
from charforge.paths import backup_folder, backups_folder, own_folder, read_plain_file

MAX_BACKUPS = 10  # versions of a character, besides the present one
LATEST_TIME = 0xFFFF_FFFF  # seconds: the latest time that the gzip format can store
BACKUP_NAME = re.compile(r"(\d{6,})-([0-9a-f]{16})\.json\.gz")
READ_ERRORS = (OSError, EOFError, zlib.error)  # what reading a damaged backup raises


class Backup(NamedTuple):
    """A saved version of a character file; ``digest`` is a hash of its content."""

    number: int
    digest: str
    file: Path

    def read(self) -> tuple[bytes, int]:
        """Return its bytes and the time of saving in seconds. Raises one of READ_ERRORS."""
        with gzip.open(self.file) as file:
            data = file.read(MAX_FILE_BYTES + 1)
            saved = file.mtime or 0
        if content_digest(data) != self.digest:
            raise OSError(_("{file} is damaged").format(file=self.file))
        return data, saved


def make_private_folder(folder: Path) -> None:
    """Create a folder that only this user can read: characters have private notes."""
    if not folder.is_absolute():  # an unexpanded "~": this user has no home
        raise OSError(errno.ENOENT, _("there is no home folder"))
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    for one in (folder.parent, folder):
        if not own_folder(one):
            raise OSError(
                errno.ELOOP, _("{folder} is a link or of another user").format(folder=one)
            )


def backups_of(path: Path) -> tuple[Backup, ...]:
    """Return the backups of a character file, newest first."""
    folder = backup_folder(path)
    try:
        entries = list(folder.iterdir()) if own_folder(folder) else []
    except OSError:
        return ()
    matches = [BACKUP_NAME.fullmatch(entry.name) for entry in entries]
    backups = [Backup(int(m[1]), m[2], folder / m[0]) for m in matches if m is not None]
    return tuple(sorted(backups, key=lambda backup: -backup.number))


def content_digest(data: bytes) -> str:
    """Return the hash of a content: 16 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()[:16]


def back_up(path: Path) -> None:
    """Keep the present content of a character file as its newest backup, if it has one.

    See ``keep_backup``.
    """
    content = current_content(path)
    if content is not None:
        keep_backup(path, *content)


def keep_backup(path: Path, data: bytes, saved: float) -> None:
    """Keep a content of a character file as its newest backup, and delete the oldest.

    ``saved`` is the time of saving in seconds. The same content is not kept
    twice. A failure is only a warning, so that the character can still be saved.
    """
    known = backups_of(path)
    digest = content_digest(data)
    if known and known[0].digest == digest:
        return
    file = backup_folder(path) / f"{known[0].number + 1 if known else 1:06}-{digest}.json.gz"
    try:
        make_private_folder(file.parent)
        atomic_write.write(file, gzip.compress(data, mtime=min(max(int(saved), 0), LATEST_TIME)))
    except (OSError, WriteError) as error:
        warn_no_backup(path, error)
        return
    atomic_write.remove_stale(file)
    others = [backup for backup in known if backup.digest != digest]
    for backup in {*known} - {*others[:MAX_BACKUPS]}:
        with suppress(OSError):
            backup.file.unlink()


def current_content(path: Path) -> tuple[bytes, float] | None:
    """Return the bytes of a character file and the time of saving in seconds.

    None if it cannot be read or has more than MAX_FILE_BYTES.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
            saved = os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    return (data, saved) if len(data) <= MAX_FILE_BYTES else None


def warn_no_backup(path: Path, error: OSError | WriteError) -> None:
    """Log a warning, once per run, that no backup of a character can be kept, and why."""
    reason = error.reason if isinstance(error, WriteError) else os_reason(error)
    message = _(
        "The previous version of {path} could not be kept in {backups_folder}: {reason}."
    ).format(path=path, backups_folder=backups_folder(), reason=reason)
    if message not in _LOGGED:
        _LOGGED.add(message)
        logging.getLogger(__name__).warning(message)


_LOGGED: set[str] = set()


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
            warn_no_backup(path, error)
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
    make_private_folder(folder)
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


def save(document: Document, path: Path, replace: bool = True) -> None:
    """Save a document; see ``save_bytes``."""
    save_bytes(path, encode(document, path), replace)


def encode(document: Document, path: Path) -> bytes:
    """Return the bytes of a document. Raises WriteError if it is too large for a file.

    A lone surrogate, which an answer without effect can contain, stays a JSON
    escape.
    """
    text = to_text(document)
    if len(document.log) > MAX_EVENTS or len(text) > MAX_DOCUMENT_LENGTH:
        raise WriteError(path, _("its history is full"), _("Undo some changes first."))
    return text.encode(errors="backslashreplace")


def save_changed(before: Document, after: Document, path: Path) -> None:
    """Replace a document on disk by its changed version.

    Raises ChangedMeanwhile if the file is no longer ``before``, so that changes by
    another program are not lost.
    """
    data = encode(after, path)
    with locked(path):
        if load(path) != before:
            raise ChangedMeanwhile(
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
    back_up(path)
    write(path, data)
    remove_stale(path)
    back_up(path)


FILE_NAME, BEFORE, AFTER = "name", "before", "after"  # keys of a file in a journal
MAX_JOURNAL = 6 * MAX_FILE_BYTES


class ChangedFile(NamedTuple):
    """A character file, its document and the changed one."""

    path: Path
    before: Document
    after: Document


class Replacement(NamedTuple):
    """A file with its content before and after a change."""

    path: Path
    before: bytes
    after: bytes


def save_together(files: Sequence[ChangedFile]) -> None:
    """Replace the documents of files in one folder by changed ones: all of them, or none.

    Raises ChangedMeanwhile if a file is no longer as it was before, WriteError.
    """
    texts = {file.path: encode(file.after, file.path) for file in files}
    journal = files[0].path.parent / JOURNAL
    with _all_locked([file.path for file in files]):
        replacements = []
        for path, before, _after in files:
            content = current_content(path)
            if content is None or load(path) != before:
                raise ChangedMeanwhile(
                    path,
                    _("another program changed it in the meantime"),
                    _("Run the command again."),
                )
            replacements.append(Replacement(path, content[0], texts[path]))
        atomic_write.write(journal, journal_text(replacements))
        try:
            for path, _before, after in replacements:
                replace_locked(path, after)
        except WriteError as error:
            try:
                _put_back(replacements)
            except WriteError:
                raise _unfinished(error) from error
            _remove(journal)
            raise
        _remove(journal)


def _unfinished(error: WriteError) -> WriteError:
    """Return the error of a change that could neither be finished nor taken back."""
    advice = _("The change is half saved; the next command in this folder completes it.")
    return WriteError(error.path, error.reason, advice)


def finish_change(folder: Path) -> None:
    """Finish a change of several files in a folder that was interrupted.

    If another program has changed one of them since, the others are put back to what they were
    before. Where nothing can be written now, all stays as it is, for the next time.
    """
    journal = folder / JOURNAL
    if not journal.exists():
        return
    with suppress(CharforgeError, OSError):
        found = _read_journal(journal)
        with _all_locked([one.path for one in found]):
            if found != _read_journal(journal):
                return  # whoever made the change was not interrupted, but slow
            if all(_content(one.path) in (one.before, one.after) for one in found):
                for path, _before, after in found:
                    if _content(path) != after:
                        replace_locked(path, after)
            else:
                _put_back(found)
            _remove(journal)


@contextmanager
def _all_locked(paths: Sequence[Path]) -> Iterator[None]:
    """Lock several character files, always in the same order."""
    with ExitStack() as locks:
        for path in sorted(paths):
            locks.enter_context(locked(path))
        yield


def _put_back(replacements: Sequence[Replacement]) -> None:
    """Give the files that were replaced their former content."""
    for path, before, after in replacements:
        if _content(path) == after:
            replace_locked(path, before)


def _content(path: Path) -> bytes | None:
    content = current_content(path)
    return None if content is None else content[0]


def _remove(journal: Path) -> None:
    with suppress(OSError):  # the next load finds that nothing is left to do
        journal.unlink()


def journal_text(replacements: Sequence[Replacement]) -> bytes:
    """Return the text of a journal, from which an interrupted change is finished or undone."""
    files = [
        {FILE_NAME: path.name, BEFORE: _as_text(before), AFTER: _as_text(after)}
        for path, before, after in replacements
    ]
    return json.dumps(files).encode()


def _as_text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _read_journal(journal: Path) -> list[Replacement]:
    """Return what a journal says; nothing for a file that is no journal."""
    try:
        return [
            Replacement(
                journal.parent / Path(file[FILE_NAME]).name,
                base64.b64decode(file[BEFORE], validate=True),
                base64.b64decode(file[AFTER], validate=True),
            )
            for file in json.loads(read_plain_file(journal, MAX_JOURNAL))
        ]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
