"""Columns of a page, filled by estimate.

Real columns would lay every page out several times over. Instead each
part's height is estimated, and every row of columns is a table of its
own: one that turns out longer than thought only moves the next one down.
Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from charforge.prose import own_words
from charforge.sheet import panels
from charforge.sheet.estimate import (
    card_height,
    entry_height,
    height_above_cards,
    item_height,
    scale_of,
)
from charforge.sheet.look import Look
from charforge.sheet.view import Card, Entry, Item, SheetView

LEAST = 34.0
SPARE_LINE = 6.0  # left empty at the end of columns, should one be a line longer than thought
NOTES = 34.0  # a heading and a few lines to write on
ABOVE_ITEMS = 36.0  # the head of the page, the money, the head of the table
MOST_REST = 0.6  # of a page, that cards may take before what follows them on it
SLOT, SPARE = 12.0, 3
GUTTER, CARDS_GUTTER = 6.0, 2.0
INSIDE = 6.3  # the border and padding of a card

P = TypeVar("P")
Columns = tuple[tuple[P, ...], ...]


class Explained(NamedTuple):
    """An entry of the reference or a piece of one, and the heading that stands over it."""

    heading: str
    entry: Entry


class Fight(NamedTuple):
    """The first page: blank lines among the attacks, the cards in columns, empty Slots.

    ``slots`` are boxes to write on, each ``slot_height`` mm high; ``rest`` is how
    far down they reach on a page of their own, ``left`` what the last page has left.
    ``fresh`` cards begin on the next page.
    """

    blank: int
    columns: list[Columns[Card]]
    slots: int
    slot_height: float = SLOT
    rest: float = 0.0
    left: float = 0.0
    fresh: bool = False

    @property
    def notes(self) -> bool:
        """Whether there is surely room for notes below the cards."""
        return self.left > NOTES


def fight(view: SheetView, look: Look) -> Fight:
    """Set the cards in columns to read across, beginning below the rest of the first page.

    A blank line among the attacks is given up when that saves a page.
    """
    full, beside = look.page.height - 3, panels.height(view, look)
    room = full - height_above_cards(view, look) - beside
    moved = room < 0  # what stands above the cards goes on on the next page
    while room < 0:
        room += full
    if look.blank:
        return _empty(room, look) if view.cards_label else Fight(2, [], 0)
    width = column_width(look, CARDS_GUTTER) - INSIDE
    sizes = [card_height(card, width, scale_of(look)) for card in view.cards]
    room -= -(-view.empty_slots // look.columns) * (SLOT + CARDS_GUTTER)
    for blank in (1, 0):
        left = room - blank * scale_of(look).ruled
        set_ = list(_across(view.cards, sizes, left, full, look.columns))
        if len(set_) <= 1 and left >= LEAST and look.columns > 1:
            used = _highest(set_, view.cards, sizes)
            rest = full - left + used if moved else 0.0
            return Fight(blank, set_, view.empty_slots, rest=rest, left=left - used)
    left = room - scale_of(look).ruled
    set_ = list(_across(view.cards, sizes, left, full, look.columns))
    if look.columns == 1:
        over = sum(sizes) - max(left, 0)
        rest = over % full if over > 0 else 0.0
        return Fight(1, set_, view.empty_slots, rest=rest, left=0 if over > 0 else -over)
    rest = _highest(set_[-1:], view.cards, sizes)
    # A single row may after all be on the first page: what is left there is not known.
    last = full - rest if len(set_) > 1 else 0.0
    fresh = bool(beside and set_) and (left < LEAST or not any(set_[0]))
    return Fight(1, set_, view.empty_slots, rest=rest, left=last, fresh=fresh)


def _highest(rows: Sequence[Columns[Card]], cards: Sequence[Card], sizes: Sequence[float]) -> float:
    """Return the height of the highest column."""
    known = dict(zip(map(id, cards), sizes, strict=True))
    heights = (sum(known[id(card)] for card in column) for row in rows for column in row)
    return max(heights, default=0.0)


def _empty(room: float, look: Look) -> Fight:
    """Share what is left of an empty first page among attacks and Slots to fill in."""
    ruled = scale_of(look).ruled + 0.3
    attacks = max(2, int(0.4 * room / ruled))
    left = room - attacks * ruled - scale_of(look).heading
    rows = max(1, int(left // 24))
    height = max(SLOT, round(left / rows - CARDS_GUTTER - 1, 1))
    return Fight(attacks, [], rows * look.columns, height)


def follows(view: SheetView, first: Fight, look: Look) -> float:
    """Return how far down the equipment begins on the last page of cards; 0 for its own page.

    It follows where it ends on that page, or where units fill the next one;
    two columns of it need a whole page.
    """
    full = look.page.height
    if look.item_columns > 1 or not 0 < first.rest < MOST_REST * full:
        return 0.0
    ends = first.rest + ABOVE_ITEMS + _held(view, look) <= full
    return first.rest if ends or view.units else 0.0


def _held(view: SheetView, look: Look) -> float:
    """Return the height of a column of equipment."""
    width = ((look.page.width + GUTTER) / look.item_columns - GUTTER) * 0.64 - 2
    heights = (item_height(item, width, scale_of(look)) for item in view.carried)
    return sum(heights) / look.item_columns


def gear(view: SheetView, look: Look, above: float = 0.0) -> list[Columns[Item]]:
    """Set the equipment in columns to read down: two where a page is wide.

    ``above`` is the height of what stands over it on its first page.
    """
    scale, columns = scale_of(look), look.item_columns
    width = ((look.page.width + GUTTER) / columns - GUTTER) * 0.64 - 2
    sizes = [item_height(item, width, scale) for item in view.carried]
    room = look.page.height - SPARE_LINE
    return list(down(view.carried, sizes, room - ABOVE_ITEMS - above, room - 6, columns)) or [
        ((),) * columns
    ]


def spare(view: SheetView, look: Look, above: float = 0.0) -> int:
    """Return how many lines there are for more equipment: on an empty sheet a page of them.

    Otherwise three, or as many as fit without another page.
    """
    scale = scale_of(look)
    ruled, full = scale.ruled + 0.3, look.page.height
    if look.blank:
        return int((full - 2 * scale.heading - 22) / ruled)
    left = full - (ABOVE_ITEMS + above + _held(view, look)) % full
    return max(0, min(SPARE, int((left - 12) / ruled)))


def reference(view: SheetView, look: Look, above: float = 0.0) -> list[Columns[Explained]]:
    """Set the reference in columns to read down, below what stands ``above`` it on its page."""
    room = look.page.height - SPARE_LINE
    parts = [piece for part in _explained(view) for piece in _pieces(part)]
    width = column_width(look, GUTTER)
    sizes = [entry_height(part.entry, bool(part.heading), width, scale_of(look)) for part in parts]
    return list(down(parts, sizes, room - 17 - above, room, look.columns))


def column_width(look: Look, gutter: float) -> float:
    """Return the width of a column of running text, or of cards."""
    return (look.page.width + gutter) / look.columns - gutter


def _explained(view: SheetView) -> Iterator[Explained]:
    """Yield everything that the reference explains, in order."""
    ruled = tuple(Entry("", rule.label, own_words(rule.text)) for rule in view.table_rules)
    groups = (
        ("Ruled at our table", ruled),
        (view.actions_label, view.actions),
        ("Conditions", view.conditions),
        ("Words on this sheet", view.reference),
    )
    for heading, entries in groups:
        for number, entry in enumerate(entries):
            yield Explained("" if number else heading, entry)


def _pieces(part: Explained) -> Iterator[Explained]:
    """Cut a long entry, so that a column may end inside it: each piece a block or an action."""
    entry = part.entry
    kept = entry.text[:2]
    yield Explained(part.heading, entry._replace(text=kept, actions=() if kept else entry.actions))
    for block in entry.text[2:]:
        yield Explained("", Entry("", "", (block,)))
    for action in entry.actions if kept else ():
        yield Explained("", Entry("", "", (), (action,)))


def down(
    parts: Sequence[P], sizes: Sequence[float], first: float, full: float, columns: int
) -> Iterator[Columns[P]]:
    """Yield columns filled from top to bottom; the last ones are even."""
    if columns == 1:  # pages break by themselves
        yield from [(tuple(parts),)] if parts else []
        return
    room = first
    while parts:
        if sum(sizes) <= columns * room:
            room = _even(sizes, columns)
        row = []
        for _ in range(columns):
            fits = _fitting(sizes, room)
            row.append(tuple(parts[:fits]))
            parts, sizes = parts[fits:], sizes[fits:]
        yield tuple(row)
        room = full


def _across(
    parts: Sequence[P], sizes: Sequence[float], first: float, full: float, columns: int
) -> Iterator[Columns[P]]:
    """Yield columns of which each part takes the shortest one."""
    if columns == 1:
        yield from [(tuple(parts),)] if parts else []
        return
    room = first if first >= LEAST else full
    row: list[list[P]] = [[] for _ in range(columns)]
    filled = [0.0] * columns
    for part, size in zip(parts, sizes, strict=True):
        side = filled.index(min(filled))
        if (filled[side] or room < full) and filled[side] + size > room:
            yield tuple(map(tuple, row))
            row, filled, room, side = [[] for _ in range(columns)], [0.0] * columns, full, 0
        row[side].append(part)
        filled[side] += size
    if row[0]:
        yield tuple(map(tuple, row))


def _fitting(sizes: Sequence[float], room: float) -> int:
    """Return how many parts fit; at least one."""
    total, number = 0.0, 0
    for size in sizes:
        total += size
        if number and total > room + 0.01:
            break
        number += 1
    return number


def _even(sizes: Sequence[float], columns: int) -> float:
    """Return the least height of columns that hold everything."""
    least, most = sum(sizes) / columns, sum(sizes)
    while most - least > 0.5:
        middle, rest = (least + most) / 2, list(sizes)
        for _ in range(columns):
            rest = rest[_fitting(rest, middle) :]
        least, most = (middle, most) if rest else (least, middle)
    return most
