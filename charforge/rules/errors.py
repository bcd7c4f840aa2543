"""Sentences for the errors of pydantic and of the YAML reader, by their codes.

Both libraries write for programmers. The tables here say the same to the
author of a pack, or of a character file: what is expected, what is there
instead, what to do. Codes that hardly ever occur keep the library's words.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import Any, NamedTuple

from pydantic import ValidationError

from charforge.errors import nearest, shorten

KeyPath = tuple[str | int, ...]  # the keys and list numbers that lead to a part of a file

# ------------------------------------------------------------------ pydantic

EXPECTED = {  # error code: the type that is expected
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a map",
    "mapping_type": "a map",
    "model_type": "a map",
    "model_attributes_type": "a map",
    "none_required": "empty",
}
SENTENCES = {  # error code: the sentence, with figures from the error's context
    "missing": "this key is missing",
    "extra_forbidden": "unknown key",
    "invalid_key": "a key must be text; put it in quotes",
    "union_tag_not_found": "the key {discriminator}, which sets the kind, is missing",
    "greater_than_equal": "it must be at least {ge}",
    "less_than_equal": "it must be at most {le}",
    "int_parsing_size": "the number has too many digits",
    "too_short": "at least {min_length} are needed here, not {actual_length}",
    "too_long": "at most {max_length} are allowed here",
    "string_too_short": "it must have at least {min_length} characters",
    "string_too_long": "it can have at most {max_length} characters",
    "string_unicode": "it contains invalid characters",
}
ONE_OF = ("literal_error", "enum", "union_tag_invalid")  # codes of a word that is none of several
BOUNDS = ("greater_than_equal", "less_than_equal")
SMALL = "small letters, digits"
PATTERNS = {  # pattern of a model's field: the sentence, with an example
    r"^[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*$": (
        f"it must be an id of the form kind/name, in {SMALL} and hyphens, such as item/long-rope"
    ),
    r"^[a-z0-9]+([-_.][a-z0-9]+)*$": (
        f"it must be an id in {SMALL} and single hyphens, such as long-rope"
    ),
    r"^[a-z][a-z0-9_]*$": f"it must be an id in {SMALL} and _, such as max_load",
    r"^(\$|group:|[a-z][a-z0-9_]*_\$)?[a-z][a-z0-9_-]*$": (
        "it must be a value's id such as max_load, group:NAME, or $ and a choice's id"
    ),
    r"^[^\x00-\x08\x0b-\x1f\x7f]*$": "it contains control characters",
    r"^\$?[a-z][a-z0-9_]*$": "it must be a value's id such as max_load, or $ and an input's id",
    r"^\$[a-z][a-z0-9_]*$": "it must be $ and an input's id, such as $amount",
    r"^(\$[a-z][a-z0-9_]*|[a-z0-9-]+/[a-z0-9-]+)$": (
        "it must be an id of the form kind/name, or $ and an input's id"
    ),
    r"^#[0-9a-fA-F]{6}$": 'it must be a colour in quotes, such as "#b4281e"',
    r"^[^\x00-\x1f\x7f]*$": "it contains control characters or several lines",
    r"^[!-~]+$": "it must be an address without spaces, such as https://example.org/packs.zip",
    r"^[0-9a-f]{64}$": "it must be a SHA-256: 64 digits and letters from a to f",
    r"^(portrait-[0-9a-f]{16}\.(jpg|png|webp))?$": (
        "it must be the name of a portrait that charforge keeps: edit FILE --portrait PICTURE"
    ),
}
MAX_ERRORS = 200  # of one pack: nobody reads more, and each takes time
QUOTED = 40  # characters of a text that is short enough to be repeated in advice
TAG = "do"  # the key that selects one of several models for a map


class SchemaError(NamedTuple):
    """One error in data: where, pydantic's code, what is wrong, how to fix it.

    ``near`` is the nearest word that is allowed there, if one is similar.
    """

    where: KeyPath
    code: str
    message: str
    advice: str = ""
    near: str = ""

    @property
    def sentence(self) -> str:
        """Return the problem of a YAML file and how to fix it."""
        return f"{self.message}; {self.advice}" if self.advice else self.message


class _Located(NamedTuple):
    """An error of pydantic with its place in the data.

    ``in_union`` is true if it is about one of several models that are
    possible at that place.
    """

    where: KeyPath
    item: Mapping[str, Any]
    in_union: bool


def schema_errors(error: ValidationError, data: object) -> Iterator[SchemaError]:
    """Yield the errors of a validation, one or more for each place; ``data`` is the raw data."""
    items = (item for item in error.errors(include_url=False) if not _follows_from_parts(item))
    located = [_locate(item, data) for item in items]
    parents = {e.where[:length] for e in located for length in range(len(e.where))}
    by_place: dict[KeyPath, list[Any]] = {}
    for located_error in located:
        # Of several possible models the author meant the one whose errors are deepest.
        if not (located_error.in_union and located_error.where in parents):
            by_place.setdefault(located_error.where, []).append(located_error.item)
    for where, errors in by_place.items():
        yield from _errors_at(where, errors)


def _follows_from_parts(item: Any) -> bool:
    """Whether a list is called too short only because its items have errors themselves."""
    short = item["type"] == "too_short" and isinstance(item["input"], Sized)
    return short and len(item["input"]) >= item["ctx"]["min_length"]


def _locate(item: Any, data: Any) -> _Located:
    """Return an error with its place; pydantic's also names models and validators on the way."""
    where: list[str | int] = []
    tag_possible = True  # whether the next part may name the model of the map reached
    outside = False
    parts = item["loc"]
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if tag_possible and isinstance(data, dict) and data.get(TAG) == part:
            tag_possible = outside = False
        elif contains(data, part):
            data, tag_possible, outside = data[part], True, False
            where.append(part)
        elif last and item["type"] == "missing" and isinstance(data, dict):
            where.append(part)
        else:
            outside = True
    return _Located(tuple(where), item, outside and parts[-1] != "[key]")


def contains(data: Any, part: str | int) -> bool:
    """Whether data has a key, or a list an item of this number."""
    if isinstance(data, dict):
        return part in data
    return isinstance(data, list | tuple) and isinstance(part, int) and part < len(data)


def _errors_at(where: KeyPath, items: list[Any]) -> Iterator[SchemaError]:
    """Yield the errors at one place; where several types are possible, one error names all."""
    items = [item for item in items if item["type"] == "value_error"] or items
    types = [_expected(item) for item in items]
    if len(items) > 1 and all(types):
        value = items[0]["input"]
        message = f"it must be {' or '.join(dict.fromkeys(types))}{_instead(value)}"
        yield SchemaError(where, items[0]["type"], message, _advice(types[0], value))
        return
    errors: dict[str, SchemaError] = {}
    for item in items:
        error = _error(where, item)
        errors.setdefault(error.message, error)
    yield from errors.values()


def _expected(item: Any) -> str:
    """Return the type that an error misses; empty where it is about something else."""
    if item["type"] == "literal_error":
        return " or ".join(_allowed_words(item))
    return EXPECTED.get(item["type"], "")


def _error(where: KeyPath, item: Any) -> SchemaError:
    """Return one error of pydantic in our words."""
    code, value = item["type"], item["input"]
    subject = "the key" if item["loc"][-1:] == ("[key]",) else "it"
    if code in ONE_OF:
        is_tag = code == "union_tag_invalid"
        word = value.get(TAG) if is_tag and isinstance(value, Mapping) else value
        allowed = _allowed_words(item)
        if isinstance(word, str) and word:
            start = f"{shorten(word)} is not one of"
        else:
            start = f"{TAG if is_tag else subject} must be one of"
        near = nearest(word, allowed) if isinstance(word, str) else ""
        return SchemaError(where, code, f"{start} {', '.join(allowed)}", near=near)
    if code in EXPECTED:
        noun = EXPECTED[code]
        message = f"{subject} must be {noun}{_instead(value)}"
        return SchemaError(where, code, message, _advice(noun, value))
    message = sentence(code, item.get("ctx", {}), item.get("msg", ""))
    if code in BOUNDS:
        message += _instead(value)
    if subject != "it":
        message = message.replace("it", subject, 1)
    return SchemaError(where, code, message)


def wrong_type(code: str, value: object) -> str:
    """Return the sentence for a value that is not of the type of a code of pydantic."""
    noun = EXPECTED[code]
    error = SchemaError((), code, f"it must be {noun}{_instead(value)}", _advice(noun, value))
    return error.sentence


def sentence(code: str, context: Mapping[str, Any], message: str) -> str:
    """Return the sentence for a code of pydantic; its own ``message`` for a rare one."""
    if code == "value_error":
        return str(context["error"])
    if code == "string_pattern_mismatch":
        return PATTERNS.get(str(context["pattern"]), message)
    if code == "string_too_short" and context["min_length"] == 1:
        return "it must not be empty"
    if code in EXPECTED:
        return f"it must be {EXPECTED[code]}"
    return SENTENCES[code].format(**context) if code in SENTENCES else message


def _allowed_words(item: Any) -> list[str]:
    """Return the words that are allowed at a place, as pydantic lists them."""
    context = item.get("ctx", {})
    return re.findall(r"'([^']*)'", str(context.get("expected_tags", context.get("expected", ""))))


def _instead(value: object) -> str:
    """Return the end of a sentence that names the value found instead."""
    if value is None:
        return ", but it is empty"
    return f", not {_described(value)}"


def _described(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {shorten(value)}"
    if isinstance(value, str):
        return f"the text {shorten(value)}" if value else "empty text"
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return "a map" if isinstance(value, Mapping) else "a list"
    return "a date" if isinstance(value, datetime.date) else "this"


def _advice(noun: str, value: object) -> str:
    """Return how to turn a value into the expected type; empty if there is no simple way."""
    if noun == "a text" and isinstance(value, int | float | datetime.date):
        return "put it in quotes"
    if noun == "a list" and isinstance(value, str) and 0 < len(value) < QUOTED:
        return f"put it in brackets: [{value}]"
    if noun == "a list" and isinstance(value, dict):
        return "begin each item with a hyphen"
    return ""


# ------------------------------------------------------------------ YAML


class TextPlace(NamedTuple):
    """A place in a text: line and column from 1, and the character there."""

    line: int
    column: int
    character: str


TAB = "indented with a tab; use spaces"
COLON = "put text with a colon in quotes, and align the keys of a map"
QUOTE = "the quote that opens here is never closed"
# Reported where the wrong part begins, not where the reader stopped.
AT_START = {
    "found unexpected end of stream": QUOTE,
    "found unexpected document indicator": QUOTE,
    "did not find expected ',' or ']'": "the [ here is never closed, or a comma is missing",
    "did not find expected ',' or '}'": "the { here is never closed, or a comma is missing",
    "could not find expected ':'": (
        "a key needs a colon and a space on its own line; for long text use | or >-"
    ),
}
# Reported where the reader stopped.
# In brackets PyYAML's own loader takes any question mark for the start of a key.
QUESTION_MARK = "put text with a question mark in quotes inside brackets"
AT_END = {
    "expected ',' or '}', but got '?'": QUESTION_MARK,
    "expected ',' or ']', but got '?'": QUESTION_MARK,
    "mapping values are not allowed in this context": COLON,
    "mapping keys are not allowed in this context": COLON,
    "block sequence entries are not allowed in this context": (
        "a list cannot begin here: put its first hyphen on its own line"
    ),
    "did not find expected key": (
        "this is not indented like the keys above it, or a colon is missing"
    ),
    "did not find expected '-' indicator": (
        "this is indented like the list above it but has no hyphen"
    ),
    "did not find expected node content": (
        "something is missing here: perhaps a closing bracket, or text between two commas"
    ),
    "found unknown escape character": (
        "in double quotes write a backslash twice, or use single quotes"
    ),
    "found unexpected ':'": "a colon inside brackets needs a space after it, or quotes",
    "found undefined alias": "there is no anchor (&) for this * above it",
    "found unhashable key": "a key must be text",
    "but found another document": "a second document begins here; only one is allowed",
    "did not find expected alphabetic or numeric character": (
        "put text that begins with & or * in quotes"
    ),
    "did not find expected comment or line break": "nothing can follow | or > on the same line",
    "control characters are not allowed": "control characters are not allowed",
    "did not find expected <document start>": (
        "this does not continue the line above: check the indentation"
    ),
}
UNQUOTED = "found character that cannot start any token"
BAD_MERGE = ("expected a mapping", "expected a sequence")  # problems of the key <<


def yaml_error(problem: str, end: TextPlace, start: TextPlace | None) -> tuple[TextPlace, str]:
    """Return the place to report for a problem of the YAML reader, and its sentence.

    ``end`` is where the reader stopped, ``start`` where the part that it was
    reading begins.
    """
    if end.character == "\t":
        return end, TAB
    if problem in AT_START:
        return start or end, AT_START[problem]
    if problem == UNQUOTED:
        return end, f"put text that begins with {end.character} in quotes"
    if problem.startswith(BAD_MERGE):
        return end, "<< needs a map, or a list of maps"
    return end, AT_END.get(problem, f"this cannot be read as YAML: {problem}")
