"""Paths of the data folders, the cache, and this user's own packs and backups."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path, user_data_path, user_state_path

PACKAGE = Path(__file__).resolve().parent
DRAFT_ENDING = ".draft.yaml"  # of the file that keeps the answers of a wizard
KEPT_DAYS = 30
DIGEST_LENGTH = 32  # bytes of the checksum at the start of a cache file
WRITABLE = 0o022  # file mode: by this user's group, or by anybody
# File names that stand for a device on some systems, with any ending.
DEVICES = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))}


class FolderPath(type(Path())):  # type: ignore[misc]  # the class of this system's paths
    """A path that was typed with a slash at its end: a folder, whether it exists or not."""


def typed_path(text: str) -> Path:
    """Return the path that was typed."""
    return FolderPath(text) if text.endswith(("/", os.sep)) else Path(text)


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder, or was typed as one."""
    return isinstance(path, FolderPath) or path.is_dir()


def is_inside(path: Path, folder: Path) -> bool:
    """Return whether a path is in a folder, also after all links are followed."""
    return path.resolve().is_relative_to(folder.resolve())


def data_folder(name: str) -> Path:
    """Return the folder ``catalog`` or ``templates`` of this installation."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


@cache
def cache_folder() -> Path:
    """Return this user's cache folder."""
    return user_cache_path("charforge", appauthor=False)


def read_cache_file(path: Path) -> bytes:
    """Return the content of a cache file that this user wrote.

    Compiled rules run when they are read, and another user may have filled
    a shared cache or the home of a command run with ``sudo``. Raises OSError
    for a file that another user could have written, or that is incomplete.
    """
    # O_NONBLOCK: a pipe in its place would block until somebody writes to it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        if hasattr(os, "getuid"):
            status = os.fstat(file.fileno())
            regular = stat.S_ISREG(status.st_mode)
            if not regular or status.st_uid != os.getuid() or status.st_mode & WRITABLE:
                raise PermissionError(f"{path} may belong to another user")
        digest, data = file.read(DIGEST_LENGTH), file.read()
    if sha256(data).digest() != digest:
        raise OSError(f"{path} is incomplete")
    return data


def write_cache_file(path: Path, data: bytes, lasting: bool = False) -> None:
    """Write a cache file for ``read_cache_file``: completely or not at all, private to this user.

    A ``lasting`` one is on the disk when this returns, whatever happens to the power. Raises
    OSError if that is impossible, and leaves nothing behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(sha256(data).digest() + data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


def remove_old_cache_files(folder: Path) -> None:
    """Remove the files of a cache folder that are older than KEPT_DAYS.

    What is still in use is made again. Raises OSError if the folder cannot be changed.
    """
    limit = time.time() - KEPT_DAYS * 24 * 60 * 60
    for path in folder.iterdir():
        if path.stat().st_mtime < limit:
            path.unlink(missing_ok=True)


def read_plain_file(path: Path, most: int) -> bytes:
    """Return the bytes of a file, and one more than ``most`` of a larger one.

    Raises OSError, also for a pipe or a device: reading one can wait for
    ever, or never end.
    """

    def open_at_once(name: str, flags: int) -> int:
        return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))  # a pipe is not waited for

    with open(path, "rb", opener=open_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "this is a pipe or a device, not a file", str(path))
        return file.read(most + 1)


def first_line(path: Path) -> str:
    """Return the first line of a text file, at most 1,000 bytes of it. Raises OSError."""
    return read_plain_file(path, 1000).decode(errors="replace").partition("\n")[0]


def own_folder(path: Path) -> bool:
    """Return whether a path is a folder of this user and no symbolic link. Raises OSError."""
    status = path.lstat()
    mine = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    return stat.S_ISDIR(status.st_mode) and mine


@cache
def user_data_folder() -> Path:
    """Return this user's data folder: installed packs."""
    return user_data_path("charforge", appauthor=False)


@cache
def state_folder() -> Path:
    """Return this user's state folder: earlier versions of characters."""
    return user_state_path("charforge", appauthor=False)


def backups_folder() -> Path:
    """Return the folder of the backups of all characters."""
    return state_folder() / "versions"


def backup_folder(path: Path) -> Path:
    """Return the folder of the backups of a character file, with symbolic links resolved."""
    real = os.path.realpath(path)
    return backups_folder() / sha256(os.fsencode(real)).hexdigest()[:32]


def latest_first(files: Iterable[Path]) -> list[Path]:
    """Return files by the time of their last change, those that are gone meanwhile last."""
    return sorted(files, key=_modified, reverse=True)


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
