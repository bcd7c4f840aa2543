"""Backups: the last versions of each character file, in the user's state folder.

Each character has a folder, named after the path of its file, with one
compressed file per version, numbered in the order of saving. A save keeps
both the old and the new content, so that a lost file can be restored.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import os
import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from charforge.character import atomic_write
from charforge.character.atomic_write import MAX_FILE_BYTES
from charforge.errors import WriteError
from charforge.paths import state_folder

MAX_BACKUPS = 10  # versions of a character, besides the one that stands
LATEST = 0xFFFF_FFFF  # seconds, as many as gzip can say
NAME = re.compile(r"(\d{6,})-([0-9a-f]{16})\.json\.gz")
READ_ERRORS = (OSError, EOFError, zlib.error)  # what reading a damaged one raises


@dataclass(frozen=True, slots=True)
class Backup:
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
            raise OSError(f"{self.file} does not hold what it was named after")
        return data, saved


def folder() -> Path:
    """Return the folder of all backups."""
    return state_folder() / "versions"


def folder_of(path: Path) -> Path:
    """Return the backup folder of a character file, with symbolic links resolved."""
    real = os.path.realpath(path)
    return folder() / hashlib.sha256(os.fsencode(real)).hexdigest()[:32]


def make_private_folder(place: Path) -> None:
    """Create a folder that only this user can read: characters have private notes."""
    if not place.is_absolute():  # a "~" that stayed one: this user has no home
        raise OSError(errno.ENOENT, "no home folder is known")
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.mkdir(mode=0o700, exist_ok=True)


def backups_of(path: Path) -> tuple[Backup, ...]:
    """Return the kept versions of a character file, newest first."""
    place = folder_of(path)
    try:
        names = [NAME.fullmatch(entry.name) for entry in place.iterdir()]
    except OSError:
        return ()
    found = [Backup(int(m[1]), m[2], place / m[0]) for m in names if m is not None]
    return tuple(sorted(found, key=lambda one: -one.number))


def digest_of(data: bytes) -> str:
    """Return a short hash of a content."""
    return hashlib.sha256(data).hexdigest()[:16]


def keep_backup(path: Path, data: bytes, saved: float) -> None:
    """Keep a content of a character file as its newest version, and drop the oldest.

    The same content is not kept twice. A failure is only a warning, so that
    the character can still be saved.
    """
    known = backups_of(path)
    digest = digest_of(data)
    if known and known[0].digest == digest:
        return
    file = folder_of(path) / f"{known[0].number + 1 if known else 1:06}-{digest}.json.gz"
    try:
        make_private_folder(file.parent)
        atomic_write.write(file, gzip.compress(data, mtime=min(max(int(saved), 0), LATEST)))
    except (OSError, WriteError) as error:
        warn_no_backup(path, error)
        return
    atomic_write.remove_stale(file)
    others = [one for one in known if one.digest != digest]
    for gone in {*known} - {*others[:MAX_BACKUPS]}:
        with suppress(OSError):
            gone.file.unlink()


def current_content(path: Path) -> tuple[bytes, float] | None:
    """Return the content of a character file and the time of saving; None if it has none."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
            return (data, os.fstat(file.fileno()).st_mtime) if len(data) <= MAX_FILE_BYTES else None
    except OSError:
        return None


def warn_no_backup(path: Path, error: Exception) -> None:
    """Log a warning, once per run, that no backup of a character can be kept, and why."""
    import logging

    reason = error.reason if isinstance(error, WriteError) else _strerror(error)
    told = f"No earlier version of {path} is kept: {folder()}: {reason}."
    if told not in _TOLD:
        _TOLD.add(told)
        logging.getLogger(__name__).warning(told)


def _strerror(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


_TOLD: set[str] = set()
