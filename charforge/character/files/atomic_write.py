"""Atomic writes: a file is written completely or not at all."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from charforge.errors import WriteError, os_reason
from charforge.language import _
from charforge.paths import is_folder

NO_HARD_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
STALE_SECONDS = 600  # no write takes as long: an older temporary file was left by a killed one
NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
PREFIX_LENGTH = 60  # characters of a file name in the name of its temporary file


def write(path: Path, data: bytes, replace: bool = True) -> None:
    """Write a file atomically: temporary file, flush, rename, flush of the folder.

    With ``replace`` false an existing file is an error. A symbolic link is
    kept and its target written. Raises WriteError and leaves the existing
    file unchanged.
    """
    temporary: str | None = None
    try:
        check_writable(path, replace)
        target = Path(os.path.realpath(path))
        # Named before it exists, so that an interrupt at any moment leaves nothing behind.
        name = f".{target.name[:PREFIX_LENGTH]}.{secrets.token_hex(4)}.tmp"
        temporary = str(target.parent / name)
        handle = os.open(temporary, NEW_FILE, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(target))
        _move(temporary, target, replace)
        temporary = None
        _flush_folder(target.parent)
    except OSError as error:
        raise WriteError(path, _reason(error), _("Nothing was changed.")) from error
    finally:
        if temporary is not None:
            _discard(temporary)


def check_writable(path: Path, replace: bool) -> None:
    """Raise WriteError if the path is a folder, a device, or a file not to be replaced."""
    if is_folder(path):
        raise WriteError(path, _("this is a folder"), _("Add a file name."))
    if path.exists() and not path.is_file():
        raise WriteError(path, _("this is a device, not a file"), _("Use another -o."))
    if path.exists() and not replace:
        raise WriteError(path, _("this file already exists"), _("Use --force, or another -o."))


def remove_stale(path: Path) -> None:
    """Remove old temporary files that killed processes left next to a file.

    Their age is compared with the time of the file itself, which was just
    written: the clock of a network disk can differ from ours.
    """
    target = Path(os.path.realpath(path))
    stale_name = re.compile(rf"\.{re.escape(target.name[:PREFIX_LENGTH])}\.[a-z0-9_]{{8}}\.tmp")
    with suppress(OSError), os.scandir(target.parent) as entries:
        before = target.stat().st_mtime - STALE_SECONDS
        for entry in entries:
            if stale_name.fullmatch(entry.name) and entry.stat().st_mtime < before:
                _discard(entry.path)


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Remove all temporary files next to some files; nothing may be writing them now."""
    folders: dict[Path, set[str]] = {}
    for path in paths:
        folders.setdefault(path.parent, set()).add(f".{path.name[:PREFIX_LENGTH]}.")
    for folder, ours in folders.items():
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".tmp") and entry.name[: -len("12345678.tmp")] in ours:
                    _discard(entry.path)


def _discard(name: str) -> None:
    """Delete a temporary file, if possible."""
    with suppress(OSError):  # a later write removes it
        Path(name).unlink()


def _move(temporary: str, path: Path, replace: bool) -> None:
    """Move a file into place; without ``replace`` by a hard link, which never overwrites."""
    if replace:
        Path(temporary).replace(path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError as error:
        raise WriteError(
            path, _("this file already exists"), _("Use --force, or another -o.")
        ) from error
    except OSError as error:
        if error.errno not in NO_HARD_LINKS:
            raise
        _move_without_links(temporary, path)
    else:
        _discard(temporary)


def _move_without_links(temporary: str, path: Path) -> None:
    """Move a file to a new name on a disk without hard links."""
    path.touch(exist_ok=False)  # reserves the name, or raises like the link
    try:
        Path(temporary).replace(path)
    except BaseException:
        _discard(str(path))
        raise


def _mode(path: Path) -> int:
    """Return the permissions of an existing file, or those of a new one."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _flush_folder(folder: Path) -> None:
    """Write the entries of a folder to the disk, so that a new name survives a power cut.

    Does nothing on systems that cannot.
    """
    flags = getattr(os, "O_DIRECTORY", None)
    if flags is None:
        return
    with suppress(OSError):  # the file itself is already written and in place
        handle = os.open(folder, flags)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: OSError) -> str:
    """Return the reason why a file cannot be written, in words."""
    known: dict[int | None, str] = {
        errno.EACCES: _("you may not write to this folder"),
        errno.EPERM: _("you may not write to this folder"),
        errno.ENOENT: _("this folder does not exist"),
        errno.ENOTDIR: _("part of this path is a file, not a folder"),
        errno.EISDIR: _("this is a folder"),
        errno.ENAMETOOLONG: _("the file name is too long"),
    }
    return known.get(error.errno) or os_reason(error)
