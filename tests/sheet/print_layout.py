"""Faults of a page as a whole: gaps, stray lines, lone headings, uneven columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from charforge.sheet.cards import LARGE_SIZES, SIZES
from charforge.sheet.print_options import FOOT, SIDE, PrintOptions
from tests.sheet.printed import SLACK, Finding, Page, Printed, Rect, Word
from tests.sheet.structure import headings, structure

POINTS = 72 / 25.4  # of a millimetre
LEAST_USED = 0.45  # of the height of a page of a full sheet, but the last
LEAST_LAST_PAGE = 0.2  # of the height of the last page, if nothing fills it with lines to write on
APART = 6.0  # points between two lines that are meant to be two
UNEVEN = (
    6.5  # points by which the tops of columns may differ: some begin with a line, some with words
)
STEP = 14.0 * POINTS  # the most from a label, or the rule under it, down to a line to write on
FOOT_OF_CARD = 10.0  # millimetres from the edge of a card to the top of its foot
LESS = 6.0  # points above the middle of a card that are as good as half full
TOGETHER = 60.0  # points from the top of a page within which its columns start


def misplaced(made: Printed, options: PrintOptions) -> Iterator[Finding]:
    """Yield every fault of the composition of a PDF."""
    for number, page in enumerate(made.pages, 1):
        body = Body(page)
        if not body.words:
            yield Finding(number, "empty page", "")
            continue
        last = number == len(made.pages)
        if options.layout == "full" and not last and body.used < LEAST_USED:
            yield Finding(number, "half empty", f"{body.used:.0%}")
        if options.layout == "cards":
            titles = [tag.words for tag in structure(made).all("H2") if tag.page == number]
            found = half_empty(page, titles, options)
            yield from (Finding(number, "half empty", card) for card in found)
            continue
        yield from (Finding(number, "double rule", about) for about in _doubled(body))
        yield from (Finding(number, "no label", about) for about in _unlabelled(body))
    if options.layout == "short" and not (options.large or options.blank) and len(made.pages) > 1:
        yield Finding(len(made.pages), "second page", "")
    few = len(made.pages) > 1 and Body(made.pages[-1]).used < LEAST_LAST_PAGE
    if few and options.layout in ("full", "reference") and not (options.has_room or options.large):
        yield Finding(len(made.pages), "few lines", "")
    if options.layout in ("full", "reference"):
        for number, page in enumerate(made.pages, 1):
            yield from (Finding(number, "uneven", about) for about in _uneven(Body(page), options))
    for number, word in headings(made):
        body = Body(made.pages[number - 1])
        if word in body.words and not _followed(word, body):
            yield Finding(number, "heading alone", word.text)


def half_empty(page: Page, titles: Sequence[list[Word]], options: PrintOptions) -> Iterator[str]:
    """Yield the cards of a page that end above their middle in type that could be larger.

    Its type is that of the largest letters below its title; those of figures are always large.
    """
    size, margins, grid = options.card_size, options.card_margins, options.card_grid
    largest = (LARGE_SIZES if options.large else SIZES)[0]
    for place in range(grid.columns * grid.rows):
        row, column = divmod(place, grid.columns)
        left, top = margins.width + column * size.width, margins.height + row * size.height
        card = Rect(left, top, left + size.width, top + size.height).scaled(POINTS)
        title = next((words for words in titles if words[0].rect.past(card) < 0), None)
        if not title:
            continue
        foot = card.bottom - FOOT_OF_CARD * POINTS
        words = [
            word
            for word in page.words
            if word.rect.past(card) < 0
            and title[0].rect.top < word.rect.top
            and word.rect.bottom < foot
            and word not in title
        ]
        shapes = [rect for rect in (*page.drawings, *page.frames) if rect.past(card) < 0]
        ends = [rect.bottom for rect in (*(word.rect for word in words), *shapes)]
        end = max((end for end in ends if end < foot), default=card.top)
        type_size = max((word.size for word in words), default=largest)
        if end < (card.top + card.bottom) / 2 - LESS and type_size < largest - SLACK:
            yield " ".join(word.text for word in title)


class Body:
    """What a page has above its footer."""

    def __init__(self, page: Page) -> None:
        paper = page.paper
        self.live = Rect(
            SIDE * POINTS, SIDE * POINTS, paper.right - SIDE * POINTS, paper.bottom - FOOT * POINTS
        )
        self.words = [word for word in page.words if word.rect.bottom < self.live.bottom + 1]
        self.lines, self.frames, self.drawings = (
            [rect for rect in rects if rect.top < self.live.bottom]
            for rects in (page.lines, page.frames, page.drawings)
        )

    @property
    def everything(self) -> list[Rect]:
        """All that is drawn."""
        return [word.rect for word in self.words] + self.lines + self.frames + self.drawings

    @property
    def used(self) -> float:
        """The part of its height down to the last thing."""
        lowest = max(rect.bottom for rect in self.everything)
        return (lowest - self.live.top) / self.live.height


def rules(lines: Iterable[Rect]) -> list[Rect]:
    """Return level lines; pieces that touch each other, such as those of a row, are one."""
    found: list[Rect] = []
    for line in sorted((line for line in lines if line.width > line.height), key=_row):
        last = found[-1] if found else None
        if last and abs(last.top - line.top) < 0.2 and line.left <= last.right + 0.5:
            found[-1] = last.around(line)
        else:
            found.append(line)
    return found


def _row(rect: Rect) -> tuple[float, float]:
    return round(rect.top), rect.left


def _beside(one: Rect, other: Rect) -> float:
    """Return the width that two rectangles share."""
    return min(one.right, other.right) - max(one.left, other.left)


def _doubled(body: Body) -> Iterator[str]:
    """Find two rules below each other with nothing between."""
    found = rules(body.lines)
    for one in found:
        for other in found:
            gap = other.top - one.bottom
            if 0.3 < gap < APART and _beside(one, other) > 0.5 * min(one.width, other.width):
                yield _place(one)


def _unlabelled(body: Body) -> Iterator[str]:
    """Find the first of two or more lines to write on with no label close above them."""
    every = rules(body.lines)
    found = [rule for rule in every if rule.height < 1.2]
    for rule in found:
        above = [
            rect.bottom
            for rect in (*(word.rect for word in body.words), *every)
            if rect.bottom < rule.top + 1 and _beside(rect, rule) > 0 and rect != rule
        ]
        below = [
            other for other in found
            if rule.top + 15 < other.top < rule.top + STEP
            and abs(other.left - rule.left) < 1 and abs(other.right - rule.right) < 1
        ]  # fmt: skip
        empty = below and not any(
            rule.top < word.rect.top < below[0].top and _beside(word.rect, rule) > 0
            for word in body.words
        )
        if empty and (not above or rule.top - max(above) > STEP):
            yield _place(rule)


def _uneven(body: Body, options: PrintOptions) -> Iterator[str]:
    """Find columns at the top of a page that do not start at the same height."""
    top = min(rect.top for rect in body.everything)
    start = [rect for rect in body.everything if rect.top < top + TOGETHER]
    width = body.live.width / options.columns
    gutters = [body.live.left + width * number for number in range(1, options.columns)]
    if not gutters or any(r.left < x - 2 and r.right > x + 2 for r in start for x in gutters):
        return
    edges = [0.0, *gutters, body.live.right + 50]
    tops = [
        min((rect.top for rect in start if left <= rect.left < right), default=None)
        for left, right in pairwise(edges)
    ]
    known = [one for one in tops if one is not None]
    if max(known) - min(known) > UNEVEN:
        yield " / ".join("–" if one is None else f"{one:.0f}" for one in tops)


def _followed(heading: Word, body: Body) -> bool:
    """Whether something stands under a heading, or beside it."""
    below = heading.rect
    reach = Rect(below.left - 20, below.top, below.left + 120, body.live.bottom)
    beside, end = False, below.right
    line = [word for word in body.words if abs(word.rect.bottom - below.bottom) < 3]
    for word in sorted(line, key=lambda one: one.rect.left):  # its further words, then others
        if 0 < word.rect.left - end < 12 and not beside:
            beside, end = word.size < heading.size, word.rect.right
    under = any(
        _beside(word.rect, reach) > 0 and word.rect.bottom > below.bottom + 2 for word in body.words
    )
    return (
        beside
        or under
        or any(
            rect.top > below.bottom + 8 and _beside(rect, reach) > 0
            for rect in (*body.lines, *body.frames, *body.drawings)
        )
    )


def _place(rect: Rect) -> str:
    return f"{rect.left / POINTS:.0f}, {rect.top / POINTS:.0f} mm"
