"""Character files on disk: read with care, written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from charforge.document.migrate import migrate
from charforge.document.model import VERSION, Document, to_text
from charforge.errors import DocumentError, WriteError

LARGEST = 50_000_000
KEEP = "The file is untouched."


def load(path: Path) -> Document:
    """Read a character file.

    Raises DocumentError, naming the line where one is to blame, for a
    file that is missing, empty, binary, cut off, edited into something
    else, or written by a newer version.
    """
    return parse(read_text(path), path)


def read_text(path: Path) -> str:
    """Read a text file, or say why it cannot be."""
    try:
        if path.stat().st_size > LARGEST:
            raise DocumentError(path, "it is far too large for a character", KEEP)
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise DocumentError(path, "there is no such file", _similar(path)) from error
    except IsADirectoryError as error:
        raise DocumentError(path, "this is a folder, not a character file") from error
    except OSError as error:
        raise DocumentError(path, f"it cannot be read: {error.strerror}") from error
    if not data.strip():
        raise DocumentError(path, "the file is empty", "Restore it from a copy, or make a new one.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(path, "this is not text, so no character file", KEEP) from error


def parse(text: str, path: Path) -> Document:
    """Read a document from its text; ``path`` names it in errors."""
    data = _json(text, path)
    if not isinstance(data, dict) or "charforge" not in data:
        raise DocumentError(
            path, 'this is no charforge character (it has no "charforge" key)', KEEP
        )
    version = data["charforge"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise DocumentError(path, f'"charforge" is {version!r}, not a format version', KEEP)
    if version > VERSION:
        raise DocumentError(
            path,
            f"it was written by a newer charforge (format {version}; this one knows {VERSION})",
            f"Update charforge to open it. {KEEP}",
        )
    try:
        return Document.model_validate(migrate(data))
    except ValidationError as error:
        reasons = [f"{_where(item['loc'])}: {_message(item)}" for item in error.errors()]
        shown = "; ".join(reasons[:10]) + (
            f"; and {len(reasons) - 10} more" if len(reasons) > 10 else ""
        )
        raise DocumentError(path, f"it does not fit the format: {shown}", KEEP) from error


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) - 1
        what = "it breaks off" if cut else f"it is not JSON: {error.msg}"
        reason = f"{what} at line {error.lineno}, column {error.colno}"
        raise DocumentError(path, reason, f"Mend that place, or restore a copy. {KEEP}") from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(path, f"it is not usable JSON: {error}", KEEP) from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one place")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number here")


def _where(loc: tuple[int | str, ...]) -> str:
    parts = [f"event {part + 1}" if isinstance(part, int) else str(part) for part in loc]
    return " ".join(part for part in parts if part not in ("answer", "advance", "set"))


def _message(item: Any) -> str:
    plain = {"missing": "this key is missing", "extra_forbidden": "this key is unknown"}
    return plain.get(item["type"], str(item["msg"]).removeprefix("Value error, "))


def _similar(path: Path) -> str:
    from charforge.errors import nearest

    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    near = nearest(path.name, names)
    return f"Did you mean {path.with_name(near)}?" if near else ""


def save(document: Document, path: Path, replace: bool = True) -> None:
    """Write a document whole; see ``write``."""
    write(path, to_text(document).encode(), replace)


def write(path: Path, data: bytes, replace: bool = True) -> None:
    """Write a file whole or not at all: new file, flush, rename, folder flush.

    With ``replace`` false an existing file is left alone. Raises
    WriteError; whatever stood there before still stands.
    """
    folder = path.parent
    temporary: str | None = None
    try:
        if not replace and path.exists():
            raise WriteError(path, "this file exists already", "Use --force, or another -o.")
        handle, temporary = tempfile.mkstemp(
            prefix=f".{path.name[:60]}.", suffix=".tmp", dir=folder
        )
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(_mode(path))
        _move(temporary, path, replace)
        temporary = None
        _flush_folder(folder)
    except OSError as error:
        raise WriteError(path, _reason(error), "Nothing was changed.") from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _move(temporary: str, path: Path, replace: bool) -> None:
    """Rename over ``path``, or link beside nothing, so that no other writer is overrun."""
    if replace:
        Path(temporary).replace(path)
        return
    try:
        os.link(temporary, path)
    except FileExistsError as error:
        raise WriteError(path, "this file exists already", "Use --force, or another -o.") from error
    except OSError:  # a file system without links
        Path(temporary).replace(path)
        return
    Path(temporary).unlink()


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _flush_folder(folder: Path) -> None:
    flags = getattr(os, "O_DIRECTORY", None)
    if flags is None:
        return
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
