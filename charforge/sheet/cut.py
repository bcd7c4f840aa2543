"""Where a text that is too long for its place may end: after a sentence, or after a word."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from charforge.prose import Block, Span

SENTENCE = re.compile(r"(?<=[.;!?])\s+|(?<=:)\s+(?=·)")
WORD = re.compile(r"\s+")
LOOSE = 1.05  # how much wider than Barlow Regular a text with bold figures may be


def text_of(block: Block) -> str:
    """Return the letters of a block."""
    return "".join(span.text for span in block.spans)


def cut(block: Block, fits: Callable[[str], bool], least: float = 0.0) -> tuple[Block, Block]:
    """Return what of a block fits, and the rest.

    It ends after a sentence, or after a word where that leaves less than
    ``least`` of what fits. A word too long for any place is kept whole.
    """
    whole = text_of(block)
    words = [found.start() for found in WORD.finditer(whole) if fits(whole[: found.start()])]
    sentences = [end for found in SENTENCE.finditer(whole) if (end := found.start()) in words]
    end = words[-1] if words else 0
    if sentences and sentences[-1] >= least * end:
        end = sentences[-1]
    if not end:
        first = WORD.search(whole)
        end = first.start() if first else len(whole)
    before: list[Span] = []
    after: list[Span] = []
    for span in block.spans:
        before.append(replace(span, text=span.text[:end]))
        after.append(replace(span, text=span.text[end:]))
        end = max(0, end - len(span.text))
    return _whole(block, before), _whole(block, after)


def _whole(block: Block, spans: list[Span]) -> Block:
    """Return a block of what is left of its spans, without a space in front."""
    kept = [span for span in spans if span.text]
    if kept:
        kept[0] = replace(kept[0], text=kept[0].text.lstrip())
    return replace(block, spans=tuple(kept))
