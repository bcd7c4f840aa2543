"""Atomic writes: a file is written completely or not at all."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from charforge.errors import WriteError

LINKLESS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
MAX_FILE_BYTES = 50_000_000  # bytes of a file that is read
OLD = 600  # seconds: no write takes as long, so what is older is a killed one's
NAMED = 60  # signs of a file's name in that of its temporary file


def write(path: Path, data: bytes, replace: bool = True) -> None:
    """Write a file atomically: temporary file, flush, rename, flush of the folder.

    With ``replace`` false an existing file is an error. A symbolic link is
    kept and its target written. Raises WriteError and leaves the existing
    file unchanged.
    """
    import tempfile  # what only reads does without

    temporary: str | None = None
    try:
        check_writable(path, replace)
        target = Path(os.path.realpath(path))
        handle, temporary = tempfile.mkstemp(
            prefix=f".{target.name[:NAMED]}.", suffix=".tmp", dir=target.parent
        )
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(target))
        _move(temporary, target, replace)
        temporary = None
        _flush_folder(target.parent)
    except OSError as error:
        raise WriteError(path, _reason(error), "Nothing was changed.") from error
    finally:
        if temporary is not None:
            _discard(temporary)


def check_writable(path: Path, replace: bool) -> None:
    """Raise WriteError if the path is a folder, a device, or a file not to be replaced."""
    if path.is_dir():
        raise WriteError(path, "this is a folder", "Add a file name.")
    if path.exists() and not path.is_file():
        raise WriteError(path, "this is a device, not a file", "Give another -o.")
    if path.exists() and not replace:
        raise WriteError(path, "this file exists already", "Use --force, or another -o.")


def remove_stale(path: Path) -> None:
    """Remove old temporary files that killed processes left next to a file.

    Their age is compared with the time of the file itself, which was just
    written: the clock of a network disk can differ from ours.
    """
    target = Path(os.path.realpath(path))
    left = re.compile(rf"\.{re.escape(target.name[:NAMED])}\.[a-z0-9_]{{8}}\.tmp")
    with suppress(OSError), os.scandir(target.parent) as entries:
        before = target.stat().st_mtime - OLD
        for entry in entries:
            if left.fullmatch(entry.name) and entry.stat().st_mtime < before:
                _discard(entry.path)


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Remove all temporary files next to some files, whose writers have ended."""
    folders: dict[Path, set[str]] = {}
    for path in paths:
        folders.setdefault(path.parent, set()).add(f".{path.name[:NAMED]}.")
    for folder, ours in folders.items():
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".tmp") and entry.name[: -len("12345678.tmp")] in ours:
                    _discard(entry.path)


def _discard(name: str) -> None:
    with suppress(OSError):  # it is not what anybody asked for, and is swept later
        Path(name).unlink()


def _move(temporary: str, path: Path, replace: bool) -> None:
    """Move into place; without ``replace`` by a hard link, which fails if the file exists."""
    if replace:
        Path(temporary).replace(path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError as error:
        raise WriteError(path, "this file exists already", "Use --force, or another -o.") from error
    except OSError as error:
        if error.errno not in LINKLESS:
            raise
        _move_linkless(temporary, path)
    else:
        _discard(temporary)


def _move_linkless(temporary: str, path: Path) -> None:
    """Move to a new name on a disk without hard links."""
    path.touch(exist_ok=False)  # reserves the name, or raises like the link
    try:
        Path(temporary).replace(path)
    except BaseException:
        _discard(str(path))
        raise


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _flush_folder(folder: Path) -> None:
    """Make the new name last through a power cut, on systems that can."""
    flags = getattr(os, "O_DIRECTORY", None)
    if flags is None:
        return
    with suppress(OSError):  # the file itself is flushed and in place already
        handle = os.open(folder, flags)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: OSError) -> str:
    known: dict[int | None, str] = {
        errno.ENOSPC: "the disk is full",
        errno.EROFS: "the disk is read-only",
        errno.EACCES: "this folder may not be written to",
        errno.EPERM: "this folder may not be written to",
        errno.ENOENT: "there is no such folder",
        errno.ENOTDIR: "its folder is not a folder",
        errno.EISDIR: "this is a folder",
        errno.ENAMETOOLONG: "the name is too long for a file",
    }
    return known.get(error.errno, error.strerror or str(error))
