"""Reading character files and their portraits, with errors that name the place of a mistake."""

from __future__ import annotations

import hashlib
import json
import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from charforge.character.files.document import (
    EVENT_LISTS,
    FILE_FORMAT,
    Document,
    PackChange,
    logged_portrait,
    migrate,
)
from charforge.character.files.events import EVENT_TYPES, MAX_COUNTED, Override, Pin
from charforge.errors import DocumentError, NotACharacter, PackError, nearest, os_reason, shorten
from charforge.language import N_, _, format_number
from charforge.limits import MAX_FILE_BYTES, MAX_NESTING
from charforge.paths import backup_folder
from charforge.rules import loading
from charforge.rules.errors import SchemaError, schema_errors

JOURNAL = ".charforge-change"  # in a folder: a change of several files that is being saved
MAX_DOCUMENT_LENGTH = 5_000_000  # of the text of a document
MAX_EVENTS = 20_000  # of a document
MAX_LOCATED = 500_000  # characters of a text in which the line of a repeated key is searched
MAX_KEYS = 2_000  # of one map of a document
MAX_DIGITS = 18  # of a number
MAX_SHOWN = 10  # mistakes of one file
MAKE_ADVICE = N_("To create the character: charforge new --answers FILE.")
ANSWERS_KEY = re.compile(r"^answers:", re.MULTILINE)
PDF_START, ZIP_START, BOM = b"%PDF", b"PK\x03\x04", b"\xef\xbb\xbf"
ADVICE_BY_START = {
    PDF_START: N_("To get a character out of its sheet: charforge import {path}"),
    ZIP_START: N_("To get a character out of a bundle: charforge import {path}"),
}
UNTOUCHED = N_("Nothing was changed.")
EMPTY_ADVICE = N_("Use a backup, or create the character again.")
CONFLICT_MARK = re.compile(r"^<{7} ", re.MULTILINE)
CONFLICT_ADVICE = N_("there are merge conflict marks here; keep one version and remove the marks")
PYTHON_WORDS = ("True", "False", "None")
TRAILING_COMMA = N_("remove the comma after the last entry")
BACKSLASH = N_("write a backslash in text twice")
JSON_PROBLEMS = {
    "Expecting ':' delimiter": N_("a colon is missing after a key"),
    "Expecting ',' delimiter": (
        N_("a comma is missing before this, or a quote inside text needs a backslash before it")
    ),
    "Illegal trailing comma before end of object": TRAILING_COMMA,
    "Illegal trailing comma before end of array": TRAILING_COMMA,
    "Invalid \\escape": BACKSLASH,
    "Invalid \\uXXXX escape": N_("\\u needs four digits"),
}
FILE_STARTS = {  # the first bytes of pictures, by ending
    "jpg": re.compile(rb"\xff\xd8\xff"),
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
PORTRAIT_ADVICE = N_("Put the original picture back, or choose one with --portrait.")
FILE_MODELS: tuple[type[BaseModel], ...] = (Document, Pin, Override, PackChange, *EVENT_TYPES)
KNOWN_KEYS = {name for model in FILE_MODELS for name in model.model_fields}


def is_picture(data: bytes) -> bool:
    """Return whether data begin like a JPEG, PNG or WebP picture."""
    return any(start.match(data) for start in FILE_STARTS.values())


def load(path: Path) -> Document:
    """Return the document in a character file.

    Raises DocumentError, with the line of the mistake where there is one, for
    a file that is missing, empty, binary, cut off, invalid, or written by a
    newer version.
    """
    return parse_bytes(read_bytes(path), path)


def parse_bytes(data: bytes, path: Path) -> Document:
    """Return the document in the bytes of a file; ``path`` is for errors only."""
    for start, advice in ADVICE_BY_START.items():
        if data.startswith(start):
            raise NotACharacter(path, _(advice).format(path=shlex.quote(str(path))))
    if path.suffix.lower() != ".json" and not data.removeprefix(BOM).lstrip().startswith(b"{"):
        _refuse_answers_file(data.decode(errors="replace"), path)
        raise NotACharacter(path)
    return parse_document(decode_text(data, path), path)


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Raises DocumentError, see ``read_bytes``."""
    return decode_text(read_bytes(path), path)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file. Raises DocumentError, also for one that is empty or too large."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)  # a device has no size to ask for first
    except FileNotFoundError as error:
        reason, advice = _("this file does not exist"), _similar_file(path)
        if not path.suffix:  # the start of a name, or a folder
            reason = _("there is no such folder, and no character whose name starts like this")
            advice = advice or _("To create a character here: charforge new")
        raise DocumentError(path, reason, _restore_advice(path, advice)) from error
    except IsADirectoryError as error:
        raise DocumentError(path, _("this is a folder, not a file")) from error
    except OSError as error:
        raise DocumentError(
            path, _("it cannot be read: {reason}").format(reason=os_reason(error))
        ) from error
    if len(data) > MAX_FILE_BYTES:
        raise DocumentError(
            path,
            _("it is too large (more than {max_file_bytes} MB)").format(
                max_file_bytes=MAX_FILE_BYTES // 1_000_000
            ),
            _(UNTOUCHED),
        )
    if not data.strip():
        raise DocumentError(path, _("the file is empty"), _restore_advice(path, _(EMPTY_ADVICE)))
    return data


def decode_text(data: bytes, path: Path) -> str:
    """Return the text of UTF-8 bytes; ``path`` is for errors only. Raises DocumentError."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        advice = _restore_advice(path, _("If it is one, save it with UTF-8 encoding."))
        line = data.count(b"\n", 0, error.start) + 1
        reason = _("this is not a text file (see line {line})").format(line=line)
        raise DocumentError(path, reason, advice) from error


def parse_document(text: str, path: Path) -> Document:
    """Return the document in a text; ``path`` is for errors only. Raises DocumentError."""
    refuse_long_file(text, path)
    _refuse_answers_file(text, path)
    data = parse_json(text, path)
    if not isinstance(data, dict) or "charforge" not in data:
        raise NotACharacter(path)
    refuse_many_events(data, EVENT_LISTS, path)
    version = data["charforge"]
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise DocumentError(path, _("this is not a character file (its format number is invalid)"))
    if version > FILE_FORMAT:
        raise DocumentError(
            path,
            _(
                "it was saved by a newer charforge (format {version}, yours reads up to {newest})"
            ).format(version=version, newest=FILE_FORMAT),
            _("Update charforge to open it."),
        )
    try:
        data = migrate(data)
        return Document.model_validate(data)
    except ValidationError as error:
        raise format_error(schema_errors(error, data), path) from error


def _refuse_answers_file(text: str, path: Path) -> None:
    if ANSWERS_KEY.search(text) and not text.lstrip().startswith("{"):
        raise DocumentError(
            path, _("this is an answers file, not a character file"), _(MAKE_ADVICE)
        )


def refuse_long_file(text: str, path: Path) -> None:
    """Raise DocumentError for a text that is too long for a character, before it is parsed."""
    if len(text) > MAX_DOCUMENT_LENGTH:
        raise DocumentError(
            path,
            _("it is too large for a character file (more than {max_characters} MB)").format(
                max_characters=MAX_DOCUMENT_LENGTH // 1_000_000
            ),
            _(UNTOUCHED),
        )


def refuse_many_events(data: dict[str, Any], keys: Iterable[str], path: Path) -> None:
    """Raise DocumentError if one of the lists under some keys has too many events."""
    if any(isinstance(data.get(key), list) and len(data[key]) > MAX_EVENTS for key in keys):
        raise DocumentError(
            path,
            _("it has more than {max_events} history entries").format(
                max_events=format_number(MAX_EVENTS, ",")
            ),
            _(UNTOUCHED),
        )


def format_error(errors: Iterable[SchemaError], path: Path) -> DocumentError:
    """Return the error that lists the mistakes against the format of a file, with their places."""
    found = list(islice(errors, MAX_COUNTED + 1))
    shown = "; ".join(_format_problem(one, path) for one in found[:MAX_SHOWN])
    count = "many" if len(found) > MAX_COUNTED else str(len(found) - MAX_SHOWN)
    more = _("; and {count} more").format(count=count) if len(found) > MAX_SHOWN else ""
    return DocumentError(
        path,
        _("this character file has errors: {shown}{more}").format(shown=shown, more=more),
        _(UNTOUCHED),
    )


def parse_json(text: str, path: Path) -> Any:
    """Return the parsed JSON of a file. Raises DocumentError with the place of a mistake."""
    refuse_long_file(text, path)
    try:
        data = json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_int=_whole_number,
            parse_float=_fraction,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        advice = _restore_advice(path, _("Fix that line and try again."))
        raise DocumentError(path, _json_problem(text, error), advice) from error
    except UnusableJson as error:
        place = _key_line(text, path, error.key) if error.key else _number_line(text, error.number)
        reason = _("this character file has an error: {place}{reason}").format(
            place=place, reason=error.reason
        )
        raise DocumentError(path, reason, _(UNTOUCHED)) from error
    except RecursionError as error:
        reason = _("this character file has an error: too many nested brackets")
        raise DocumentError(path, reason, _(UNTOUCHED)) from error
    if _is_deeper(data, MAX_NESTING):
        raise DocumentError(
            path, _("this character file has an error: too many nested brackets"), _(UNTOUCHED)
        )
    return data


def _json_problem(text: str, error: json.JSONDecodeError) -> str:
    """Return what is wrong with invalid JSON, with line and column.

    The parser's messages are about its grammar; people who edit a file by
    hand think of quotes, commas and brackets.
    """
    problem, rest = error.msg.removesuffix(" at"), text[error.pos :]
    place = _("line {line}, column {column}").format(line=error.lineno, column=error.colno)
    if problem == "Extra data":
        return _("there is extra text after the end of the data at {place}").format(place=place)
    if problem.startswith("Unterminated string"):  # only the last text can be without an end
        return _("the file ends too early, inside the text that begins at {place}").format(
            place=place
        )
    if line := conflict_mark_line(text):
        return _("line {line}: {conflict_advice}").format(
            line=line, conflict_advice=_(CONFLICT_ADVICE)
        )
    if not rest.strip():
        return _("the file ends too early, at {place}").format(place=place)
    reason = _(JSON_PROBLEMS.get(problem, "")) or _guess_problem(
        problem, text[: error.pos].rstrip(), rest
    )
    return _("this is not valid JSON: {place}: {reason}").format(place=place, reason=reason)


def conflict_mark_line(text: str) -> int:
    """Return the line (from 1) of the first mark of a merge conflict; 0 if there is none."""
    mark = CONFLICT_MARK.search(text)
    return text.count("\n", 0, mark.start()) + 1 if mark is not None else 0


def _guess_problem(problem: str, before: str, rest: str) -> str:
    """Return what is wrong, judging by the text ``before`` the parser stopped and the ``rest``."""
    if problem == "Invalid control character":
        if rest[0] in "\r\n":
            return _("text must end on the line it begins on")
        return _("text contains a tab or another control character")
    if rest[0] in "]}" and before.endswith(","):
        return _(TRAILING_COMMA)
    if rest[0] in "/#":
        return _("comments are not allowed")
    if rest.startswith(PYTHON_WORDS):
        return _("write true, false and null in lower case")
    if problem.startswith("Expecting property name"):
        return _("a key in double quotes is missing here")
    return _("something is missing here, or text is not in double quotes")


def _number_line(text: str, digits: str) -> str:
    """Return ``line N: `` for the place of a number in a text; empty if it is not found."""
    pattern = rf'(?<![\w.+"-]){re.escape(digits)}(?![\w.])'
    match = re.search(pattern, text) if digits else None
    return (
        _("line {count}: ").format(count=text.count(chr(10), 0, match.start()) + 1) if match else ""
    )


class UnusableJson(ValueError):
    """Valid JSON that charforge refuses: the reason, and the number or key."""

    def __init__(self, reason: str, number: str = "", key: str = "") -> None:
        super().__init__(reason, number, key)
        self.reason = reason
        self.number = number
        self.key = key


def _key_line(text: str, path: Path, key: str) -> str:
    """Return ``line N: `` for a repeated key; empty if the line is not found."""
    try:
        if len(text) <= MAX_LOCATED:
            loading.yaml_reader.parse(text, path, plain=True)
    except PackError as error:
        problem = error.problems[0]
        return (
            _("line {line}: ").format(line=problem.line) if shorten(key) in problem.message else ""
        )
    return ""


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a map of JSON. Raises UnusableJson for a repeated key, or too many."""
    if len(pairs) > MAX_KEYS:
        raise UnusableJson(
            _("it has an object with more than {max_keys} keys").format(
                max_keys=format_number(MAX_KEYS, ",")
            )
        )
    data = dict(pairs)
    if len(data) != len(pairs):
        keys = [key for key, _value in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise UnusableJson(
            _("the key {repeated} appears twice").format(repeated=shorten(repeated)), key=repeated
        )
    return data


def _whole_number(text: str) -> int:
    """Return a whole number of JSON. Raises UnusableJson for one that is too long."""
    digits = len(text.removeprefix("-"))
    if digits > MAX_DIGITS:
        raise UnusableJson(
            _("the number {text}… has {digits} digits").format(text=text[:8], digits=digits), text
        )
    return int(text)


def _fraction(text: str) -> float:
    """Return a decimal number of JSON. Raises UnusableJson for one that is too large."""
    number = float(text)
    if not math.isfinite(number):
        raise UnusableJson(_("{text} is not a valid number").format(text=text[:20]), text)
    return number


def _refuse_constant(name: str) -> Any:
    """Raise UnusableJson for NaN and Infinity, which are not JSON."""
    raise UnusableJson(_("{name} is not a valid number").format(name=name), name)


def _is_deeper(data: Any, levels: int) -> bool:
    """Return whether data is nested in more than ``levels`` lists and maps."""
    if not isinstance(data, dict | list):
        return False
    parts = data.values() if isinstance(data, dict) else data
    return levels == 0 or any(_is_deeper(part, levels - 1) for part in parts)


def _format_problem(error: SchemaError, path: Path) -> str:
    """Return the line and the key of a mistake in the format, and what it is."""
    number = line_of(path, error.key_path)
    line = _("line {number}, ").format(number=number) if number > 1 else ""
    key = f"{_key_path(error.key_path)}: " if error.key_path else ""
    near = (
        nearest(str(error.key_path[-1]), KNOWN_KEYS)
        if error.code == "extra_forbidden"
        else error.near
    )
    return f"{line}{key}{error.message}" + (
        _("; did you mean {near}?").format(near=near) if near else ""
    )


def _key_path(keys: tuple[int | str, ...]) -> str:
    """Return the keys that lead to a place in words: ``event 3 answer``."""
    parts = list[str]()
    for key in keys:
        if isinstance(key, str):
            parts.append(key)
        elif parts and parts[-1] in ("log", "events"):
            parts[-1] = _("event {n}").format(n=key + 1)
        else:
            parts.append(_("entry {key}").format(key=key + 1))
    return " ".join(parts)


def _restore_advice(path: Path, otherwise: str) -> str:
    """Return how to restore the backup of a file, or ``otherwise`` if there is none."""
    try:
        backed_up = any(entry.suffix == ".gz" for entry in backup_folder(path).iterdir())
    except OSError:
        backed_up = False
    return (
        _("To get it back: charforge restore {path}.").format(path=shlex.quote(str(path)))
        if backed_up
        else otherwise
    )


def _similar_file(path: Path) -> str:
    """Return a suggestion of the file in the folder with the most similar name."""
    try:
        files = [entry for entry in path.parent.iterdir() if entry.suffix == path.suffix]
    except OSError:
        return ""
    near = nearest(path.stem, [entry.stem for entry in files])
    return (
        _("Did you mean {names}?").format(names=path.with_name(near + path.suffix)) if near else ""
    )


# -------------------------------------------------------------- portraits


def portrait_name(data: bytes) -> str:
    """Return the file name of a portrait, made from the hash of its bytes.

    Raises ValueError for a picture that is not a JPEG, PNG or WebP.
    """
    suffix = next((end for end, start in FILE_STARTS.items() if start.match(data)), None)
    if suffix is None:
        raise ValueError(_("a portrait must be a JPEG, PNG or WebP picture"))
    return f"{_portrait_stem(data)}.{suffix}"


def _portrait_stem(data: bytes) -> str:
    """Return the name of a portrait without its ending."""
    return f"portrait-{hashlib.sha256(data).hexdigest()[:16]}"


def portrait_path(path: Path, document: Document) -> Path | None:
    """Return the path of the portrait of the character at ``path``, or None if it has none.

    The log holds only the file name; the portrait is in the character's folder.
    """
    name = logged_portrait(document.log)
    return path.with_name(name) if name else None


def read_portrait(path: Path, document: Document) -> bytes | None:
    """Return the bytes of the portrait of the character at ``path``, or None if it has none.

    Raises DocumentError if the file is missing or its bytes do not have the
    hash in its name.
    """
    file = portrait_path(path, document)
    if file is None:
        return None
    if file.exists() and not file.is_file():
        raise DocumentError(file, _("this is not a normal file"), _(PORTRAIT_ADVICE))
    data = read_bytes(file)
    if _portrait_stem(data) != file.stem:
        raise DocumentError(
            file, _("this is not the portrait that was set for the character"), _(PORTRAIT_ADVICE)
        )
    return data


def portrait_is_intact(path: Path, document: Document) -> bool:
    """Return whether the portrait that the log names can be read; true if it names none."""
    try:
        read_portrait(path, document)
    except DocumentError:
        return False
    return True


def attached_portrait(files: Mapping[str, bytes], document: Document) -> bytes | None:
    """Return the bytes of the character's portrait among the attachments of a PDF, or None."""
    stem = Path(logged_portrait(document.log)).stem
    return next((data for data in files.values() if _portrait_stem(data) == stem), None)


DECODER = json.JSONDecoder()
JSON_SPACE = re.compile(r"[ \t\r\n]*")
CLOSING = {"{": "}", "[": "]"}


def line_of(path: Path, key_path: Sequence[str | int]) -> int:
    """Return the line (from 1) of the part of a file at the end of a path of keys.

    If the path leads nowhere, its last part that exists counts. Returns 0
    if the file is not JSON.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        position = value = _skip_space(text, 0)
        for part in key_path:
            found = _find(text, value, part)
            if found is None:
                break
            position, value = found
    except (OSError, ValueError, RecursionError):
        return 0
    return text.count("\n", 0, position) + 1


def _find(text: str, start: int, part: str | int) -> tuple[int, int] | None:
    """Return where an entry of the map or list at ``start`` begins, and where its value does."""
    closing = CLOSING.get(text[start : start + 1])
    number, at = 0, _skip_space(text, start + 1)
    while closing is not None and text[at : at + 1] != closing:
        entry, key = at, number
        if closing == "}":
            key, at = DECODER.raw_decode(text, at)
            at = _skip_space(text, _skip_space(text, at) + 1)  # the colon
        if key == part:
            return entry, at
        _value, at = DECODER.raw_decode(text, at)
        at = _skip_space(text, at)
        if text[at : at + 1] != ",":
            return None
        number, at = number + 1, _skip_space(text, at + 1)
    return None


def _skip_space(text: str, at: int) -> int:
    found = JSON_SPACE.match(text, at)
    return at if found is None else found.end()
