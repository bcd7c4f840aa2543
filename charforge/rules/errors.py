"""What of a file does not fit its model, in words of our own.

pydantic names each sort of mistake by a code. For each that can occur a
line here says what is expected; what stands there instead is added. A code
without a line gets a sentence that is always true, so that the library's
own words, made for programmers, never come out.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import Any, NamedTuple

from pydantic import ValidationError

from charforge.errors import nearest, shorten as told

Way = tuple[str | int, ...]

# What may stand at a place: of several sorts that one may be, all are named.
EXPECTED = {
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "iterable_type": "a list",
    "dict_type": "a map",
    "mapping_type": "a map",
    "model_type": "a map",
    "model_attributes_type": "a map",
    "none_required": "empty",
}
SENTENCES = {
    "missing": "this key is missing",
    "extra_forbidden": "unknown key",
    "invalid_key": "a key must be a text; put it in quotes",
    "union_tag_not_found": "the key {discriminator} is missing, which says of what sort it is",
    "greater_than": "it must be more than {gt}",
    "greater_than_equal": "it must be at least {ge}",
    "less_than": "it must be less than {lt}",
    "less_than_equal": "it must be at most {le}",
    "multiple_of": "it must be a multiple of {multiple_of}",
    "finite_number": "it must be a number that has an end",
    "int_parsing_size": "the number has too many digits",
    "too_short": "at least {min_length} must stand here, not {actual_length}",
    "too_long": "at most {max_length} may stand here",
    "string_too_short": "it must have at least {min_length} characters",
    "string_too_long": "it may have at most {max_length} characters",
    "string_unicode": "it holds broken signs",
    "recursion_loop": "it stands inside of itself",
}
NAMES = ("literal_error", "enum", "union_tag_invalid")
COUNTED = ("greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of")
GENERIC = "what stands here does not fit"
SMALL = "small letters, digits"
# What each pattern of the models asks for, with an example.
PATTERNS = {
    r"^[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*$": (
        f"it must be an id of the form kind/name, in {SMALL} and hyphens, such as item/long-rope"
    ),
    r"^[a-z0-9]+([-_.][a-z0-9]+)*$": (
        f"it must be an id in {SMALL} and single hyphens between, such as long-rope"
    ),
    r"^[a-z][a-z0-9_]*$": f"it must be an id in {SMALL} and _, such as max_load",
    r"^(\$|group:)?[a-z][a-z0-9_-]*$": (
        "it must be a value's id such as max_load, group:NAME, or $ and a choice's id"
    ),
    r"^[^\x00-\x08\x0b-\x1f\x7f]*$": "it holds control characters",
    r"^\$?[a-z][a-z0-9_]*$": "it must be a value's id such as max_load, or $ and an input's id",
    r"^\$[a-z][a-z0-9_]*$": "it must be $ and an input's id, such as $amount",
    r"^(\$[a-z][a-z0-9_]*|[a-z0-9-]+/[a-z0-9-]+)$": (
        "it must be an id of the form kind/name, or $ and an input's id"
    ),
    r"^(portrait-[0-9a-f]{16}\.(jpg|png|webp))?$": (
        "it must be the name of a portrait that charforge keeps: edit FILE --portrait PICTURE"
    ),
}
SHORT = 40  # characters of a text that is said again
TAG = "do"  # the key that says of what sort a map is


class SchemaError(NamedTuple):
    """A mistake: where it is in the data, its code, what is wrong, how to mend it."""

    where: Way
    code: str
    message: str
    advice: str = ""
    near: str = ""

    @property
    def told(self) -> str:
        """What is wrong, and how to mend it in YAML."""
        return f"{self.message}; {self.advice}" if self.advice else self.message


class _LocatedError(NamedTuple):
    """An error of pydantic's: its way in the data; whether it is of one sort of several."""

    where: Way
    item: Mapping[str, Any]
    of_several: bool


def schema_errors(error: ValidationError, data: object) -> Iterator[SchemaError]:
    """Yield what does not fit, each place once; ``data`` is what was validated."""
    items = (item for item in error.errors(include_url=False) if not _miscounted(item))
    found = [_found(item, data) for item in items]
    deeper = {one.where[:length] for one in found for length in range(len(one.where))}
    places: dict[Way, list[_LocatedError]] = {}
    for one in found:
        if not (one.of_several and one.where in deeper):  # another sort is meant: it went further
            places.setdefault(one.where, []).append(one)
    for where, several in places.items():
        yield from _told(where, [one.item for one in several])


def _miscounted(item: Any) -> bool:
    """Whether a list is called too short for parts that do not fit: each of them is told."""
    short = item["type"] == "too_short" and isinstance(item["input"], Sized)
    return short and len(item["input"]) >= item["ctx"]["min_length"]


def _found(item: Any, data: Any) -> _LocatedError:
    """Return an error with its way: pydantic's holds names of sorts and of checks as well."""
    where: list[str | int] = []
    fresh = True  # whether the part that is reached has not been looked into yet
    beyond = False
    parts = item["loc"]
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if fresh and isinstance(data, dict) and data.get(TAG) == part:
            fresh = beyond = False
        elif _holds(data, part):
            data, fresh, beyond = data[part], True, False
            where.append(part)
        elif last and item["type"] == "missing" and isinstance(data, dict):
            where.append(part)
        else:
            beyond = True
    return _LocatedError(tuple(where), item, beyond and parts[-1] != "[key]")


def _holds(data: Any, part: str | int) -> bool:
    """Whether a part is one of the data's own."""
    if isinstance(data, dict):
        return part in data
    return isinstance(data, list | tuple) and isinstance(part, int) and part < len(data)


def _told(where: Way, items: list[Any]) -> Iterator[SchemaError]:
    """Yield what is wrong at one place; of what may be of several sorts, all are named."""
    own = [item for item in items if item["type"] == "value_error"]
    if own:
        items = own
    nouns = list(dict.fromkeys(filter(None, map(_expected, items))))
    if len(items) > 1 and len(nouns) and all(map(_expected, items)):
        given = items[0]["input"]
        message = f"it must be {' or '.join(nouns)}{_instead(given)}"
        yield SchemaError(where, items[0]["type"], message, _advice(nouns[0], given))
        return
    said: dict[str, SchemaError] = {}
    for item in items:
        one = _misfit(where, item)
        said.setdefault(one.message, one)
    yield from said.values()


def _expected(item: Any) -> str:
    """Return the sort that an error misses; empty where it is about something else."""
    if item["type"] == "literal_error":
        return " or ".join(_names(item))
    return EXPECTED.get(item["type"], "")


def _misfit(where: Way, item: Any) -> SchemaError:
    """Return what one error says."""
    code, given = item["type"], item["input"]
    whose = "the key" if item["loc"][-1:] == ("[key]",) else "it"
    if code in NAMES:
        sort = code == "union_tag_invalid"
        word = given.get(TAG) if sort and isinstance(given, Mapping) else given
        names = _names(item)
        instead = f"{TAG if sort else whose} must be one of"
        instead = f"{told(word)} is none of" if isinstance(word, str) and word else instead
        near = nearest(word, names) if isinstance(word, str) else ""
        return SchemaError(where, code, f"{instead} {', '.join(names)}", near=near)
    if code in EXPECTED:
        noun = EXPECTED[code]
        return SchemaError(
            where, code, f"{whose} must be {noun}{_instead(given)}", _advice(noun, given)
        )
    message = sentence(code, item.get("ctx", {}))
    if code in COUNTED:
        message += _instead(given)
    return SchemaError(where, code, message.replace("it", whose, 1) if whose != "it" else message)


def wrong_type(code: str, given: object) -> str:
    """Say that something is not of the sort that a code of pydantic's asks for."""
    noun = EXPECTED[code]
    return SchemaError((), code, f"it must be {noun}{_instead(given)}", _advice(noun, given)).told


def sentence(code: str, context: Mapping[str, Any]) -> str:
    """Return what is told for a code of pydantic's, with what the error says of itself."""
    if code == "value_error":
        return str(context.get("error", GENERIC))
    if code == "string_pattern_mismatch":
        return PATTERNS.get(str(context.get("pattern")), GENERIC)
    if code == "string_too_short" and context.get("min_length") == 1:
        return "it must not be empty"
    if code in EXPECTED:
        return f"it must be {EXPECTED[code]}"
    try:
        return SENTENCES.get(code, GENERIC).format(**context)
    except KeyError:
        return GENERIC


def _names(item: Any) -> list[str]:
    """Return the words that may stand at a place, as pydantic lists them."""
    context = item.get("ctx", {})
    return re.findall(r"'([^']*)'", str(context.get("expected_tags", context.get("expected", ""))))


def _instead(given: object) -> str:
    """Say what stands there instead."""
    if given is None:
        return ", and nothing stands here"
    return f", not {_sort(given)}"


def _sort(given: object) -> str:
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, int | float):
        return f"the number {told(given)}"
    if isinstance(given, str):
        return f"the text {told(given)}" if given else "an empty text"
    if isinstance(given, Iterable) and not isinstance(given, bytes):
        return "a map" if isinstance(given, Mapping) else "a list"
    return "a date" if isinstance(given, datetime.date) else "this"


def _advice(noun: str, given: object) -> str:
    """Say how what stands there becomes what is expected, where that is plain."""
    if noun == "a text" and isinstance(given, int | float | datetime.date):
        return "put it in quotes"
    if noun == "a list" and isinstance(given, str) and 0 < len(given) < SHORT:
        return f"put it in brackets: [{given}]"
    if noun == "a list" and isinstance(given, dict):
        return "begin each part with a hyphen"
    return ""


class TextPlace(NamedTuple):
    """A place in a text: line and column from 1, and the sign that stands there."""

    line: int
    column: int
    sign: str


TAB = "indented with a tab; use spaces"
UNREADABLE = "this cannot be read as YAML; look for a quote, bracket, colon or indent gone wrong"
COLON = "a text with a colon needs quotes, and the keys of one map stand under each other"
QUOTE = "the quote that opens here is not closed"
# Told at the place where what is wrong began, not where the reader gave up.
AT_START = {
    "found unexpected end of stream": QUOTE,
    "found unexpected document indicator": QUOTE,
    "did not find expected ',' or ']'": "the [ that opens here has no ], or a comma is missing",
    "did not find expected ',' or '}'": "the { that opens here has no }, or a comma is missing",
    "could not find expected ':'": (
        "a key has its colon on its own line, with a space after it; a long text needs | or >-"
    ),
}
# Told at the place where the reader gave up.
AT_END = {
    "mapping values are not allowed in this context": COLON,
    "mapping keys are not allowed in this context": COLON,
    "block sequence entries are not allowed in this context": (
        "a list does not begin here: put its first hyphen on a line of its own"
    ),
    "did not find expected key": (
        "this is indented unlike the keys above it, or it is no key with a colon"
    ),
    "did not find expected '-' indicator": (
        "this is indented like the list above it but begins with no hyphen"
    ),
    "did not find expected node content": (
        "something is missing here: is a bracket not closed, or nothing between two commas?"
    ),
    "found unknown escape character": (
        "in double quotes a backslash begins an escape; write it twice, or use single quotes"
    ),
    "found invalid Unicode character escape code": "this escape stands for no sign",
    "did not find expected hexdecimal number": "this escape lacks digits",
    "found unexpected ':'": "a colon inside of brackets needs a space after it, or quotes",
    "found undefined alias": "this * means an anchor (&) that stands nowhere before it",
    "found duplicate anchor": "an anchor (&) of this name exists already",
    "found unhashable key": "a key must be a text",
    "but found another document": "a second document begins here; one is read",
    "found undefined tag handle": "a text that begins with ! needs quotes",
    "did not find expected alphabetic or numeric character": (
        "a text that begins with & or * needs quotes"
    ),
    "did not find expected comment or line break": "nothing may follow | or > on its line",
    "found a tab character that violates indentation": TAB,
    "found a tab character where an indentation space is expected": TAB,
    "control characters are not allowed": "a control character: texts are printed as they are",
    "did not find expected <document start>": (
        "this does not continue what stands above it: is it indented as that is?"
    ),
}
UNQUOTED = "found character that cannot start any token"
STANDARD = "tag:yaml.org,2002:"
LOST = ("expected a mapping", "expected a sequence")  # what is said of <<


def yaml_error(problem: str, here: TextPlace, began: TextPlace | None) -> tuple[TextPlace, str]:
    """Return the place to look at, and what is wrong there, for a problem of the reader's."""
    if here.sign == "\t":
        return here, TAB
    if problem in AT_START:
        return began or here, AT_START[problem]
    if problem == UNQUOTED:
        return here, f"a text that begins with {here.sign} needs quotes"
    if problem.startswith(LOST):
        return here, "<< takes a map, or a list of maps"
    return here, AT_END.get(problem, UNREADABLE)
