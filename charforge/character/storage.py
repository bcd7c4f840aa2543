"""Character files on disk: reading with clear errors, atomic saving, locks, portraits."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from charforge.character import backups
from charforge.character.atomic_write import (
    MAX_FILE_BYTES,
    check_writable as check_writable,
    remove_stale,
    write as write,
)
from charforge.character.document import VERSION, Document, Pin, logged_portrait, migrate, to_text
from charforge.character.events import EVENT_TYPES, Override
from charforge.errors import DocumentError, PackError, WriteError, nearest
from charforge.paths import MAX_NESTING
from charforge.rules import yaml_source
from charforge.rules.errors import SchemaError, schema_errors

LOCK_WAIT = 5.0  # seconds, for another process that writes the same character
LOCK, HOLDER = "lock", "holder"
LONGEST = 5_000_000  # characters of a document
MOST = 20_000  # events of a document
LOCATED = 500_000  # characters of a document whose lines are looked for
LONGEST_NUMBER = 18  # digits
SHOWN = 10  # faults of one file
MAKE = "Make the character with: charforge new --answers FILE."
ANSWERS = re.compile(r"^answers:", re.MULTILINE)
KEEP = "The file is untouched."
EMPTY = "Take another copy of it, or make a new one."
MERGE_MARK = re.compile(r"^<{7} ", re.MULTILINE)
MERGE_ADVICE = "a merge of two versions left its marks here; keep one side of it, and no marks"
PYTHON_WORDS = ("True", "False", "None")
TRAILING_COMMA = "no comma stands after the last one"
BACKSLASH = "a backslash inside of a text is written twice"
JSON_PROBLEMS = {
    "Expecting ':' delimiter": "a colon is missing between a key and what it is",
    "Expecting ',' delimiter": (
        "a comma is missing before this, or a quote inside of a text has no backslash before it"
    ),
    "Illegal trailing comma before end of object": TRAILING_COMMA,
    "Illegal trailing comma before end of array": TRAILING_COMMA,
    "Invalid \\escape": BACKSLASH,
    "Invalid \\uXXXX escape": "four digits follow \\u",
}
PICTURE_STARTS = {
    "jpg": re.compile(rb"\xff\xd8\xff"),
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
PORTRAIT_ADVICE = "Put the right file there, or print with --portrait."
MODELS: tuple[type[BaseModel], ...] = (Document, Pin, Override, *EVENT_TYPES)
KEYS = {name for kind in MODELS for name in kind.model_fields}


def load(path: Path) -> Document:
    """Read a character file.

    Raises DocumentError, naming the line where one is to blame, for a
    file that is missing, empty, binary, cut off, edited into something
    else, or written by a newer version.
    """
    return parse_document(read_text(path), path)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Raises DocumentError."""
    return decode_text(read_bytes(path), path)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises DocumentError, also for one that is empty or too large."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)  # a device has no size to ask for first
    except FileNotFoundError as error:
        raise DocumentError(path, "there is no such file", _mend(path, _similar(path))) from error
    except IsADirectoryError as error:
        raise DocumentError(path, "this is a folder, not a file") from error
    except OSError as error:
        raise DocumentError(path, f"it cannot be read: {error.strerror}") from error
    if len(data) > MAX_FILE_BYTES:
        raise DocumentError(path, f"it is far too large (more than {MAX_FILE_BYTES} bytes)", KEEP)
    if not data.strip():
        raise DocumentError(path, "the file is empty", _mend(path, EMPTY))
    return data


def decode_text(data: bytes, path: Path) -> str:
    """Decode the bytes of a file as UTF-8; ``path`` is only for error messages."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        advice = _mend(path, f"Save it as UTF-8. {KEEP}")
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"this is no text (in UTF-8) from line {line} on"
        raise DocumentError(path, reason, advice) from error


def parse_document(text: str, path: Path) -> Document:
    """Return the document in a text; ``path`` is only for error messages."""
    if len(text) > LONGEST:
        raise DocumentError(path, f"it is far too large (more than {LONGEST} characters)", KEEP)
    if ANSWERS.search(text) and not text.lstrip().startswith("{"):
        raise DocumentError(path, "this is an answers file, not a character", MAKE)
    data = parse_json(text, path)
    if not isinstance(data, dict) or "charforge" not in data:
        raise DocumentError(
            path, 'this is no charforge character (it has no "charforge" key)', KEEP
        )
    if any(isinstance(data.get(log), list) and len(data[log]) > MOST for log in ("log", "undone")):
        raise DocumentError(path, f"it has more than {MOST:,} events", KEEP)
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
        data = migrate(data)
        return Document.model_validate(data)
    except ValidationError as error:
        raise format_error(error, data, path) from error


def format_error(error: ValidationError, data: object, path: Path) -> DocumentError:
    """Return the error that lists what does not fit the file format, and where."""
    found = list(schema_errors(error, data))
    shown = "; ".join(_fault(item, path) for item in found[:SHOWN])
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return DocumentError(path, f"it does not fit the format: {shown}{more}", KEEP)


def parse_json(text: str, path: Path) -> Any:
    """Return the parsed JSON of a file. Raises DocumentError with the place of a mistake."""
    try:
        data = json.loads(
            text,
            object_pairs_hook=_once,
            parse_int=_whole,
            parse_float=_finite,
            parse_constant=_no_constant,
        )
    except json.JSONDecodeError as error:
        advice = _mend(path, f"Mend that place. {KEEP}")
        raise DocumentError(path, _json_problem(text, error), advice) from error
    except Unusable as error:
        reason, digits, key = error.args
        place = _twice(text, path, key) if key else _number_line(text, digits)
        raise DocumentError(path, f"it is not usable JSON: {place}{reason}", KEEP) from error
    except RecursionError as error:
        reason = "it is not usable JSON: it is nested too deeply"
        raise DocumentError(path, reason, KEEP) from error
    if _deeper(data, MAX_NESTING):
        raise DocumentError(path, "it is not usable JSON: it is nested too deeply", KEEP)
    return data


def _json_problem(text: str, error: json.JSONDecodeError) -> str:
    """Return what is wrong with invalid JSON, with line and column.

    The parser's own message names its grammar; somebody who edits a file by
    hand thinks of quotes, commas and brackets.
    """
    problem, rest = error.msg.removesuffix(" at"), text[error.pos :]
    place = f"line {error.lineno}, column {error.colno}"
    if problem == "Extra data":
        return f"something follows its end at {place}"
    if problem.startswith("Unterminated string"):  # a text ends with its line, but for the last
        return f"it breaks off in the text that begins at {place}"
    if line := merge_mark_line(text):
        return f"it is not JSON: line {line}: {MERGE_ADVICE}"
    if not rest.strip():
        return f"it breaks off at {place}"
    reason = JSON_PROBLEMS.get(problem) or _guess_problem(problem, text[: error.pos].rstrip(), rest)
    return f"it is not JSON: {place}: {reason}"


def merge_mark_line(text: str) -> int:
    """Return the line (from 1) of the first merge conflict mark; 0 if there is none."""
    mark = MERGE_MARK.search(text)
    return text.count("\n", 0, mark.start()) + 1 if mark is not None else 0


def _guess_problem(problem: str, before: str, rest: str) -> str:
    """Return what is wrong, judged by the character where the parser stopped."""
    if problem == "Invalid control character":
        if rest[0] in "\r\n":
            return "a text goes over the end of its line"
        return "a tab or another control character stands in a text"
    if rest[0] in "]}" and before.endswith(","):
        return TRAILING_COMMA
    if rest[0] in "/#":
        return "JSON has no comments"
    if rest.startswith(PYTHON_WORDS):
        return "true, false and null have small letters"
    if problem.startswith("Expecting property name"):
        return "a key in double quotes belongs here"
    return "something is missing here, or a text has no double quotes"


def _number_line(text: str, digits: str) -> str:
    """Return ``line N: `` for the place of a number in a text; empty if it is not found."""
    match = re.search(rf'(?<![\w.+"-]){re.escape(digits)}(?![\w.])', text)
    return f"line {text.count(chr(10), 0, match.start()) + 1}: " if match else ""


class Unusable(ValueError):
    """Valid JSON that charforge refuses: the reason, and the number or key."""

    def __init__(self, reason: str, digits: str = "", key: str = "") -> None:
        super().__init__(reason, digits, key)


def _twice(text: str, path: Path, key: str) -> str:
    """Return ``line N: `` for a repeated key; empty if the line is not found."""
    try:
        if len(text) <= LOCATED:
            yaml_source.parse(text, path, plain=True)
    except PackError as error:
        fault = error.problems[0]
        return f"line {fault.line}: " if repr(key) in fault.message else ""
    return ""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unusable(f"the key {twice!r} stands twice in one place", key=twice)
    return found


def _whole(text: str) -> int:
    digits = len(text.removeprefix("-"))
    if digits > LONGEST_NUMBER:
        raise Unusable(f"the number {text[:8]}… has {digits} digits", text)
    return int(text)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Unusable(f"{digits[:20]} is no number here", digits)
    return number


def _no_constant(name: str) -> Any:
    raise Unusable(f"{name} is no number here", name)


def _deeper(data: Any, levels: int) -> bool:
    """Whether data is nested in more than ``levels`` lists and maps."""
    if not isinstance(data, dict | list):
        return False
    parts = data.values() if isinstance(data, dict) else data
    return levels == 0 or any(_deeper(part, levels - 1) for part in parts)


def _fault(found: SchemaError, path: Path) -> str:
    """Return what does not fit the format, after its line and key."""
    small = path.stat().st_size <= LOCATED if path.is_file() else True
    place = yaml_source.locate(path, found.where) if small else (1, 1)
    line = f"line {place[0]}, " if place != (1, 1) else ""
    where = f"{_where(found.where)}: " if found.where else ""
    return f"{line}{where}{_message(found)}"


def _where(loc: tuple[int | str, ...]) -> str:
    parts = [f"entry {part + 1}" if isinstance(part, int) else part for part in loc]
    return " ".join(parts).replace("log entry", "event").replace("events entry", "event")


def _message(found: SchemaError) -> str:
    """Return what does not fit, with the nearest known key."""
    near = found.near
    if found.code == "extra_forbidden":
        near = nearest(str(found.where[-1]), KEYS)
    return found.message + (f"; did you mean {near}?" if near else "")


def _mend(path: Path, otherwise: str) -> str:
    """Return how to restore an earlier version of a file, or ``otherwise`` if there is none."""
    kept = backups.backups_of(path)
    return f"Bring it back: charforge restore {shlex.quote(str(path))}." if kept else otherwise


def _similar(path: Path) -> str:
    """Return a suggestion of the file in the folder with the most similar name."""
    try:
        beside = [entry for entry in path.parent.iterdir() if entry.suffix == path.suffix]
    except OSError:
        return ""
    near = nearest(path.stem, [entry.stem for entry in beside])
    return f"Did you mean {path.with_name(near + path.suffix)}?" if near else ""


def save(document: Document, path: Path, replace: bool = True) -> None:
    """Save a document; see ``save_bytes``.

    A lone surrogate, which an answer without effect can contain, stays a JSON
    escape.
    """
    text = to_text(document)
    if len(document.log) > MOST or len(text) > LONGEST:
        raise WriteError(path, "more has happened to it than a file can tell", "Undo something.")
    save_bytes(path, text.encode(errors="backslashreplace"), replace)


def save_changed(before: Document, after: Document, path: Path) -> None:
    """Replace a document on disk by its changed version.

    Raises WriteError if the file is no longer ``before``, so that changes by
    another program are not lost.
    """
    with locked(path):
        if load(path) != before:
            raise WriteError(path, "it was changed meanwhile", "Run the command again.")
        save(after, path)


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
        _keep(path)
        write(path, data)
        remove_stale(path)
        _keep(path)


def _keep(path: Path) -> None:
    found = backups.current_content(path)
    if found is not None:
        backups.keep_backup(path, *found)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock a character file; the same process may lock it again.

    The lock is a file in this user's state folder, and the system releases
    it when the process ends. Raises WriteError, naming the process that has
    it, after LOCK_WAIT seconds. If the state folder is not writable, a
    warning is logged and the file stays unlocked: ``save_changed`` still
    refuses a file that changed in between.
    """
    from filelock import FileLock, Timeout  # slow to import, and only needed to write

    folder = backups.folder_of(path)
    lock = FileLock(folder / LOCK, timeout=LOCK_WAIT, is_singleton=True)
    try:
        backups.make_private_folder(folder)
        lock.acquire()
    except Timeout as error:
        reason = f"{_lock_holder(folder)} is writing to it"
        raise WriteError(path, reason, "Nothing was changed; run the command again.") from error
    except OSError as error:
        backups.warn_no_backup(path, error)
        yield
        return
    try:
        # Not in the lock itself: on Windows no other process can read that.
        with suppress(OSError):
            (folder / HOLDER).write_text(str(os.getpid()), encoding="ascii")
        yield
    finally:
        lock.release()


def _lock_holder(folder: Path) -> str:
    """Return the process that has the lock, in words."""
    try:
        return f"another charforge (process {int((folder / HOLDER).read_text('ascii'))})"
    except (OSError, ValueError):
        return "another charforge"


# -------------------------------------------------------------- portraits


def portrait_name(data: bytes) -> str:
    """Return the file name of a portrait, made from the hash of its bytes.

    Raises ValueError for a picture that is not a JPEG, PNG or WebP.
    """
    suffix = next((end for end, start in PICTURE_STARTS.items() if start.match(data)), None)
    if suffix is None:
        raise ValueError("a portrait is a JPEG, a PNG or a WebP")
    return f"{_portrait_stem(data)}.{suffix}"


def _portrait_stem(data: bytes) -> str:
    return f"portrait-{hashlib.sha256(data).hexdigest()[:16]}"


def portrait_path(path: Path, document: Document) -> Path | None:
    """Return the path of the portrait of the character at ``path``, or None if it has none.

    The log holds only the file name; the portrait is in the character's folder.
    """
    name = logged_portrait(document.log)
    return path.with_name(name) if name else None


def read_portrait(path: Path, document: Document) -> bytes | None:
    """Return the portrait of the character at ``path``, or None if it has none.

    Raises DocumentError if the file is missing or its bytes do not have the
    hash in its name.
    """
    file = portrait_path(path, document)
    if file is None:
        return None
    if file.exists() and not file.is_file():
        raise DocumentError(file, "this is no ordinary file", PORTRAIT_ADVICE)
    data = read_bytes(file)
    if _portrait_stem(data) != file.stem:
        raise DocumentError(
            file, "this is not the picture that was set as portrait", PORTRAIT_ADVICE
        )
    return data


def portrait_is_intact(path: Path, document: Document) -> bool:
    """Whether the portrait that the log names can be read, or the log names none."""
    try:
        read_portrait(path, document)
    except DocumentError:
        return False
    return True


def attached_portrait(files: Mapping[str, bytes], document: Document) -> bytes | None:
    """Return the character's portrait among the files that a PDF carries, or None."""
    stem = Path(logged_portrait(document.log)).stem
    return next((data for data in files.values() if _portrait_stem(data) == stem), None)
