"""The pages of a full sheet: smaller type saves those that are nearly empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, takewhile
from math import ceil
from typing import NamedTuple

from charforge.sheet.laid_out import TYPE_PART, LaidOutSheet, MeasuredSheet, Place
from charforge.sheet.print_options import PrintOptions

PULLING_SCALES = (0.95, 0.9, 0.85)  # of the type of a sheet with nearly empty pages
LEAST_PART = 0.25  # of the height of a page: with less on it, it is nearly empty
LEAST_END = 0.33  # of the height of a last page: with less, smaller type may save it
FEW_LINES = 0.125  # of the height of a page: less of a section there belongs on the page before
CARD_PART = 0.06  # of the height of a page: the room that is left where a card did not fit
# Where a section begins, the end of what is before it, and how much room there is too much.
BEGINNINGS = (
    ("abilities", "fight-end", LEAST_PART, 0.0),
    ("gear", "abilities-end", 0.13, 0.06),
)
PAGE_TOLERANCE = 0.02  # pages by which what fits is judged too large before it is laid out
WIDE_TYPE_PART = 0.65  # of the height of a wide page at most depends on the type
PRIMER_PART = 0.09  # of the height of a page: about what the first steps of a game take


def with_full_pages(
    lay_out_with: Callable[[PrintOptions], LaidOutSheet], options: PrintOptions
) -> Trial:
    """Lay out a sheet, or another part of a document, so that few pages are nearly empty.

    A layout takes most of the time of a PDF, so one other way is tried at most, and one more for a
    sheet whose first steps of the game have to go. What smaller type saves (in large print, less
    room between lines) is estimated from the first layout; so is what leaving out the first steps
    of the game saves, which are never printed if attacks or abilities are on another page than the
    first. If that alone is promised to be enough, what it leaves is judged as the first layout of a
    sheet without them. Of the ways that promise the fewest pages and nearly empty places, the
    middle one is tried: the first may fall short of its promise, and the last has the smallest
    type. Of two it is the one in smaller type, which may save a page; on wide paper that in larger
    type, because a page is low there and fills with a few lines more. It is printed if it is better
    than the first layout; if not, and if the first steps have to go, the sheet is printed without
    them in the largest type that may leave the fewest nearly empty places.
    """
    first = Trial.of(lay_out_with(options), options)
    divided = options.primer and first.divides_fight
    if first.is_full and not divided:
        return first
    smaller = PULLING_SCALES[:1] if options.large else PULLING_SCALES
    scales = (options.type_scale, *(scale for scale in smaller if scale < options.type_scale))
    primers = (True, False) if options.primer and not divided else (False,)
    ways = [Way(primer, scale) for primer in primers for scale in scales]
    promises = {way: first.promise(way) for way in ways}
    most = min(promises.values())
    if most >= first.emptiness and not divided:
        return first
    likely = [way for way in ways if promises[way] == most]
    if divided and likely[0] == ways[0]:  # It is enough to leave out the first steps.
        return with_full_pages(lay_out_with, replace(options, primer=False))
    way = likely[(len(likely) - options.is_wide) // 2]
    tried = replace(options, **way._asdict())
    second = Trial.of(lay_out_with(tried), tried)
    if second.emptiness < first.emptiness:
        return second
    if divided:
        safe = {way: first.promise(way, PAGE_TOLERANCE) for way in ways}
        largest = min(ways, key=lambda way: safe[way].faults)  # the first of equals
        if largest == way:
            return second
        tried = replace(options, **largest._asdict())
        return Trial.of(lay_out_with(tried), tried)
    return first


class Way(NamedTuple):
    """A way to make room on the pages of a sheet."""

    primer: bool
    type_scale: float


@dataclass(frozen=True)
class Trial(MeasuredSheet):
    """A full sheet, with the places on its pages that are nearly empty."""

    @cached_property
    def gaps(self) -> list[Gap]:
        """The nearly empty places."""
        last = [Gap(self.end.page, self.end.above)] if self.is_short_end(self.end) else []
        return [*last, *self.gaps_within]

    @cached_property
    def gaps_within(self) -> list[Gap]:
        """The nearly empty places but the last page."""
        return [*self._few_lines(), *self._abilities_alone(), *self._room_at_ends()]

    def is_short_end(self, end: Place) -> bool:
        """Return whether an end leaves few lines on its page, fewer with room for notes below."""
        least = FEW_LINES if self.options.fills_last_page else LEAST_END
        return end.page > 1 and not self.is_back(end.page) and end.above < least

    @cached_property
    def units(self) -> list[str]:
        """The ids of the frames of companions and vehicles."""
        units = (f"unit-{number}" for number in count(1))
        return [*takewhile(lambda unit: f"{unit}-end" in self.places, units)]

    def _few_lines(self) -> Iterator[Gap]:
        """Yield the pages that begin with a few lines of what is on the page before."""
        parts = {
            "abilities": LEAST_PART,
            "story": FEW_LINES,
            **dict.fromkeys(self.units, LEAST_PART),
        }
        for name, most in parts.items():
            if name in self.places:
                start, end = self.places[name], self.places[f"{name}-end"]
                if end.page > start.page and end.above < most:
                    left = CARD_PART if name == "abilities" else 0.0
                    yield Gap(end.page, end.above - left)

    def _abilities_alone(self) -> Iterator[Gap]:
        """Yield the page on which there are a few abilities without the attacks."""
        names = ("fight-end", "abilities", "abilities-end")
        if all(name in self.places for name in names):
            before, start, end = (self.places[name] for name in names)
            if before.page < start.page == end.page and end.above < LEAST_PART:
                yield Gap(end.page, end.above + before.above - 1)

    def _room_at_ends(self) -> Iterator[Gap]:
        """Yield the pages that begin with a part that did not fit into much room before them."""
        frames = (
            (unit, f"unit-{number}-end", LEAST_PART, 0.0) for number, unit in enumerate(self.units)
        )
        for name, before_it, most, least in (*BEGINNINGS, *frames):
            if name in self.places and before_it in self.places:
                start, before = self.places[name], self.places[before_it]
                room = 1 - before.above
                if start.page > before.page and room > most:
                    end = self.places.get(f"{name}-end", start) if name in self.units else start
                    need = end.above if end.page == start.page else start.above
                    yield Gap(start.page, need + least - room, room)

    @property
    def emptiness(self) -> Emptiness:
        """How empty the pages are."""
        return Emptiness(self.end.page, len(self.gaps), room=_room(self.gaps))

    def is_back(self, last: int) -> bool:
        """Return whether a last page is the back of a single sheet and has lines to write on."""
        return last == 2 and self.options.has_room and self.options.free_back

    @property
    def is_full(self) -> bool:
        """Whether no page is nearly empty, except the back of a single sheet with lines on it."""
        enough = self.end.page == 1 or self.is_back(self.end.page) or self.end.above >= LEAST_END
        return enough and not self.gaps

    @property
    def divides_fight(self) -> bool:
        """Whether attacks or abilities are on another page than the first."""
        ends = [self.places[name] for name in ("fight-end", "abilities-end") if name in self.places]
        return any(end.page > 1 for end in ends)

    def promise(self, way: Way, spare: float = 0.0) -> Emptiness:
        """Return how empty the sheet may be in another way, by the room that this makes.

        What fits in an empty place leaves ``spare`` room on its page, because it is an estimate.
        """
        type_part = WIDE_TYPE_PART if self.options.is_wide else TYPE_PART
        if self.options.layout == "reference":
            type_part = 1.0
        smaller = (1 - way.type_scale / self.options.type_scale) * type_part
        primer = PRIMER_PART * (self.options.primer - way.primer)
        gaps = self.gaps_within
        left = [gap for gap in gaps if gap.need + spare > smaller * (gap.page - 1) + primer]
        filled = sum(gap.room for gap in gaps) - sum(gap.room for gap in left)
        size = self.end.pages_above - filled - smaller * (self.end.page - 1) - primer
        pages = max(ceil(size - PAGE_TOLERANCE), 1)
        short_end = self.is_short_end(Place(pages, size - (pages - 1)))
        left = [gap for gap in left if gap.page <= pages]
        return Emptiness(pages, len(left), short_end, _room(left))


class Emptiness(NamedTuple):
    """The numbers to compare: fewer pages are better, then fewer nearly empty places, less room.

    Of a promise, the last page is not one of the places: a little more saved may save it. ``room``
    is in tenths of a page, because a few lines are not worth smaller type.
    """

    pages: int
    gaps: int
    short_end: bool = False
    room: float = 0.0

    @property
    def faults(self) -> int:
        """The nearly empty places, a last page included."""
        return self.gaps + self.short_end


class Gap(NamedTuple):
    """A nearly empty place: the page that begins with what should be on the page before.

    ``need`` is how much room that needs there, and ``room`` how much there is, as shares of the
    height of a page.
    """

    page: int
    need: float
    room: float = 0.0


def _room(gaps: Iterable[Gap]) -> float:
    return round(sum(gap.room for gap in gaps), 1)
