"""Faults of sections that go on in another column: their order, headings and balance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from charforge.sheet.print_options import Look
from charforge.sheet.view import SheetView
from tests.sheet.print_faults import normal
from tests.sheet.printed import Finding, Printed, Rect, Word

TITLE = 10.8  # points: names of cards and equipment are larger than other text


class Placed(NamedTuple):
    """A thing of a section: where it is printed, and the words between it and the one before."""

    name: str
    page: int
    rect: Rect
    before: str

    @property
    def column(self) -> tuple[int, int]:
        """Its page and the left edge of its column."""
        return self.page, round(self.rect.left / 20)


def misordered(made: Printed, view: SheetView, look: Look) -> Iterator[Finding]:
    """Yield every fault of the Systems and the equipment of a full sheet."""
    if look.layout != "full" or look.blank:
        return
    cards = [card for card in view.cards if card.on_turn]
    cards += [card for card in view.cards if not card.on_turn]
    abilities = placed(made, view.cards_label, [card.name for card in cards])
    rows = view.gear_rows
    gear = placed(made, view.items_label or "Equipment", [row.item.name for row in rows])
    for things in (abilities, gear):
        yield from _back(things)
        yield from _unbalanced(things)
    if gear:
        for row, (one, other) in zip(rows[1:], pairwise(gear), strict=True):
            goes_on = row.place and not row.first and one.column != other.column
            if goes_on and normal(f"{row.place}, continued") not in normal(other.before):
                yield Finding(other.page, "no heading", other.name)


def placed(made: Printed, label: str, names: Sequence[str]) -> list[Placed]:
    """Return where things are printed below a heading; empty if one of them is not found."""
    words = [(number, word) for number, page in enumerate(made.pages, 1) for word in page.words]
    if not names or (at := _find(words, label, 0)) is None:
        return []
    starts = []
    for name in names:
        if (at := _find(words, name, at + 1)) is None:
            return []
        starts.append(at)
    found = []
    for name, first, last, previous in zip(
        names, starts, [*starts[1:], starts[-1] + 1], [starts[0], *starts[:-1]], strict=True
    ):
        page, word = words[first]
        rect = word.rect
        for number, other in words[first:last]:
            if number == page and abs(other.rect.left - word.rect.left) < 250:
                lower = other.rect.bottom if other.size < TITLE else rect.bottom
                rect = Rect(rect.left, rect.top, rect.right, max(rect.bottom, lower))
        before = " ".join(other.text for _number, other in words[previous:first])
        found.append(Placed(name, page, rect, before))
    return found


def _find(words: Sequence[tuple[int, Word]], name: str, start: int) -> int | None:
    parts = [normal(part) for part in name.split()]
    for at in range(start, len(words) - len(parts) + 1):
        run = words[at : at + len(parts)]
        if run[0][1].size >= TITLE - 0.4 and [normal(word.text) for _page, word in run] == parts:
            return at
    return None


def _back(things: Iterable[Placed]) -> Iterator[Finding]:
    """Find things on a page before that of the thing before them, or above it in its column."""
    for one, other in pairwise(things):
        above = one.column == other.column and other.rect.top < one.rect.top
        if other.column < one.column or above:
            yield Finding(other.page, "out of order", other.name)


def _unbalanced(things: Sequence[Placed]) -> Iterator[Finding]:
    """Find the last page of a section on which the last thing of a column has room in another."""
    last = [thing for thing in things if thing.page == things[-1].page]
    columns = [list(group) for _column, group in groupby(last, key=lambda thing: thing.column)]
    if len(columns) < 2:
        if len(last) > 2 and last[0].rect.right < 300:
            yield Finding(last[0].page, "one column", last[0].name)
        return
    heights = [max(t.rect.bottom for t in c) - c[0].rect.top for c in columns]
    fullest = columns[heights.index(max(heights))]
    moved = fullest[-1].rect.height
    if min(heights) < max(heights) / 2 and min(heights) + moved < max(heights) - 20:
        yield Finding(last[0].page, "unbalanced", fullest[-1].name)
