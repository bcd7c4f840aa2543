"""Cards whose texts fit: in smaller type, as digests, or on several cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count, takewhile
from typing import NamedTuple

from charforge.errors import UsageError
from charforge.language import _
from charforge.sheet.cards import FittedCard, Piece, PrintCard, divided, joined, variants
from charforge.sheet.laid_out import LaidOutSheet, lay_out_view
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import SheetView

SLACK = 0.5  # CSS pixels
SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of the room of a card, to divide a text evenly
DIVIDED_SIZES = (8.5, 7.75)  # points: the type of cards that continue on another
# How much too high a variant may be by its length and still be measured: the same text, another.
LIKELY, MAYBE = 1.1, 1.5
LONG_CARD = 3_000  # characters; a longer text is not measured in two sizes


class Room(NamedTuple):
    """The measures of a card in CSS pixels: the room for its text, and where each piece begins.

    ``tops`` has the end of the text as well.
    """

    room: float
    tops: tuple[float, ...]

    @property
    def used(self) -> float:
        """The share of the room that the text takes."""
        return (self.tops[-1] - self.tops[0] - SLACK) / max(self.room, 1)


def fit_cards(view: SheetView, options: PrintOptions, cards: Sequence[PrintCard]) -> LaidOutSheet:
    """Return the pages of all cards, each in the first variant that fits.

    All cards are measured together, then only those that are too long.
    """
    ways = [variants(card, options) for card in cards]
    if not ways:
        raise UsageError(
            _("{name} has no cards to print").format(name=view.name),
            _("Choose others with --cards."),
        )
    sheet = lay_out_view(view, options, cards=[each[0] for each in ways])
    rooms = measured_cards(sheet, len(ways))
    chosen = [[each[0]] for each in ways]
    too_long = [number for number, room in enumerate(rooms) if room.used > 1]
    if not too_long:
        return sheet
    del sheet  # long texts take much memory
    trials = {number: _likely(ways[number], rooms[number].used) for number in too_long}
    for number, measured in _trial(view, options, trials).items():
        fitting = [card for card, room in measured if room.used <= 1]
        if fitting:
            chosen[number] = fitting[:1]
            del trials[number]
    divided_cards = {number: _to_divide(ways[number]) for number in trials}
    for number, measured in _trial(view, options, divided_cards).items():
        chosen[number] = min((divide_card(card, room) for card, room in measured), key=len)
    return lay_out_view(view, options, cards=[card for parts in chosen for card in parts])


def _trial(
    view: SheetView, options: PrintOptions, trials: Mapping[int, Sequence[FittedCard]]
) -> dict[int, list[tuple[FittedCard, Room]]]:
    """Return the measures of variants of some cards, which are laid out together."""
    cards = [card for tried in trials.values() for card in tried]
    if not cards:
        return {number: [] for number in trials}
    rooms = iter(measured_cards(lay_out_view(view, options, cards=cards), len(cards)))
    return {number: [(card, next(rooms)) for card in tried] for number, tried in trials.items()}


def _likely(ways: Sequence[FittedCard], used: float) -> list[FittedCard]:
    """Return the other variants of a card, without those that are hopeless.

    ``used`` is the share of the room that the first takes. A text takes room by its length and
    by the square of its type size; that only decides what is worth measuring.
    """
    first, *others = ways
    per_letter = used / (max(first.length, 1) * first.size**2)
    return [
        way
        for way in others
        if per_letter * way.length * way.size**2
        <= (LIKELY if way.digest == first.digest else MAYBE)
    ]


def _to_divide(ways: Sequence[FittedCard]) -> list[FittedCard]:
    """Return a card in sizes to divide: each piece by itself, and with room for its number."""
    last = ways[-1]
    sizes = [way for way in ways if way.size in DIVIDED_SIZES and way.digest == last.digest]
    if last.length > LONG_CARD:
        sizes = sizes[:1]
    return [
        way._replace(pieces=divided(way.pieces), number=1, total=2, measured=True)
        for way in sizes or [last]
    ]


def divide_card(card: FittedCard, measured: Room) -> list[FittedCard]:
    """Return the cards that a card is divided into, as few as possible and about equally full."""
    every = (parts_within(card, measured, share) for share in SHARES)
    parts = min(every, key=len)  # of those with the fewest parts the first, which is the most even
    return [
        card._replace(pieces=joined(part), number=number, total=len(parts), measured=False)
        for number, part in enumerate(parts, 1)
    ]


def parts_within(card: FittedCard, measured: Room, share: float) -> list[list[Piece]]:
    """Return the pieces of each card if a ``share`` of the room is used."""
    parts: list[list[Piece]] = [[]]
    top = measured.tops[0]
    for first, last in _groups(card.pieces):
        if parts[-1] and measured.tops[last] - top > share * measured.room + SLACK:
            parts.append([])
            top = measured.tops[first]
        parts[-1] += card.pieces[first:last]
    return parts


def _groups(pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Yield where pieces that belong on the same card begin and end."""
    first = 0
    for last, piece in enumerate(pieces, 1):
        if not piece.stays or last == len(pieces):
            yield first, last
            first = last


def measured_cards(sheet: LaidOutSheet, number: int) -> list[Room]:
    """Return the measures of the cards of a page of HTML, in their order."""
    tops: dict[str, float] = {
        name: position[1]
        for page in sheet.document.pages
        for name, position in page.anchors.items()
    }
    rooms = []
    for card in range(1, number + 1):
        begin, end = tops[f"text-{card}"], tops[f"end-{card}"]
        later = takewhile(tops.__contains__, (f"piece-{card}-{piece}" for piece in count(2)))
        rooms.append(
            Room(tops[f"foot-{card}"] - begin, (begin, *(tops[name] for name in later), end))
        )
    return rooms
