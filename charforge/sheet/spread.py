"""Columns of a page, filled by estimate.

Real columns would lay every page out several times over. Instead each
part's height is estimated, and every row of columns is a table of its
own: one that turns out longer than thought only moves the next one down.
Cards are a single table, whose columns go on from page to page. Lengths
are millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from charforge.expressions.markup import Prose, player_text
from charforge.sheet import panels
from charforge.sheet.estimate import (
    card_height,
    entry_height,
    height_above_cards,
    item_height,
    scale_of,
)
from charforge.sheet.print_options import Look
from charforge.sheet.view import Card, Entry, Item, SheetView

LEAST = 34.0
SPARE_LINE = 6.0  # left empty at the end of columns, should one be a line longer than thought
NOTES = 34.0  # a heading and a few lines to write on
ABOVE_ITEMS = 36.0  # the head of the page, the money, the head of the table
AFTER = 6.4  # what is left free before a section that follows on the same page
HEADS = 6.0  # the head of the table, again on each page
MOST_REST = 0.6  # of a page, that cards may take before what follows them on it
LONG = 0.25  # of a page: a longer card may be cut between its parts
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
    ``fresh`` cards begin on the next page; ``long`` are the ids of those that a page may cut.
    """

    blank: int
    columns: tuple[tuple[Card, ...], ...]
    slots: int
    slot_height: float = SLOT
    rest: float = 0.0
    left: float = 0.0
    fresh: bool = False
    long: frozenset[str] = frozenset()

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
        return _empty(room, look) if view.cards_label else Fight(2, (), 0)
    parts = [tuple(_parts(card, look)) for card in view.cards]
    long = frozenset(card.id for card, own in zip(view.cards, parts, strict=True) if len(own) > 1)
    slots = -(-view.empty_slots // look.columns) * (SLOT + CARDS_GUTTER)
    for blank in (1, 0):
        left = room - blank * scale_of(look).ruled
        columns, ends = _flowing(view.cards, parts, left - slots, full, look.columns)
        if ends <= left - slots and (look.columns > 1 or blank):
            rest = full - left + ends if moved else 0.0
            left -= slots + ends
            return Fight(blank, columns, view.empty_slots, rest=rest, left=left, long=long)
    left = max(room - scale_of(look).ruled, 0.0)
    columns, ends = _flowing(view.cards, parts, left, full, look.columns)
    # What the first page takes of them may after all be on the next.
    begun = any(own[0] <= left for own in parts)
    rest = (ends + slots - left + (0 if begun else scale_of(look).heading)) % full
    last = full - rest if begun and look.columns > 1 else 0.0
    fresh = bool(beside and not begun)
    return Fight(1, columns, view.empty_slots, rest=rest, left=last, fresh=fresh, long=long)


def _parts(card: Card, look: Look) -> Iterator[float]:
    """Yield the heights of a card's parts: of a long one those between which it may be cut."""
    width, scale = column_width(look, CARDS_GUTTER) - INSIDE, scale_of(look)
    whole, above = card_height(card, width, scale), 0.0
    if whole > LONG * look.page.height:
        for begun in _begun(card):
            height = card_height(begun, width, scale)
            yield height - above
            above = height
    else:
        yield whole


def _begun(card: Card) -> Iterator[Card]:
    """Yield a card as far as each of its actions, or each block of its only one."""
    for number in range(1, len(card.actions)):
        yield card._replace(actions=card.actions[:number])
    if len(card.actions) == 1:
        action = card.actions[0]
        taken: Prose = ()
        for group in _groups(action.text)[:-1]:
            taken += group
            yield card._replace(actions=(action._replace(text=taken),))
    yield card


def _empty(room: float, look: Look) -> Fight:
    """Share what is left of an empty first page among attacks and Slots to fill in."""
    ruled = scale_of(look).ruled + 0.3
    attacks = max(2, int(0.4 * room / ruled))
    left = room - attacks * ruled - scale_of(look).heading
    rows = max(1, int(left // 24))
    height = max(SLOT, round(left / rows - CARDS_GUTTER - 1, 1))
    return Fight(attacks, (), rows * look.columns, height)


def follows(view: SheetView, first: Fight, look: Look) -> float:
    """Return how far down the equipment begins on the last page of cards; 0 for its own page.

    It follows where it ends on that page, or where units fill the next one;
    on a wide page always.
    """
    full = look.page.height
    if not 0 < first.rest < MOST_REST * full:
        return 0.0
    begins = first.rest + AFTER
    ends = begins + ABOVE_ITEMS + _held(view, look) <= full
    goes_on = look.sections_continue and any(_items(view, look, begins)[0])
    return begins if ends or view.units or goes_on else 0.0


def gear_ends(view: SheetView, look: Look, above: float) -> float:
    """Return how far down the story begins on the last page of equipment; 0 for its own page."""
    if not look.sections_continue or view.units or look.blank or look.fillable:
        return 0.0
    full = look.page.height
    *others, (page, last) = _ends_of_items(view, look, above)
    last += spare(view, look, above) * (scale_of(look).ruled + 0.3)
    ends = max([*others, (page, last)])[1] + AFTER
    return round(ends, 1) if ends < MOST_REST * full else 0.0


def _ends_of_items(view: SheetView, look: Look, above: float) -> list[tuple[int, float]]:
    """Return for each column of equipment on which page it ends, and how far down."""
    full, usual = look.page.height, look.page.height - HEADS
    found = []
    for column in gear(view, look, above):
        end = _ends(ABOVE_ITEMS + above, _item_heights(column, look), full, usual)
        page, down_to = divmod(max(end - full, 0.0), usual)
        found.append((int(page) + 1, down_to + HEADS) if end > full else (0, end))
    return found


def _held(view: SheetView, look: Look) -> float:
    """Return the height of a column of equipment."""
    return sum(_item_heights(view.unlisted_items, look)) / look.item_columns


def _item_heights(items: Sequence[Item], look: Look) -> list[float]:
    """Return the height of each piece of equipment, whose words stand beside its name."""
    width = ((look.page.width + GUTTER) / look.item_columns - GUTTER) * 0.64 - 2
    return [item_height(item, width, scale_of(look)) for item in items]


def gear(view: SheetView, look: Look, above: float = 0.0) -> tuple[tuple[Item, ...], ...]:
    """Set the equipment in columns that go on from page to page: two where a page is wide.

    ``above`` is the height of what stands over it on its first page.
    """
    rows = _items(view, look, above)
    return tuple(
        tuple(item for part in column for item in part) for column in zip(*rows, strict=True)
    )


def _items(view: SheetView, look: Look, above: float) -> list[Columns[Item]]:
    """Return the columns of equipment page by page."""
    sizes, columns = _item_heights(view.unlisted_items, look), look.item_columns
    room = look.page.height - SPARE_LINE
    return list(
        down(view.unlisted_items, sizes, room - ABOVE_ITEMS - above, room - 6, columns)
    ) or [((),) * columns]


def spare(view: SheetView, look: Look, above: float = 0.0) -> int:
    """Return how many lines there are for more equipment: on an empty sheet a page of them.

    Otherwise three, or as many as fit without another page.
    """
    scale = scale_of(look)
    ruled, full = scale.ruled + 0.3, look.page.height
    if look.blank:
        return int((full - 2 * scale.heading - 22) / ruled)
    left = full - _ends_of_items(view, look, above)[-1][1]
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
    ruled = tuple(Entry("", rule.label, player_text(rule.text)) for rule in view.table_rules)
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
    kept, *rest = _groups(entry.text)
    yield Explained(part.heading, entry._replace(text=kept, actions=() if kept else entry.actions))
    for group in rest:
        yield Explained("", Entry("", "", group))
    for action in entry.actions if kept else ():
        yield Explained("", Entry("", "", (), (action,)))


def _groups(text: Prose) -> list[Prose]:
    """Part a text where a column may end: not in its first two blocks, nor before a list."""
    groups = [text[:2]]
    for block in text[2:]:
        if block.listed and not groups[-1][-1].listed:
            groups[-1] += (block,)
        else:
            groups.append((block,))
    return groups


def down(
    parts: Sequence[P], sizes: Sequence[float], first: float, full: float, columns: int
) -> Iterator[Columns[P]]:
    """Yield columns filled from top to bottom; the last ones are even.

    What does not fit the ``first`` of them waits for a ``full`` one.
    """
    if columns == 1:  # pages break by themselves
        yield from [(tuple(parts),)] if parts else []
        return
    room, least = first, int(first >= full)
    while parts:
        high = min(_even(sizes, columns), room)
        row = []
        for _ in range(columns):
            # The height that is even may be less than a part of its own has, but not the room.
            fits = _fitting(sizes, high, least or int(bool(sizes) and sizes[0] <= room))
            row.append(tuple(parts[:fits]))
            parts, sizes = parts[fits:], sizes[fits:]
        yield tuple(row)
        room, least = full, 1


def _flowing(
    cards: Sequence[Card],
    parts: Sequence[Sequence[float]],
    first: float,
    full: float,
    columns: int,
) -> tuple[tuple[tuple[Card, ...], ...], float]:
    """Return columns that go on from page to page, and where the longest ends.

    Each card takes the shortest column; one that does not begin on a page
    leaves its room to those after it.
    """
    filled = [0.0] * columns
    made: list[list[Card]] = [[] for _ in range(columns)]
    waiting, page_ends = list(zip(cards, parts, strict=True)), max(first, 0.0)
    while waiting:
        later = []
        for card, heights in waiting:
            side = filled.index(min(filled))
            if filled[side] + heights[0] > page_ends and (columns > 1 and heights[0] <= full):
                later.append((card, heights))
                continue
            made[side].append(card)
            filled[side] = _ends(filled[side], heights, page_ends, full)
        waiting = later
        filled = [max(end, page_ends) for end in filled] if waiting else filled
        page_ends += full if waiting else 0.0
    return tuple(map(tuple, made)) if cards else (), max(filled)


def _ends(begins: float, parts: Sequence[float], page_ends: float, full: float) -> float:
    """Return where a card ends whose parts go on on the next page where they do not fit."""
    end = begins
    for part in parts:
        while end + part > page_ends and part <= full:
            end, page_ends = max(end, page_ends), page_ends + full
        end += part
    return end


def _fitting(sizes: Sequence[float], room: float, least: int = 1) -> int:
    """Return how many parts fit; ``least`` do."""
    total, number = 0.0, 0
    for size in sizes:
        total += size
        if number >= least and total > room + 0.01:
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
