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
from charforge.language import N_, _

KeyPath = tuple[str | int, ...]  # the keys and list numbers that lead to a part of a file

# ------------------------------------------------------------------ pydantic

EXPECTED = {  # error code: the type that is expected
    "string_type": N_("a text"),
    "int_type": N_("a whole number"),
    "int_parsing": N_("a whole number"),
    "int_from_float": N_("a whole number"),
    "float_type": N_("a number"),
    "bool_type": N_("true or false"),
    "bool_parsing": N_("true or false"),
    "tuple_type": N_("a list"),
    "list_type": N_("a list"),
    "dict_type": N_("a map"),
    "mapping_type": N_("a map"),
    "model_type": N_("a map"),
    "model_attributes_type": N_("a map"),
    "none_required": N_("empty"),
}
SENTENCES = {  # error code: the sentence, with figures from the error's context
    "missing": N_("this key is missing"),
    "extra_forbidden": N_("unknown key"),
    "invalid_key": N_("a key must be text; put it in quotes"),
    "union_tag_not_found": N_("the key {discriminator}, which sets the kind, is missing"),
    "greater_than_equal": N_("it must be at least {ge}"),
    "less_than_equal": N_("it must be at most {le}"),
    "int_parsing_size": N_("the number has too many digits"),
    "too_short": N_("at least {min_length} are needed here, not {actual_length}"),
    "too_long": N_("at most {max_length} are allowed here"),
    "string_too_short": N_("it must have at least {min_length} characters"),
    "string_too_long": N_("it can have at most {max_length} characters"),
    "string_unicode": N_("it contains invalid characters"),
}
ONE_OF = ("literal_error", "enum", "union_tag_invalid")  # codes of a word that is none of several
NUMBER_BOUNDS = {  # code of a number out of bounds: what is expected, beside other types
    "greater_than_equal": N_("a number of at least {ge}"),
    "less_than_equal": N_("a number of at most {le}"),
}
PATTERNS = {  # pattern of a model's field: the sentence, with an example
    r"^[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*$": (
        N_(
            "it must be an id of the form kind/name, in small letters, digits and hyphens, "
            "such as item/long-rope"
        )
    ),
    r"^[a-z]{2,3}$": N_("it must be the code of a language, such as de"),
    r"^[a-z0-9]+([-_.][a-z0-9]+)*$": (
        N_("it must be an id in small letters, digits and single hyphens, such as long-rope")
    ),
    r"^[a-z][a-z0-9_]*$": N_("it must be an id in small letters, digits and _, such as max_load"),
    r"^(\$|group:|[a-z][a-z0-9_]*_\$)?[a-z][a-z0-9_-]*$": (
        N_("it must be a value's id such as max_load, group:NAME, or $ and a choice's id")
    ),
    r"^[^\x00-\x08\x0b-\x1f\x7f]*$": N_("it contains control characters"),
    r"^\$?[a-z][a-z0-9_]*$": N_("it must be a value's id such as max_load, or $ and an input's id"),
    r"^(\$|shared\.)?[a-z][a-z0-9_]*$": (
        N_("it must be a value's id such as max_load or shared.heat, or $ and an input's id")
    ),
    r"^(shared\.)?[a-z][a-z0-9_]*$": N_("it must be a value's id, such as max_load or shared.rank"),
    r"^\$?[a-z0-9]+([-_.][a-z0-9]+)*$": (
        N_("it must be a timing's id such as free-action, or $ and a choice's id")
    ),
    r"^\$[a-z][a-z0-9_]*$": N_("it must be $ and an input's id, such as $amount"),
    r"^(\$[a-z][a-z0-9_]*|[a-z0-9-]+/[a-z0-9-]+)$": (
        N_("it must be an id of the form kind/name, or $ and an input's id")
    ),
    r"^#[0-9a-fA-F]{6}$": N_('it must be a colour in quotes, such as "#b4281e"'),
    r"^[^\x00-\x1f\x7f]*$": N_("it contains control characters or several lines"),
    r"^[!-~]+$": N_("it must be an address without spaces, such as https://example.org/packs.zip"),
    r"^[0-9a-f]{64}$": N_("it must be a SHA-256: 64 digits and letters from a to f"),
    r"^(portrait-[0-9a-f]{16}\.(jpg|png|webp))?$": (
        N_("it must be the name of a portrait that charforge keeps: edit FILE --portrait PICTURE")
    ),
}
QUOTED = 40  # characters of a text that is short enough to be repeated in advice
TAG_KEY = "do"  # the key that selects one of several models for a map


class SchemaError(NamedTuple):
    """One error in data: where, pydantic's code, what is wrong, how to fix it.

    ``near`` is the nearest word that is allowed there, if one is similar.
    """

    key_path: KeyPath
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

    key_path: KeyPath
    item: Mapping[str, Any]
    in_union: bool


def schema_errors(
    error: ValidationError, data: object, keys: Iterable[str] = ()
) -> Iterator[SchemaError]:
    """Yield the errors of a validation, one or more for each place; ``data`` is the raw data.

    An unknown key is compared with the ``keys`` that there are.
    """
    items = (item for item in error.errors(include_url=False) if not _follows_from_parts(item))
    located = [_locate(item, data) for item in items]
    parents = {e.key_path[:length] for e in located for length in range(len(e.key_path))}
    by_place: dict[KeyPath, list[Any]] = {}
    for located_error in located:
        # Of several possible models the author meant the one whose errors are deepest.
        if not (located_error.in_union and located_error.key_path in parents):
            by_place.setdefault(located_error.key_path, []).append(located_error.item)
    for key_path, errors in by_place.items():
        for found in _errors_at(key_path, errors):
            if found.code == "extra_forbidden" and not found.near:
                found = found._replace(near=nearest(str(key_path[-1]), keys))
            if found.code != "missing" or not _misspelt(key_path, by_place):
                yield found


def _misspelt(missing: KeyPath, by_place: Mapping[KeyPath, list[Any]]) -> bool:
    """Return whether a key is missing because it is misspelt: a similar one is unknown."""
    return any(
        place[:-1] == missing[:-1] and nearest(str(place[-1]), [str(missing[-1])])
        for place, errors in by_place.items()
        if place and any(item["type"] == "extra_forbidden" for item in errors)
    )


def _follows_from_parts(item: Any) -> bool:
    """Return whether a list is called too short only because its items have errors themselves."""
    short = item["type"] == "too_short" and isinstance(item["input"], Sized)
    return short and len(item["input"]) >= item["ctx"]["min_length"]


def _locate(item: Any, data: Any) -> _Located:
    """Return an error with its place; pydantic's also names models and validators on the way."""
    key_path: list[str | int] = []
    tag_possible = True  # whether the next part may name the model of the map reached
    outside = False
    parts = item["loc"]
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if tag_possible and isinstance(data, dict) and data.get(TAG_KEY) == part:
            tag_possible = outside = False
        elif contains(data, part):
            data, tag_possible, outside = data[part], True, False
            key_path.append(part)
        elif last and item["type"] == "missing" and isinstance(data, dict):
            key_path.append(part)
        else:
            outside = True
    return _Located(tuple(key_path), item, outside and parts[-1] != "[key]")


def contains(data: Any, part: str | int) -> bool:
    """Return whether data has a key, or a list an item of this number."""
    if isinstance(data, dict):
        return part in data
    return isinstance(data, list | tuple) and isinstance(part, int) and part < len(data)


def _errors_at(key_path: KeyPath, items: list[Any]) -> Iterator[SchemaError]:
    """Yield the errors at one place; where several types are possible, one error names all.

    A value of one of these types is judged as that type alone: a text that is
    no id misses the form of an id, and nobody need read that it is no map.
    """
    items = [item for item in items if item["type"] == "value_error"] or items
    types = [_expected(item) for item in items]
    if not all(types):
        items = [item for item in items if item["type"] not in EXPECTED] or items
    if len(items) > 1 and all(types):
        value = items[0]["input"]
        message = _("it must be {noun}{instead}").format(
            noun=_(" or ").join(map(_, dict.fromkeys(types))), instead=_instead(value)
        )
        yield SchemaError(key_path, items[0]["type"], message, _advice(types[0], value))
        return
    errors: dict[str, SchemaError] = {}
    for item in items:
        error = _error(key_path, item)
        errors.setdefault(error.message, error)
    yield from errors.values()


def _expected(item: Any) -> str:
    """Return the type that an error misses; empty where it is about something else."""
    if item["type"] == "literal_error":
        return _(" or ").join(_allowed_words(item))
    if item["type"] in NUMBER_BOUNDS:
        return _(NUMBER_BOUNDS[item["type"]]).format(**item["ctx"])
    return EXPECTED.get(item["type"], "")


def _error(key_path: KeyPath, item: Any) -> SchemaError:
    """Return one error of pydantic in our words."""
    code, value = item["type"], item["input"]
    is_key = item["loc"][-1:] == ("[key]",)
    subject = _("the key") if is_key else _("it")
    if code in ONE_OF:
        is_tag = code == "union_tag_invalid"
        word = value.get(TAG_KEY) if is_tag and isinstance(value, Mapping) else value
        allowed = _allowed_words(item)
        words = ", ".join(allowed)
        if isinstance(word, str) and word:
            message = _("{word} is not one of {words}").format(word=shorten(word), words=words)
        else:
            message = _("{subject} must be one of {words}").format(
                subject=TAG_KEY if is_tag else subject, words=words
            )
        near = nearest(word, allowed) if isinstance(word, str) else ""
        return SchemaError(key_path, code, message, near=near)
    if code in EXPECTED:
        noun = EXPECTED[code]
        message = _("{subject} must be {noun}{instead}").format(
            subject=subject, noun=_(noun), instead=_instead(value)
        )
        return SchemaError(key_path, code, message, _advice(noun, value))
    message = pydantic_sentence(code, item.get("ctx", {}), item.get("msg", ""))
    if code == "string_pattern_mismatch":
        return SchemaError(key_path, code, message, near=_as_id(value, item["ctx"]["pattern"]))
    if code in NUMBER_BOUNDS:
        message += _instead(value)
    if is_key and message.startswith(it := _("it ")):
        message = f"{subject} {message.removeprefix(it)}"
    return SchemaError(key_path, code, message)


def _as_id(text: str, pattern: str) -> str:
    """Return a text in the form of an id; empty if that is not enough for the pattern."""
    small = text.strip().lower()
    forms = (re.sub(r"[\s_]+", "-", small), re.sub(r"[\s-]+", "_", small))
    return next((form for form in forms if re.fullmatch(pattern, form)), "")


def wrong_type(code: str, value: object) -> str:
    """Return the sentence for a value that is not of the type of a code of pydantic."""
    noun = EXPECTED[code]
    error = SchemaError(
        (),
        code,
        _("it must be {noun}{instead}").format(noun=_(noun), instead=_instead(value)),
        _advice(noun, value),
    )
    return error.sentence


def pydantic_sentence(code: str, context: Mapping[str, Any], message: str) -> str:
    """Return the sentence for a code of pydantic; its own ``message`` for a rare one."""
    if code == "value_error":
        return str(context["error"])
    if code == "string_pattern_mismatch":
        return _(PATTERNS.get(str(context["pattern"]), message))
    if code == "string_too_short" and context["min_length"] == 1:
        return _("it must not be empty")
    if code in EXPECTED:
        return _("it must be {expected}").format(expected=_(EXPECTED[code]))
    return _(SENTENCES[code]).format(**context) if code in SENTENCES else message


def _allowed_words(item: Any) -> list[str]:
    """Return the words that are allowed at a place, as pydantic lists them."""
    context = item.get("ctx", {})
    return re.findall(r"'([^']*)'", str(context.get("expected_tags", context.get("expected", ""))))


def _instead(value: object) -> str:
    """Return the end of a sentence that names the value found instead."""
    if value is None:
        return _(", but it is empty")
    return _(", not {described}").format(described=_described(value))


def _described(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _("the number {value}").format(value=shorten(value))
    if isinstance(value, str):
        return _("the text {value}").format(value=shorten(value)) if value else _("empty text")
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return _("a map") if isinstance(value, Mapping) else _("a list")
    return _("a date") if isinstance(value, datetime.date) else _("this")


def _advice(noun: str, value: object) -> str:
    """Return how to turn a value into the expected type; empty if there is no simple way."""
    if noun == "a text" and isinstance(value, int | float | datetime.date):
        return _("put it in quotes")
    if noun == "a list" and isinstance(value, str) and 0 < len(value) < QUOTED:
        return _("put it in brackets: [{value}]").format(value=value)
    if noun == "a list" and isinstance(value, dict):
        return _("begin each item with a hyphen")
    if noun == "a map" and isinstance(value, str | list):
        return _("write keys with values: {key: value}")
    return ""


# ------------------------------------------------------------------ YAML


class TextPlace(NamedTuple):
    """A place in a text: line and column from 1, and the character there."""

    line: int
    column: int
    character: str


TAB = N_("indented with a tab; use spaces")
COLON = N_("put text with a colon in quotes, and align the keys of a map")
QUOTE = N_("the quote that opens here is never closed")
# Reported where the wrong part begins, not where the reader stopped.
AT_START = {
    "found unexpected end of stream": QUOTE,
    "found unexpected document indicator": QUOTE,
    "did not find expected ',' or ']'": N_(
        "the [ here is never closed, or a comma is missing; a question mark needs quotes"
    ),
    "did not find expected ',' or '}'": N_(
        "the { here is never closed, a comma is missing, or a text needs quotes: "
        "it has a colon, a comma, # or a quotation mark"
    ),
    "could not find expected ':'": (
        N_("a key needs a colon and a space on its own line; for long text use | or >-")
    ),
}
# Reported where the reader stopped.
# In brackets PyYAML's own loader takes any question mark for the start of a key.
QUESTION_MARK = N_("put text with a question mark in quotes inside brackets")
AT_END = {
    "expected ',' or '}', but got '?'": QUESTION_MARK,
    "expected ',' or ']', but got '?'": QUESTION_MARK,
    "mapping values are not allowed in this context": COLON,
    "mapping keys are not allowed in this context": COLON,
    "block sequence entries are not allowed in this context": (
        N_("a list cannot begin here: put its first hyphen on its own line")
    ),
    "did not find expected key": (
        N_("this is not indented like the keys above it, or a colon is missing")
    ),
    "did not find expected '-' indicator": (
        N_(
            "this needs more spaces before it to belong to the entry above, or a hyphen with a "
            "space to begin a new one"
        )
    ),
    "did not find expected node content": (
        N_("something is missing here: perhaps a closing bracket, or text between two commas")
    ),
    "found unknown escape character": (
        N_("in double quotes write a backslash twice, or use single quotes")
    ),
    "found unexpected ':'": N_("a colon inside brackets needs a space after it, or quotes"),
    "found undefined alias": N_("there is no anchor (&) for this * above it"),
    "found unhashable key": N_("a key must be text"),
    "but found another document": N_("a second document begins here; only one is allowed"),
    "did not find expected alphabetic or numeric character": (
        N_("put text that begins with & or * in quotes")
    ),
    "did not find expected comment or line break": N_("nothing can follow | or > on the same line"),
    "control characters are not allowed": N_("control characters are not allowed"),
    # libyaml from 0.2.6 stops at 1000 levels, before a reader with a lower limit sees the first.
    "exceeded maximum nesting depth": N_("it has too many levels of brackets or indentation"),
    "did not find expected <document start>": (
        N_("this does not continue the line above: check the indentation")
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
        return end, _(TAB)
    if problem in AT_START:
        return start or end, _(AT_START[problem])
    if problem == UNQUOTED:
        return end, _("put text that begins with {character} in quotes").format(
            character=end.character
        )
    if problem.startswith(BAD_MERGE):
        return end, _("<< needs a map, or a list of maps")
    if problem in AT_END:
        return end, _(AT_END[problem])
    return end, _("this cannot be read as YAML: {problem}").format(problem=problem)
