"""Character files on disk: read with care, written whole or not at all."""

from __future__ import annotations

import errno
import json
import math
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from charforge.content import source
from charforge.document.events import KINDS, Override
from charforge.document.migrate import migrate
from charforge.document.model import VERSION, Document, Pin, to_text
from charforge.errors import DocumentError, WriteError, nearest

LARGEST = 50_000_000  # bytes
LONGEST_NUMBER = 18  # digits
DEEPEST = 50  # lists and maps in each other
SHOWN = 10  # faults of one file
LINKLESS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
MAKE = "Make the character with: charforge new --answers FILE."
ANSWERS = re.compile(r"^answers:", re.MULTILINE)
KEEP = "The file is untouched."
EVENTS = [str(kind.model_fields["do"].default) for kind in KINDS]
MODELS: tuple[type[BaseModel], ...] = (Document, Pin, Override, *KINDS)
KEYS = {name for kind in MODELS for name in kind.model_fields}
PLAIN = {
    "missing": "this key is missing",
    "union_tag_not_found": 'the key "do" is missing',
    "string_type": "it must be a text",
    "string_unicode": "it holds broken signs",
    "int_type": "it must be a whole number",
    "tuple_type": "it must be a list",
    "dict_type": "it must be a map",
    "model_type": "it must be a map",
    "model_attributes_type": "it must be a map",
}


def load(path: Path) -> Document:
    """Read a character file.

    Raises DocumentError, naming the line where one is to blame, for a
    file that is missing, empty, binary, cut off, edited into something
    else, or written by a newer version.
    """
    return parse(read_text(path), path)


def read_text(path: Path) -> str:
    """Read a text file, or say why it cannot be."""
    return decoded(read_bytes(path), path)


def read_bytes(path: Path) -> bytes:
    """Read a file that is neither empty nor far too large, or say why it cannot be."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)  # a device has no size to ask for first
    except FileNotFoundError as error:
        raise DocumentError(path, "there is no such file", _similar(path)) from error
    except IsADirectoryError as error:
        raise DocumentError(path, "this is a folder, not a file") from error
    except OSError as error:
        raise DocumentError(path, f"it cannot be read: {error.strerror}") from error
    if len(data) > LARGEST:
        raise DocumentError(path, f"it is far too large (more than {LARGEST} bytes)", KEEP)
    if not data.strip():
        raise DocumentError(path, "the file is empty", "Restore it from a copy, or make a new one.")
    return data


def decoded(data: bytes, path: Path) -> str:
    """Return the text that a file's bytes are; ``path`` names it in errors."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(path, "this is no text (in UTF-8)", KEEP) from error


def parse(text: str, path: Path) -> Document:
    """Read a document from its text; ``path`` names it in errors."""
    if ANSWERS.search(text) and not text.lstrip().startswith("{"):
        raise DocumentError(path, "this is an answers file, not a character", MAKE)
    data = as_json(text, path)
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
        raise unfit(error, path) from error


def unfit(error: ValidationError, path: Path) -> DocumentError:
    """Return the error that says what of a file does not fit its format, and where."""
    found = error.errors(include_url=False)
    shown = "; ".join(_fault(item, path) for item in found[:SHOWN])
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return DocumentError(path, f"it does not fit the format: {shown}{more}", KEEP)


def as_json(text: str, path: Path) -> Any:
    """Return a file's JSON. Raises DocumentError with the place where it is none."""
    try:
        data = json.loads(
            text,
            object_pairs_hook=_once,
            parse_int=_whole,
            parse_float=_finite,
            parse_constant=_no_constant,
        )
    except json.JSONDecodeError as error:
        whole = error.msg == "Extra data"
        cut = not whole and error.pos >= len(text.rstrip()) - 1
        what = "it breaks off" if cut else f"it is not JSON: {error.msg.removesuffix(' at')}"
        what = "something follows its end" if whole else what
        reason = f"{what} at line {error.lineno}, column {error.colno}"
        raise DocumentError(path, reason, f"Mend that place, or restore a copy. {KEEP}") from error
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else "it is nested too deeply"
        raise DocumentError(path, f"it is not usable JSON: {reason}", KEEP) from error
    if _deeper(data, DEEPEST):
        raise DocumentError(path, "it is not usable JSON: it is nested too deeply", KEEP)
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one place")
    return found


def _whole(text: str) -> int:
    digits = len(text.removeprefix("-"))
    if digits > LONGEST_NUMBER:
        raise ValueError(f"the number {text[:8]}… has {digits} digits")
    return int(text)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is no number here")
    return number


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number here")


def _deeper(data: Any, levels: int) -> bool:
    """Whether data is nested in more than ``levels`` lists and maps."""
    if not isinstance(data, dict | list):
        return False
    parts = data.values() if isinstance(data, dict) else data
    return levels == 0 or any(_deeper(part, levels - 1) for part in parts)


def _fault(item: Any, path: Path) -> str:
    """Say what does not fit the format, and where: the line, then the key."""
    loc = item["loc"]
    if loc[:1] in (("log",), ("undone",), ("events",)):
        loc = loc[:2] + loc[3:]  # without the event's own name
    place = source.locate(path, loc)
    line = f"line {place[0]}, " if place != (1, 1) else ""
    return f"{line}{_where(loc)}: {_message(item)}"


def _where(loc: tuple[int | str, ...]) -> str:
    parts = [f"entry {part + 1}" if isinstance(part, int) else part for part in loc]
    return " ".join(parts).replace("log entry", "event").replace("events entry", "event")


def _message(item: Any) -> str:
    """Say in plain words what pydantic found."""
    kind, context = item["type"], item.get("ctx", {})
    if kind == "extra_forbidden":
        near = nearest(str(item["loc"][-1]), KEYS)
        return "this key is unknown" + (f"; did you mean {near}?" if near else "")
    if kind == "union_tag_invalid":
        near = nearest(context["tag"], EVENTS)
        if context["tag"] == near:
            return f"an event that does {near!r} has no place here"
        return f"no event does {context['tag']!r}" + (f"; did you mean {near}?" if near else "")
    if kind == "greater_than_equal":
        return f"it must be at least {context['ge']}"
    if kind == "string_too_long":
        return f"it may have at most {context['max_length']} characters"
    return PLAIN.get(kind, str(item["msg"]).removeprefix("Value error, "))


def _similar(path: Path) -> str:
    """Name the file of the same sort beside ``path`` whose name is most like its own."""
    try:
        beside = [entry for entry in path.parent.iterdir() if entry.suffix == path.suffix]
    except OSError:
        return ""
    near = nearest(path.stem, [entry.stem for entry in beside])
    return f"Did you mean {path.with_name(near + path.suffix)}?" if near else ""


def save(document: Document, path: Path, replace: bool = True) -> None:
    """Write a document whole; see ``write``.

    A broken sign in an answer without effect stays what it was in JSON: an
    escape.
    """
    write(path, to_text(document).encode(errors="backslashreplace"), replace)


def update(before: Document, after: Document, path: Path) -> None:
    """Write a changed document over the one that it was made from.

    Raises WriteError where the file is no longer that one: what another
    program wrote meanwhile is not lost.
    """
    if load(path) != before:
        raise WriteError(path, "it was changed meanwhile", "Run the command again.")
    save(after, path)


def write(path: Path, data: bytes, replace: bool = True) -> None:
    """Write a file whole or not at all: new file, flush, rename, folder flush.

    With ``replace`` false an existing file is left alone. A link is kept
    and written through. Raises WriteError; whatever stood there before
    still stands.
    """
    temporary: str | None = None
    try:
        refuse(path, replace)
        target = Path(os.path.realpath(path))
        handle, temporary = tempfile.mkstemp(
            prefix=f".{target.name[:60]}.", suffix=".tmp", dir=target.parent
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
            Path(temporary).unlink(missing_ok=True)


def refuse(path: Path, replace: bool) -> None:
    """Raise WriteError where a file stands that may not be replaced, or no file at all."""
    if path.is_dir():
        raise WriteError(path, "this is a folder", "Add a file name.")
    if path.exists() and not path.is_file():
        raise WriteError(path, "this is a device, not a file", "Give another -o.")
    if path.exists() and not replace:
        raise WriteError(path, "this file exists already", "Use --force, or another -o.")


def _move(temporary: str, path: Path, replace: bool) -> None:
    """Rename over ``path``, or link beside nothing, so that no other writer is overrun."""
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
        path.touch(exist_ok=False)  # reserves the name, or raises like the link
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
