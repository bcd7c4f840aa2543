"""Texts of a pack as spans, so that a page and a terminal print the same words.

The markup is small: ``**bold**``, ``*italic*``, lines that start with
``- `` as a list, any other line a paragraph. Figures and players' texts
arrive between control characters, which nobody else may write: a player's
text is never read as markup, whatever stars it contains.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from charforge.expressions.template import CLOSE, MINUS, NO_BREAK, OPEN

QUOTE, UNQUOTE = "\x04", "\x05"
TOKEN = re.compile(f"({OPEN}[^{CLOSE}]*{CLOSE}|{QUOTE}[^{UNQUOTE}]*{UNQUOTE}|\\*\\*|\\*)")
NEGATIVE = re.compile(r"(?<![\w)\]-])-(?=\d)")
UNIT = re.compile(r"(?<=[\d\x03]) (?=(?:m|km|cm|kN|mC|HP)\b)")
SUM = re.compile(r"(?:(?<=\dd\d)|(?<=\dk\d)|(?<=kl\d)) ([+\u2212-]) (?=\d)")


class Span(NamedTuple):
    """A run of text in one style."""

    text: str
    bold: bool = False
    italic: bool = False


class Block(NamedTuple):
    """A paragraph, or one item of a list."""

    spans: tuple[Span, ...]
    listed: bool = False

    def __str__(self) -> str:
        text = "".join(span.text for span in self.spans)
        return f"- {text}" if self.listed else text


Prose = tuple[Block, ...]


def parse_markup(text: str) -> Prose:
    """Read a pack's markup, its figures already substituted and marked."""
    blocks = []
    for line in text.splitlines():
        line = line.strip()
        if line:
            listed = line.startswith("- ")
            blocks.append(Block(_spans(line[2:] if listed else line), listed))
    return tuple(blocks)


def player_text(text: str) -> Prose:
    """Return a player's text as paragraphs, with nothing read as markup."""
    lines = (line.strip() for line in text.splitlines())
    return tuple(Block((Span(line),)) for line in lines if line)


def mark_figure(figure: str) -> str:
    """Mark a figure, so that it is printed bold and never read as markup."""
    return f"{OPEN}{figure}{CLOSE}"


def mark_quote(words: str) -> str:
    """Mark a player's text for insertion into another text, in the style of that place.

    It is never read as markup.
    """
    return "\n".join(f"{QUOTE}{line.strip()}{UNQUOTE}" for line in words.splitlines())


def strip_markup(text: str) -> str:
    """Return a text without its markup, for places that have one style."""
    return "".join(span.text for span in _spans(text))


def plain_text(prose: Prose) -> str:
    """Return the text without styles, one line per block."""
    return "\n".join(map(str, prose))


def typeset(text: str) -> str:
    """Set real minus signs, and no line break between a number and its unit."""
    text = NEGATIVE.sub(MINUS, text)
    text = SUM.sub(lambda match: f"{NO_BREAK}{match[1]}{NO_BREAK}", text)
    return UNIT.sub(NO_BREAK, text)


def _spans(line: str) -> tuple[Span, ...]:
    """Split a line at its marks; a mark without a partner is an ordinary star."""
    parts = TOKEN.split(typeset(line))
    paired = {mark: parts.count(mark) // 2 * 2 for mark in ("**", "*")}
    spans: list[Span] = []
    bold = italic = False
    for part in parts:
        if paired.get(part):
            paired[part] -= 1
            bold, italic = bold != (part == "**"), italic != (part == "*")
        elif part.startswith(OPEN):
            spans.append(Span(part[1:-1], True, italic))
        elif part.startswith(QUOTE):
            spans.append(Span(part[1:-1], bold, italic))
        elif part:
            spans.append(Span(part, bold, italic))
    return tuple(spans)
