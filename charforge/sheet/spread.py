"""Two columns to a page, filled by estimate.

Real columns would lay every page out several times over. Instead each
part's height is estimated, and every pair of columns is a table of its
own: one that turns out longer than thought only moves the next one down.
Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from charforge.prose import Prose, own_words
from charforge.sheet.estimate import card_height, entry_height, height_above_cards, tale_height
from charforge.sheet.view import Card, Entry, SheetView, StoryPart, Told

LEAST = 40.0
BLANK = 8.3


P = TypeVar("P")
Columns = tuple[tuple[P, ...], tuple[P, ...]]


@dataclass(frozen=True, slots=True)
class Page:
    """The room of a page inside its margins."""

    width: float
    height: float


PAGES = {"a4": Page(190.0, 272.0), "letter": Page(195.9, 254.4)}


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
    """The first page: blank lines among the attacks, and the cards in columns."""

    blank: int
    columns: list[Columns[Card]]


def fight(view: SheetView, paper: str) -> Fight:
    """Set the cards in columns to read across, beginning below the rest of the first page.

    A blank line among the attacks is given up when that saves a page.
    """
    page = PAGES[paper]
    room, full = page.height - 1 - height_above_cards(view, page.width), page.height - 1
    width = page.width / 2 - 7.3
    sizes = [card_height(card, width) for card in view.cards]
    for blank in (1, 0):
        set_ = list(_across(view.cards, sizes, room - blank * BLANK, full))
        if len(set_) <= 1 and room - blank * BLANK >= LEAST:
            return Fight(blank, set_)
    return Fight(1, list(_across(view.cards, sizes, room - BLANK, full)))


def reference(view: SheetView, paper: str) -> list[Columns[Explained]]:
    """Set the reference in columns to read down."""
    page = PAGES[paper]
    width = page.width / 2 - 3
    room = page.height - 2
    parts = [piece for part in _explained(view) for piece in _pieces(part)]
    sizes = [entry_height(part.entry, bool(part.heading), width) for part in parts]
    return list(_down(parts, sizes, room - 17, room))


def tales(view: SheetView, paper: str) -> list[Columns[Tale]]:
    """Set the texts of the story in columns to read down."""
    page = PAGES[paper]
    width = page.width / 2 - 3
    told = _tales(view)
    sizes = [tale_height(tale.text, tale.lines, width) for tale in told]
    return list(_down(told, sizes, page.height, page.height))


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


def _tales(view: SheetView) -> list[Tale]:
    """Return the texts of the story: one's own, then what the headline says of itself."""
    own = []
    for part in view.story:
        if part.form == "text":
            text = tuple(block for told in part.told for block in told.text)
            own.append(Tale(part.label, part.section, text, 1 if text else 2))
    return own + [Tale(one.name, one.kind, one.text, 0) for one in view.headline if one.text]


def _down(
    parts: Sequence[P], sizes: Sequence[float], first: float, full: float
) -> Iterator[Columns[P]]:
    """Yield columns filled from top to bottom; the last two are even."""
    room = first
    while parts:
        left = _even(sizes)
        right = len(parts)
        if sum(sizes) > 2 * room:
            left = _fitting(sizes, room)
            right = left + _fitting(sizes[left:], room)
        yield tuple(parts[:left]), tuple(parts[left:right])
        parts, sizes, room = parts[right:], sizes[right:], full


def _across(
    parts: Sequence[P], sizes: Sequence[float], first: float, full: float
) -> Iterator[Columns[P]]:
    """Yield columns of which each part takes the shorter one."""
    room = first if first >= LEAST else full
    left: list[P] = []
    right: list[P] = []
    filled = [0.0, 0.0]
    for part, size in zip(parts, sizes, strict=True):
        side = 0 if filled[0] <= filled[1] else 1
        if filled[side] and filled[side] + size > room:
            yield tuple(left), tuple(right)
            left, right, filled, room, side = [], [], [0.0, 0.0], full, 0
        (right if side else left).append(part)
        filled[side] += size
    if left:
        yield tuple(left), tuple(right)


def _fitting(sizes: Sequence[float], room: float) -> int:
    """Return how many parts fit; at least one."""
    total, number = 0.0, 0
    for size in sizes:
        total += size
        if number and total > room:
            break
        number += 1
    return number


def _even(sizes: Sequence[float]) -> int:
    """Return where to cut so that the longer column is shortest."""
    return min(range(1, len(sizes) + 1), key=lambda cut: max(sum(sizes[:cut]), sum(sizes[cut:])))
