"""Where a text that is too long for its place may end: after a sentence, or after a word."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace

from charforge.expressions.markup import Block, Span

SENTENCE = re.compile(r"(?<=[.;!?])\s+|(?<=:)\s+(?=·)")
FULL = re.compile(r"(?<=[.!?])\s+")
WORD = re.compile(r"\s+")
ENDED = "\N{NO-BREAK SPACE}…"
LONGEST = 240  # letters of a piece of a text without a sentence's end
LOOSE = 1.05  # how much wider than Barlow Regular a text with bold figures may be


def text_of(block: Block) -> str:
    """Return the letters of a block."""
    return "".join(span.text for span in block.spans)


def cut(block: Block, fits: Callable[[str], bool]) -> tuple[Block, Block]:
    """Return what of a block fits, and the rest.

    It ends after a sentence, or after a word where none ends in it. A word
    too long for any place is kept whole.
    """
    whole = text_of(block)
    end = last_word = _last_fitting(WORD, whole, fits)
    for found in SENTENCE.finditer(whole):
        if found.start() <= last_word:
            end = found.start()
    if not end:
        first = WORD.search(whole)
        end = first.start() if first else len(whole)
    return _part(block, 0, end), _part(block, end, len(whole))


def ended(block: Block, fits: Callable[[str], bool]) -> Block:
    """Return the beginning of a block that fits with the sign that there is more."""
    before, _after = cut(block, lambda text: fits(text + ENDED))
    return replace(before, spans=(*before.spans, Span(ENDED)))


def sentences(block: Block, fits: Callable[[str], bool]) -> tuple[Block, Block]:
    """Return as many whole sentences of a block as fit, if any does, and the rest."""
    whole = text_of(block)
    if fits(whole):
        return block, replace(block, spans=())
    end = _last_fitting(FULL, whole, fits)
    return _part(block, 0, end), _part(block, end, len(whole))


def _last_fitting(spaces: re.Pattern[str], whole: str, fits: Callable[[str], bool]) -> int:
    """Return the last place before a space where the text until there fits; 0 if there is none.

    A longer text never fits where a shorter one does not, so few are tried.
    """
    ends = [found.start() for found in spaces.finditer(whole)]
    number = bisect_left(ends, True, key=lambda end: not fits(whole[:end]))
    return ends[number - 1] if number else 0


def pieces(block: Block) -> Iterator[Block]:
    """Yield a block sentence by sentence, so that a column may end after any of them."""
    whole, start = text_of(block), 0
    sentences = {found.start() for found in SENTENCE.finditer(whole)}
    for space in WORD.finditer(whole):
        end = space.start()
        if end in sentences or end - start > LONGEST:
            yield _part(block, start, end)
            start = space.end()
    yield _part(block, start, len(whole))


def joined(before: Block, after: Block) -> Block:
    """Put two pieces of a block together again."""
    return replace(before, spans=(*before.spans, Span(" "), *after.spans))


def _part(block: Block, start: int, end: int) -> Block:
    """Return the letters of a block from one place to another, without a space in front."""
    kept: list[Span] = []
    place = 0
    for span in block.spans:
        text = span.text[max(0, start - place) : max(0, end - place)]
        place += len(span.text)
        if text:
            kept.append(replace(span, text=text if kept else text.lstrip()))
    return replace(block, spans=tuple(kept))
