"""Faults of sections that continue in another column: their order, headings and balance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, pairwise
from typing import NamedTuple

from charforge.sheet.print_options import SIDE, PrintOptions
from charforge.sheet.view import SheetView, grouped_cards
from tests.sheet.print_faults import normal
from tests.sheet.print_layout import Body
from tests.sheet.printed import Finding, Printed, Word
from tests.sheet.structure import headings

POINTS = 72 / 25.4  # of a millimetre
TITLE = 10.4  # points: the least type of the heading of a section, which may be printed smaller
NAME = 0.82  # of the type of that heading: more is the type of a name of a card or a thing
HEADING = 2.6  # from the top of a heading down to that of the name below it, in the name's type
LOWER = 0.75  # of the fullest column, by which better balance would make a section lower


class Placed(NamedTuple):
    """A thing of a section: its name, page and column, and where its words begin and end.

    ``before`` are the words close above it.
    """

    name: str
    page: int
    column: int
    top: float
    bottom: float
    before: str


def misordered(made: Printed, view: SheetView, options: PrintOptions) -> Iterator[Finding]:
    """Yield every fault of the Systems and the equipment of a full sheet."""
    if options.layout != "full" or options.blank:
        return
    boxes = [group.cards for group in grouped_cards(view.cards)]
    groups = () if view.gear_names else view.gear_groups  # names alone are one paragraph
    places = [(place, item.name) for place, items in groups for item in items]
    names = [card.name for cards in boxes for card in cards]
    abilities = placed(made, options, view.cards_label, names)
    gear = placed(made, options, view.items_label or "Equipment", [name for _place, name in places])
    # Abilities in one box move together; in large print a box may continue in the next column.
    movable = abilities if options.large else _together(abilities, [len(cards) for cards in boxes])
    for things, units in ((abilities, movable), (gear, gear)):
        yield from _out_of_order(things)
        yield from _unbalanced(units, made, options)
    if len(groups) > 1:
        yield from _without_heading([place for place, _name in places], gear)


def _together(things: Sequence[Placed], sizes: Iterable[int]) -> list[Placed]:
    """Return things with each of these numbers of them as one."""
    left = iter(things)
    groups = [[*islice(left, size)] for size in sizes] if things else []
    return [group[0]._replace(bottom=group[-1].bottom) for group in groups]


def _without_heading(places: Sequence[str], gear: Sequence[Placed]) -> Iterator[Finding]:
    """Find the first things of a place or of a column that are not below the name of the place.

    And other things that are.
    """
    before = [("", None), *zip(places, gear, strict=False)]
    for (place, thing), (last_place, last) in zip(before[1:], before, strict=False):
        assert thing is not None
        begins = last is None or place != last_place
        continues = last is not None and (last.page, last.column) != (thing.page, thing.column)
        if (begins or continues) != normal(thing.before).endswith(normal(place)):
            yield Finding(
                thing.page, "no heading" if begins or continues else "heading", thing.name
            )


def placed(made: Printed, options: PrintOptions, label: str, names: Sequence[str]) -> list[Placed]:
    """Return where things are printed below a heading; empty if one of them is not found."""
    words = [
        (number, word) for number, page in enumerate(made.pages, 1) for word in Body(page).words
    ]
    starts = []
    at = _find(words, label, 0, TITLE) if names else None
    least = 0.0 if at is None else words[at][1].size * NAME
    for name in names:
        at = None if at is None else _find(words, name, at + 1, least)
        if at is None:
            return []
        starts.append(at)
    ends = [*starts[1:], _section_end(made, words, starts[-1])] if starts else []
    found = []
    for name, first, last in zip(names, starts, ends, strict=True):
        page, begin = words[first]
        column = _column(begin, options)
        beside = [
            word for number, word in words if number == page and _column(word, options) == column
        ]
        own = {id(word) for _page, word in words[first:last]}
        bottom = max(
            word.rect.bottom for word in beside
            if id(word) in own and word.rect.top > begin.rect.top - 4
        )  # fmt: skip
        before = "".join(
            word.text for word in beside
            if begin.size / 2 < begin.rect.top - word.rect.top < HEADING * begin.size
        )  # fmt: skip
        found.append(Placed(name, page, column, begin.rect.top, bottom, before))
    return found


def _section_end(made: Printed, words: Sequence[tuple[int, Word]], last: int) -> int:
    """Return where the next heading is below the last thing of a section."""
    marks = {(number, id(word)) for number, word in headings(made)}
    later = range(last + 1, len(words))
    return next((at for at in later if (words[at][0], id(words[at][1])) in marks), len(words))


def _column(word: Word, options: PrintOptions) -> int:
    """Return the column that a word begins in, from 0."""
    width = options.page.width / options.columns
    return int((word.rect.left / POINTS - SIDE) // width)


def _find(words: Sequence[tuple[int, Word]], name: str, start: int, least: float) -> int | None:
    """Return where a name is printed in type of at least ``least`` points, or None."""
    wanted = normal(name)
    for at in range(start, len(words)):
        text, end = "", at
        while end < len(words) and words[end][1].size >= least and len(text) < len(wanted):
            text, end = text + normal(words[end][1].text), end + 1
        if text == wanted and not _named_longer(words[at - 1][1], words[at][1]):
            return at
    return None


def _named_longer(before: Word, word: Word) -> bool:
    """Whether a word is not the first of its name; a number of things may be before it."""
    close = 0 < word.rect.left - before.rect.right < 6
    return close and abs(before.rect.bottom - word.rect.bottom) < 4 and before.text != "×"


def _out_of_order(things: Iterable[Placed]) -> Iterator[Finding]:
    """Find things in a page or column before that of the thing before them, or above it."""
    for one, other in pairwise(things):
        if (other.page, other.column, other.top) < (one.page, one.column, one.top):
            yield Finding(other.page, "out of order", other.name)


def _unbalanced(
    things: Sequence[Placed], made: Printed, options: PrintOptions
) -> Iterator[Finding]:
    """Find columns under half as high as the fullest of a page, beside things that fit in them.

    On a page that the section continues from, each column is as full as the next thing allows.
    """
    for page, group in groupby(things, key=lambda thing: thing.page):
        columns = [list(column) for _number, column in groupby(group, key=lambda one: one.column)]
        top = min(column[0].top for column in columns)
        ends = [column[-1].bottom - top for column in columns]
        ends += [0.0] * (options.columns - len(columns))
        after = [column[0] for column in columns[1:]]  # what is next when a column ends
        if page == things[-1].page:
            for number, end in enumerate(ends):
                here = len(columns[number]) if number < len(columns) else 0
                for at, place in ((number + 1, 0), (number - 1, -1)):
                    if not 0 <= at < len(columns) or end >= max(ends) / 2:
                        continue
                    one = columns[at][place]
                    # With the room between it and the thing that stays.
                    stays = columns[at][1:2] if place == 0 else columns[at][-2:-1]
                    gaps = [max(one.top - other.bottom, other.top - one.bottom) for other in stays]
                    height = one.bottom - one.top + sum(gaps)
                    moved = [*ends]
                    moved[number] += height
                    moved[at] -= height
                    lower = max(moved) < max(ends) * LOWER
                    more = len(columns[at]) - here > 2 and moved[number] < max(ends) * LOWER
                    if lower or more:
                        yield Finding(page, "unbalanced", one.name)
            continue
        first_on_next = next(thing for thing in things if thing.page > page)
        after += [first_on_next] * (len(ends) - len(after))
        room = Body(made.pages[page - 1]).live.bottom - top - (60 if options.large else 36)
        for end, one in zip(ends, after, strict=True):
            if end + one.bottom - one.top < room:
                yield Finding(page, "unbalanced", one.name)
