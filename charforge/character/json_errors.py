"""What JSON cannot be read, in words of our own: what is wrong, and where to look.

The reader's own words name its grammar; whoever mends a file by hand
thinks of quotes, commas and brackets.
"""

from __future__ import annotations

import re
from json import JSONDecodeError

MERGED = re.compile(r"^<{7} ", re.MULTILINE)
MARKS = "a merge of two versions left its marks here; keep one side of it, and no marks"
WORDS = ("True", "False", "None")
LAST = "no comma stands after the last one"
BACKSLASH = "a backslash inside of a text is written twice"
SAID = {
    "Expecting ':' delimiter": "a colon is missing between a key and what it is",
    "Expecting ',' delimiter": (
        "a comma is missing before this, or a quote inside of a text has no backslash before it"
    ),
    "Illegal trailing comma before end of object": LAST,
    "Illegal trailing comma before end of array": LAST,
    "Invalid \\escape": BACKSLASH,
    "Invalid \\uXXXX escape": "four digits follow \\u",
}


def plainly(text: str, error: JSONDecodeError) -> str:
    """Return what is wrong with a text that is no JSON, with line and column."""
    problem, rest = error.msg.removesuffix(" at"), text[error.pos :]
    place = f"line {error.lineno}, column {error.colno}"
    if problem == "Extra data":
        return f"something follows its end at {place}"
    if problem.startswith("Unterminated string"):  # a text ends with its line, but for the last
        return f"it breaks off in the text that begins at {place}"
    if line := merged(text):
        return f"it is not JSON: line {line}: {MARKS}"
    if not rest.strip():
        return f"it breaks off at {place}"
    told = SAID.get(problem) or _otherwise(problem, text[: error.pos].rstrip(), rest)
    return f"it is not JSON: {place}: {told}"


def merged(text: str) -> int:
    """Return the line (from 1) where the marks of a merge begin; 0 where there are none."""
    found = MERGED.search(text)
    return text.count("\n", 0, found.start()) + 1 if found is not None else 0


def _otherwise(problem: str, before: str, rest: str) -> str:
    """Say what is wrong by the sign that stands where it was met."""
    if problem == "Invalid control character":
        if rest[0] in "\r\n":
            return "a text goes over the end of its line"
        return "a tab or another control character stands in a text"
    if rest[0] in "]}" and before.endswith(","):
        return LAST
    if rest[0] in "/#":
        return "JSON has no comments"
    if rest.startswith(WORDS):
        return "true, false and null have small letters"
    if problem.startswith("Expecting property name"):
        return "a key in double quotes belongs here"
    return "something is missing here, or a text has no double quotes"


def number(text: str, digits: str) -> str:
    """Say before what is wrong with it where a number stands."""
    found = re.search(rf'(?<![\w.+"-]){re.escape(digits)}(?![\w.])', text)
    return f"line {text.count(chr(10), 0, found.start()) + 1}: " if found else ""


def encoding(data: bytes, error: UnicodeDecodeError) -> str:
    """Say of bytes that are no text from which line on."""
    line = data.count(b"\n", 0, error.start) + 1
    return f"this is no text (in UTF-8) from line {line} on"
