"""What YAML cannot be read, in words of our own: what is wrong, and what to do there.

The reader's own words name its grammar, which nobody who writes a pack
need know; each that it has is told here in terms of quotes, colons,
brackets and indentation.
"""

from __future__ import annotations

from typing import NamedTuple


class Mark(NamedTuple):
    """A place in a text: line and column from 1, and the sign that stands there."""

    line: int
    column: int
    sign: str


TAB = "indented with a tab; use spaces"
GENERIC = "this cannot be read as YAML; look for a quote, bracket, colon or indent gone wrong"
COLON = "a text with a colon needs quotes, and the keys of one map stand under each other"
QUOTE = "the quote that opens here is not closed"
# Told at the place where what is wrong began, not where the reader gave up.
BEGAN = {
    "found unexpected end of stream": QUOTE,
    "found unexpected document indicator": QUOTE,
    "did not find expected ',' or ']'": "the [ that opens here has no ], or a comma is missing",
    "did not find expected ',' or '}'": "the { that opens here has no }, or a comma is missing",
    "could not find expected ':'": (
        "a key has its colon on its own line, with a space after it; a long text needs | or >-"
    ),
}
# Told at the place where the reader gave up.
HERE = {
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
START = "found character that cannot start any token"
STANDARD = "tag:yaml.org,2002:"
LOST = ("expected a mapping", "expected a sequence")  # what is said of <<


def plainly(problem: str, here: Mark, began: Mark | None) -> tuple[Mark, str]:
    """Return the place to look at, and what is wrong there, for a problem of the reader's."""
    if here.sign == "\t":
        return here, TAB
    if problem in BEGAN:
        return began or here, BEGAN[problem]
    if problem == START:
        return here, f"a text that begins with {here.sign} needs quotes"
    if problem.startswith(LOST):
        return here, "<< takes a map, or a list of maps"
    return here, HERE.get(problem, GENERIC)
