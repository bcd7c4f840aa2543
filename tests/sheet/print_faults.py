"""Faults of the text in a PDF: missing, hidden or misplaced words.

PDFium gives each sign with the box of its ink in the order of drawing, each line, and a picture
of the page, in which a word that its box clips is not whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache

from PIL import Image

from tests.sheet.printed import DOTS, SLACK, Finding, Page, Printed, Rect, Word

MARGIN, EDGE = 10 * 72 / 25.4, 5 * 72 / 25.4  # printers do not reach the edge of the paper
LEAST, LEAST_LARGE = 7.0, 14.0
HOOKED = "j"  # its hook is to the left of where it begins
OVERHANG = 2.0  # points of it, and of marks, which may be wider than their letter
CLIPPED = 1.2  # points of ink that may be missing at an edge of a word
CONTRAST = 60  # of 255, between ink and its ground
PLACEHOLDER = re.compile(
    r"\{\{|\{%|\{[^{}]+\}|\$\{?\w+|\b(?:None|undefined|Undefined|NaN|nan|Markup)\b|\[object"
)


def faults(
    made: Printed,
    wanted: Iterable[str],
    own: Iterable[str] = (),
    least: float = LEAST,
    margin: float = MARGIN,
) -> Iterator[Finding]:
    """Yield every fault of the words; ``own`` are a player's, who may write what we may not."""
    yield from _unprinted(made.pages, wanted)
    for number, (page, picture) in enumerate(zip(made.pages, made.pictures(), strict=True), 1):
        yield from _outside(number, page, SLACK * least / LEAST, margin)
        yield from _overlapping(number, page)
        yield from _crossed(number, page)
        yield from _drawn_over(number, page)
        yield from _clipped(number, page, picture)
        for word in page.words:
            if word.size < least - 0.01:
                yield Finding(number, "small", word.text)
    yield from _placeholders(made.pages, own)
    yield from (Finding(0, "warning", text) for text in made.warnings)
    yield from (Finding(0, "missing glyph", sign) for sign in made.missing_glyphs)


# ------------------------------------------------------------------ every word


def normal(text: str) -> str:
    """Return a text as it can be compared: its letters and signs, in one form and case.

    Spaces and invisible signs are dropped, ligatures resolved, and marks on
    letters dropped, for a PDF may give those in another order.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(
        sign
        for sign in plain
        if not sign.isspace() and unicodedata.category(sign) not in ("Cf", "Cc", "Co", "Cn", "Mn")
    )


def _unprinted(pages: Iterable[Page], wanted: Iterable[str]) -> Iterator[Finding]:
    """Yield the texts that are not on the pages, each as often as it is wanted.

    Beside letters that run from right to left the order of words is a matter
    of taste, and numbers change sides; there the words are looked for one by one.
    """
    texts = sorted(wanted, key=lambda text: -len(normal(text)))
    streams = [_Stream(page) for page in pages]
    whole = "".join(stream.text for stream in streams)
    mixed = any(unicodedata.bidirectional(sign) in ("R", "AL") for text in texts for sign in text)
    for text in texts:
        if not _taken(text, streams):
            words = map(normal, re.split(r"[\s:.,·()]+", text))
            if not mixed or not all(word in whole for word in words):
                yield Finding(0, "missing", text)


def _taken(text: str, streams: list[_Stream]) -> bool:
    """Take a text off the pages, if it is there or goes on from one to the next.

    It is one word sooner than several: a figure is not made of two cells beside each other.
    """
    plain = normal(text)
    if any(stream.take(plain, one=True) for stream in streams):
        return True
    return any(stream.take(plain) for stream in streams) or _continued(text, streams)


class _Stream:
    """The text of a page in the order of drawing, from which what is found is taken."""

    def __init__(self, page: Page) -> None:
        parts = [normal(word.text) for word in page.words]
        self.text = "".join(parts)
        self.edges, place = {0}, 0
        for part in parts:
            place += len(part)
            self.edges.add(place)

    def find(self, text: str, one: bool = False) -> int:
        """Return where a text stands in whole words, or -1; ``one`` alone, if asked for."""
        place = self.text.find(text)
        while place >= 0:
            end = place + len(text)
            parted = one and not self.edges.isdisjoint(range(place + 1, end))
            if self._edge(place) and self._edge(end) and not parted:
                return place
            place = self.text.find(text, place + 1)
        return -1

    def take(self, text: str, one: bool = False) -> bool:
        """Take a text off the page, if it is there."""
        place = self.find(text, one)
        if place >= 0:
            end = place + len(text)
            self.text = f"{self.text[:place]}{chr(0) * len(text)}{self.text[end:]}"
        return place >= 0

    def _edge(self, place: int) -> bool:
        """Whether a word begins or ends here, or a sign such as a bracket."""
        around = self.text[max(place - 1, 0) : place + 1]
        return place in self.edges or not around.isalnum()


def _continued(text: str, streams: list[_Stream]) -> bool:
    """Whether a text goes on from page to page; not taken, for its ends may stand elsewhere."""
    left = text.split()
    for stream in streams:
        low, high = 0, len(left)
        while low < high:
            half = (low + high + 1) // 2
            if stream.find(normal("".join(left[:half]))) >= 0:
                low = half
            else:
                high = half - 1
        left = left[low:]
    return not left


# ------------------------------------------------------------------ where words lie


def _outside(number: int, page: Page, slack: float, margin: float) -> Iterator[Finding]:
    """Find words in the margins; letters twice as large have twice the overhang."""
    paper = page.paper
    live = Rect(margin, margin, paper.right - margin, paper.bottom - margin)
    for word in page.words:
        overhangs = _marked(word.text) or word.text.startswith(HOOKED)
        if word.rect.past(live) > (OVERHANG if overhangs else slack):
            yield Finding(number, "margin", word.text)


def _overlapping(number: int, page: Page) -> Iterator[Finding]:
    """Find words on each other; a mark may reach into the next piece of its own word."""
    words = sorted(enumerate(page.words), key=lambda drawn: drawn[1].rect.top)
    for rank, (place, word) in enumerate(words):
        for beside, other in words[rank + 1 :]:
            if other.rect.top > word.rect.bottom:
                break
            piece = abs(place - beside) == 1 and _marked(word.text + other.text)
            if word.rect.shared(other.rect) > SLACK and not piece:
                yield Finding(number, "overlap", f"{word.text} | {other.text}")


def _crossed(number: int, page: Page) -> Iterator[Finding]:
    """Find lines through words; one at the very edge of the ink only touches it."""
    lines = (*page.lines, *page.frames)
    for word in page.words:
        rect = word.rect
        edge = min(0.8, rect.width / 4, rect.height / 4)
        inside = Rect(rect.left + edge, rect.top + edge, rect.right - edge, rect.bottom - edge)
        crossed = any(
            line.top < inside.bottom and line.bottom > inside.top and line.shared(inside) > 0
            for line in lines
        )
        if crossed and not _marked(word.text):
            yield Finding(number, "line through", word.text)


def _drawn_over(number: int, page: Page) -> Iterator[Finding]:
    """Find words that lie in part on a drawing; what holds a whole word is its ground."""
    for word in page.words:
        top, bottom = word.rect.top, word.rect.bottom
        for drawing in page.drawings:
            if drawing.top > bottom or drawing.bottom < top:
                continue
            part = drawing.shared(word.rect) > SLACK and word.rect.past(drawing) > SLACK
            if part and not drawing.past(word.rect) > 200:
                yield Finding(number, "overlap", f"{word.text} | drawing")


def _clipped(number: int, page: Page, picture: Image.Image) -> Iterator[Finding]:
    """Find words of which a part, or everything, cannot be seen in a picture of the page."""
    grey = picture.convert("L")
    for word in page.words:
        seen = _seen(grey, word)
        if seen is not None and not _marked(word.text) and word.rect.past(seen) > CLIPPED:
            yield Finding(number, "clipped", word.text)


def _seen(picture: Image.Image, word: Word) -> Rect | None:
    """Return where a word differs from its ground; None if it is not to be told, as of an emoji."""
    known = all(unicodedata.category(sign)[0] in "LNP" for sign in word.text)
    if word.turned or not known or not any(map(str.isalnum, word.text)):
        return None
    left, top = int(word.rect.left * DOTS), int(word.rect.top * DOTS)
    right, bottom = int(word.rect.right * DOTS) + 1, int(word.rect.bottom * DOTS) + 1
    ground = _ground(picture.crop((left - 2, top - 2, right + 2, bottom + 2)))
    part = picture.crop((left, top, right, bottom))
    box = part.point(_contrast(ground)).getbbox()
    if box is None:
        return Rect(0, 0, 0, 0)
    starts = (left, top, left, top)
    return Rect(*((edge + start) / DOTS for edge, start in zip(box, starts, strict=True)))


@cache
def _contrast(ground: int) -> tuple[int, ...]:
    """Return for each light whether it is ink on this ground (255) or not (0)."""
    return tuple(255 if abs(light - ground) > CONTRAST else 0 for light in range(256))


def _ground(part: Image.Image) -> int:
    """Return the commonest light at the edge of a picture: within it ink may be commoner."""
    width, lights = part.width, part.tobytes()
    sides, ends = lights[:width] + lights[-width:], lights[::width] + lights[width - 1 :: width]
    return Counter(sides + ends).most_common(1)[0][0]


def _marked(text: str) -> bool:
    return any(map(unicodedata.combining, text))


def _placeholders(pages: Iterable[Page], own: Iterable[str]) -> Iterator[Finding]:
    text = " ".join(word.text for page in pages for word in page.words)
    for found in {*PLACEHOLDER.findall(text)} - {*PLACEHOLDER.findall(" ".join(own))}:
        yield Finding(0, "placeholder", found)
