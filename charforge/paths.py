"""Paths of the data folders, the cache, and this user's own packs and backups."""

from __future__ import annotations

import os
import stat
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
MAX_NESTING = 50  # lists and maps in each other, in any file that is read
DIGEST_LENGTH = 32  # bytes of the checksum at the start of a cache file
WRITABLE = 0o022  # by this user's group, or by anybody
# What some systems take for a device, whatever ending the name has.
DEVICES = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(10))}


def data_folder(name: str) -> Path:
    """Return the folder ``catalog`` or ``templates`` of this installation."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


@cache
def cache_folder() -> Path:
    """Return this user's cache folder."""
    from platformdirs import user_cache_path

    return user_cache_path("charforge", appauthor=False)


def read_cache_file(path: Path) -> bytes:
    """Return the content of a cache file that this user wrote.

    Compiled rules run when they are read, and another user may have filled
    a shared cache or the home of a command run with ``sudo``. Raises OSError
    for a file that another user could have written, or that is incomplete.
    """
    from hashlib import sha256

    # O_NONBLOCK: a pipe in its place would block until somebody writes to it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        if hasattr(os, "getuid"):
            found = os.fstat(file.fileno())
            regular = stat.S_ISREG(found.st_mode)
            if not regular or found.st_uid != os.getuid() or found.st_mode & WRITABLE:
                raise PermissionError(f"{path} may be another user's")
        digest, data = file.read(DIGEST_LENGTH), file.read()
    if sha256(data).digest() != digest:
        raise OSError(f"{path} is incomplete")
    return data


def write_cache_file(path: Path, data: bytes) -> None:
    """Keep what ``read_own`` reads: whole or not at all, and for nobody else to write.

    Raises OSError where that is impossible; nothing is left lying then.
    """
    import tempfile
    from hashlib import sha256

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(sha256(data).digest() + data)
        Path(temporary).replace(path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
        raise


@cache
def user_data_folder() -> Path:
    """Return this user's data folder: installed packs."""
    from platformdirs import user_data_path

    return user_data_path("charforge", appauthor=False)


@cache
def state_folder() -> Path:
    """Return this user's state folder: earlier versions of characters."""
    from platformdirs import user_state_path

    return user_state_path("charforge", appauthor=False)
