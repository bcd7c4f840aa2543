"""Columns of a page, filled by estimate.

Real columns would lay every page out several times over. Instead each
part's height is estimated, and every row of columns is a table of its
own: one that turns out longer than thought only moves the next one down.
Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from charforge.prose import Prose, own_words
from charforge.sheet.estimate import (
    card_height,
    entry_height,
    height_above_cards,
    item_height,
    scale_of,
    tale_height,
)
from charforge.sheet.look import Look
from charforge.sheet.view import Card, Entry, Item, SheetView, StoryPart, Told

LEAST = 34.0
SLOT, SPARE = 12.0, 3
GUTTER, CARDS_GUTTER = 6.0, 2.0
INSIDE = 6.3  # the border and padding of a card

P = TypeVar("P")
Columns = tuple[tuple[P, ...], ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """An entry of the reference or a piece of one, and the heading that stands over it."""

    heading: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class Tale:
    """A text of the story with lines to write on."""

    label: str
    hint: str
    text: Prose
    lines: int


@dataclass(frozen=True, slots=True)
class Fight:
    """The first page: blank lines among the attacks, the cards in columns, empty Slots.

    ``slots`` are boxes to write on, each ``slot_height`` mm high.
    """

    blank: int
    columns: list[Columns[Card]]
    slots: int
    slot_height: float = SLOT


def fight(view: SheetView, look: Look) -> Fight:
    """Set the cards in columns to read across, beginning below the rest of the first page.

    A blank line among the attacks is given up when that saves a page.
    """
    full = look.page.height - 3
    room = full - height_above_cards(view, look)
    if look.blank:
        return _empty(room, look)
    width = _width(look, CARDS_GUTTER) - INSIDE
    sizes = [card_height(card, width, scale_of(look)) for card in view.cards]
    room -= -(-view.empty_slots // look.columns) * (SLOT + CARDS_GUTTER)
    for blank in (1, 0):
        left = room - blank * scale_of(look).ruled
        set_ = list(_across(view.cards, sizes, left, full, look.columns))
        if len(set_) <= 1 and left >= LEAST:
            return Fight(blank, set_, view.empty_slots)
    left = room - scale_of(look).ruled
    return Fight(1, list(_across(view.cards, sizes, left, full, look.columns)), view.empty_slots)


def _empty(room: float, look: Look) -> Fight:
    """Share what is left of an empty first page among attacks and Slots to fill in."""
    ruled = scale_of(look).ruled + 0.3
    attacks = max(2, int(0.4 * room / ruled))
    left = room - attacks * ruled - scale_of(look).heading
    rows = max(1, int(left // 24))
    return Fight(attacks, [], rows * look.columns, round(left / rows - CARDS_GUTTER - 1, 1))


def gear(view: SheetView, look: Look) -> list[Columns[Item]]:
    """Set the equipment in columns to read down: two where a page is wide."""
    scale, columns = scale_of(look), look.item_columns
    width = ((look.page.width + GUTTER) / columns - GUTTER) * 0.64 - 2
    sizes = [item_height(item, width, scale) for item in view.items]
    room = look.page.height - 2
    return list(_down(view.items, sizes, room - 36, room - 6, columns)) or [((),) * columns]


def spare(view: SheetView, look: Look) -> int:
    """Return how many lines there are for more equipment: on an empty sheet a page of them.

    Otherwise three, or as many as fit without another page.
    """
    scale = scale_of(look)
    ruled, full = scale.ruled + 0.3, look.page.height
    if look.blank:
        return int((full - 2 * scale.heading - 22) / ruled)
    width = ((look.page.width + GUTTER) / look.item_columns - GUTTER) * 0.64 - 2
    held = sum(item_height(item, width, scale) for item in view.items) / look.item_columns
    left = full - (36 + held) % full
    return max(0, min(SPARE, int((left - 12) / ruled)))


def reference(view: SheetView, look: Look) -> list[Columns[Explained]]:
    """Set the reference in columns to read down."""
    room = look.page.height - 2
    parts = [piece for part in _explained(view) for piece in _pieces(part)]
    width = _width(look, GUTTER)
    sizes = [entry_height(part.entry, bool(part.heading), width, scale_of(look)) for part in parts]
    return list(_down(parts, sizes, room - 17, room, look.columns))


def tales(view: SheetView, look: Look) -> list[Columns[Tale]]:
    """Set the texts of the story in columns to read down."""
    told = _tales(view, 6 if look.blank else 2)
    width, full = _width(look, GUTTER), look.page.height
    sizes = [tale_height(tale.text, tale.lines, width, scale_of(look)) for tale in told]
    return list(_down(told, sizes, full, full, look.columns))


def _width(look: Look, gutter: float) -> float:
    return (look.page.width + gutter) / look.columns - gutter


def traits(view: SheetView) -> tuple[StoryPart, ...]:
    """Return the lists of the story, and the training as one of them."""
    told = tuple(Told(one.name, one.text) for one in view.training)
    own = tuple(part for part in view.story if part.form == "many")
    if not view.training_label:
        return own
    return (*own, StoryPart("", "", view.training_label, "many", told))


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
    yield Explained(part.heading, replace(entry, text=kept, actions=() if kept else entry.actions))
    for block in entry.text[2:]:
        yield Explained("", Entry("", "", (block,)))
    for action in entry.actions if kept else ():
        yield Explained("", Entry("", "", (), (action,)))


def _tales(view: SheetView, blank: int) -> list[Tale]:
    """Return the texts of the story: one's own, then what the headline says of itself."""
    own = []
    for part in view.story:
        if part.form == "text":
            text = tuple(block for told in part.told for block in told.text)
            own.append(Tale(part.label, part.section, text, 1 if text else blank))
    return own + [Tale(one.name, one.kind, one.text, 0) for one in view.headline if one.text]


def _down(
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
