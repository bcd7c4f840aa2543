"""Backups: the last versions of each character file, in the user's state folder.

Each character has a folder (``paths.backup_folder``), named after the path
of its file, with one compressed file per version, numbered in the order of
saving. A save keeps both the old and the new content, so that a lost file
can be restored.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import logging
import os
import re
import zlib
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from charforge.character.files import atomic_write
from charforge.errors import WriteError, os_reason
from charforge.language import _
from charforge.limits import MAX_FILE_BYTES
from charforge.paths import backup_folder, backups_folder, own_folder

MAX_BACKUPS = 10  # versions of a character, besides the present one
LATEST = 0xFFFF_FFFF  # seconds: the latest time that the gzip format can store
NAME = re.compile(r"(\d{6,})-([0-9a-f]{16})\.json\.gz")
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
        if digest_of(data) != self.digest:
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
    matches = [NAME.fullmatch(entry.name) for entry in entries]
    backups = [Backup(int(m[1]), m[2], folder / m[0]) for m in matches if m is not None]
    return tuple(sorted(backups, key=lambda backup: -backup.number))


def digest_of(data: bytes) -> str:
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
    digest = digest_of(data)
    if known and known[0].digest == digest:
        return
    file = backup_folder(path) / f"{known[0].number + 1 if known else 1:06}-{digest}.json.gz"
    try:
        make_private_folder(file.parent)
        atomic_write.write(file, gzip.compress(data, mtime=min(max(int(saved), 0), LATEST)))
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
