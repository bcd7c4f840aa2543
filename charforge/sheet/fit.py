"""Content that has to fit: the short sheet on one page, the text of each card on its card.

It is laid out and measured, and what does not fit is laid out again one step smaller: first with
the full texts of rules, then with their digests, then in smaller type. What fits in no step is
left out of a short sheet, and continues on another card. On a full sheet, smaller type saves pages
that are nearly empty.
Positions are those that WeasyPrint gives for elements with an id, so nothing is estimated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count, takewhile
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from charforge.errors import UsageError
from charforge.language import _
from charforge.sheet.cards import (
    FittedCard,
    Piece,
    PrintCard,
    divided,
    joined,
    print_cards,
    variants,
)
from charforge.sheet.form_fields import draw_fields
from charforge.sheet.html import render_html
from charforge.sheet.pdf import lay_out, write
from charforge.sheet.print_options import (
    DIGESTS,
    LINES,
    NAMES,
    PROSE,
    SIDE,
    PrintOptions,
    SheetSection,
)
from charforge.sheet.values import UnitAudit
from charforge.sheet.view import SheetView

if TYPE_CHECKING:
    from weasyprint.document import Document  # needs system libraries when it is imported

TYPE_SCALES = (0.9, 0.8)  # of the type of a short sheet; 0.8 of its text is 7 points
TEMPLATE_SCALES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7)  # of the type of a template, the largest first
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
MUCH_TOO_LONG = 1.6  # pages of digests for which the briefest texts are laid out next
TOLERANCE = 0.03  # pages by which what fits is judged too large before it is laid out
PAGE_TOLERANCE = 0.02  # the same of a full sheet
PAGE_OF_HTML = 16_000  # characters of the HTML of a short sheet that fills a page
TYPE_PART = 0.75  # of the height of a page at most depends on the type, but all of a reference
WIDE_TYPE_PART = 0.65  # the same on wide paper
PRIMER_PART = 0.09  # of the height of a page: about what the first steps of a game take
MM = 96 / 25.4  # CSS pixels
SLACK = 0.5  # CSS pixels
SHARES = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0)  # of the room of a card, to divide a text evenly
DIVIDED_SIZES = (8.5, 7.75)  # points: the type of cards that continue on another
# How much too high a variant may be by its length and still be measured: the same text, another.
LIKELY, MAYBE = 1.1, 1.5
LONG_CARD = 3_000  # characters; a longer text is not measured in two sizes


class FittedSheet(NamedTuple):
    """A sheet whose content fits: its HTML and its printed pages."""

    html: str
    document: Document


def sheet_pdf(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit] = (),
    attached: Mapping[str, bytes] | None = None,
) -> bytes:
    """Return a sheet as a PDF/UA document.

    ``audit`` adds pages that list the steps of each value, ``attached`` are files by name, to be
    attached. Raises SheetError if a system library or a font is missing.
    """
    html, document = fit_sheet(view, options, audit)
    return write(document, [html], attached, draw_fields if options.fillable else None)


def fit_sheet(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit] = (),
    cards: Sequence[PrintCard] | None = None,
) -> FittedSheet:
    """Return the pages of a sheet; the content of a short sheet and of cards fits.

    ``cards`` are those of a layout of cards, if not all of the view. Raises UsageError if there
    is no card to print, and SheetError like ``render_pdf``.
    """
    if options.layout == "short":
        sheet = _fit_page(view, options, audit)
        if _has_blank_pages(sheet):
            sheet = _fit_page(view, replace(options, room=False), audit)
        return sheet
    if options.layout == "cards":
        deck = print_cards(view, options) if cards is None else cards
        return _fit_cards(view, options, deck)
    lay_out_with = partial(_sheet, view, audit=audit)
    has_primer = view.primer and options.layout == "full" and options.prints("fight")
    if not has_primer or options.large or options.blank:
        options = replace(options, primer=False)
    full = with_full_pages(lay_out_with, options)
    # Lines to write on are not worth a page of their own, unless it is the back of the only page.
    on_back = full.end.page == 1 and options.free_back
    if options.has_room and not on_back and _has_blank_pages(full.sheet):
        return lay_out_with(replace(full.options, room=False))
    return full.sheet


def _sheet(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit] = (),
    cards: Sequence[FittedCard] | None = None,
) -> FittedSheet:
    html = render_html(view, replace(options, measured=True), audit, cards=cards)
    return lay_out_sheet(html, options)


def fit_template(
    render: Callable[[PrintOptions], str], options: PrintOptions, pages: int | None
) -> FittedSheet:
    """Return the pages of a template; with a number of pages, brief and small enough for that.

    With digests in the smallest type that needs more pages, it is printed as brief as it can be;
    if that does not fit either, with digests.
    """

    def printed(scale: float, brevity: int = DIGESTS) -> FittedSheet:
        html = render(replace(options, brevity=brevity, type_scale=scale))
        return lay_out_sheet(html, options)

    sheet = lay_out_sheet(render(options), options)
    if pages is None or len(sheet.document.pages) <= pages:
        return sheet
    sheet = printed(1.0)
    if len(sheet.document.pages) <= pages:
        return sheet
    scales = [*TEMPLATE_SCALES]
    sheet = smallest = printed(scales.pop())
    if len(sheet.document.pages) > pages:
        briefest = printed(TEMPLATE_SCALES[-1], PROSE)
        if len(briefest.document.pages) <= pages:
            return briefest
    while scales:  # larger ones than that of the sheet, from which the largest that fits is chosen
        middle = len(scales) // 2
        trial = printed(scales[middle])
        if len(trial.document.pages) <= max(pages, len(smallest.document.pages)):
            sheet, scales = trial, scales[:middle]
        else:
            scales = scales[middle + 1 :]
    return sheet


def lay_out_sheet(html: str, options: PrintOptions) -> FittedSheet:
    """Return the HTML of a sheet with its printed pages."""
    return FittedSheet(html, lay_out(html, options.fillable))


# ---------------------------------------------------------------- the full sheet


def with_full_pages(
    lay_out_with: Callable[[PrintOptions], FittedSheet], options: PrintOptions
) -> Trial:
    """Lay out a sheet, or another part of a document, so that few pages are nearly empty.

    A layout takes most of the time of a PDF, so one other way is tried at most. What smaller type
    saves (in large print, less room between lines) is estimated from the first layout; so is what
    leaving out the first steps of the game saves, which are never printed if attacks or abilities
    are on another page than the first. If that alone is promised to be enough, what it leaves is
    judged as the first layout of a sheet without them. Of the ways that promise the fewest pages
    and nearly empty places, the middle one is tried: the first may fall short of its promise, and
    the last has the smallest type. Of two it is the one in smaller type, which may save a page; on
    wide paper that in larger type, because a page is low there and fills with a few lines more. It
    is printed if it is better than the first layout; if not, and if the first steps have to go, the
    sheet is printed without them in the largest type that may leave the fewest nearly empty places.
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
class Trial:
    """A laid out sheet, and what was measured of it.

    ``places`` are where elements with an id begin.
    """

    sheet: FittedSheet
    options: PrintOptions
    places: Mapping[str, Place]

    @classmethod
    def of(cls, sheet: FittedSheet, options: PrintOptions) -> Trial:
        """Measure a sheet."""
        return cls(sheet, options, _places(sheet, options))

    @property
    def end(self) -> Place:
        """Where the sheet ends, without lines to write on."""
        return self.places.get("end", Place(1, 1.0))

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
    """What to compare: fewer pages are better, then fewer nearly empty places, then less room.

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


class Place(NamedTuple):
    """Where something is: its page and how much of the height of that page is above it."""

    page: int
    above: float

    @property
    def pages_above(self) -> float:
        """How much of a sheet is above it, in pages."""
        return self.page - 1 + self.above


def _places(sheet: FittedSheet, options: PrintOptions) -> dict[str, Place]:
    """Return where the elements with an id begin."""
    places: dict[str, Place] = {}
    for number, page in enumerate(sheet.document.pages, 1):
        for name, position in page.anchors.items():
            above = (float(position[1]) / MM - SIDE) / options.page.height
            places.setdefault(name, Place(number, above))
    return places


# ---------------------------------------------------------------- the short sheet


def _fit_page(view: SheetView, options: PrintOptions, audit: Sequence[UnitAudit]) -> FittedSheet:
    """Return a short sheet on one page; in large print and blank on as few as possible.

    Long texts are laid out with digests first: if those need another page, so do full texts.
    """
    brief = replace(options, brevity=DIGESTS)
    html, brief_html = render_html(view, options, audit), render_html(view, brief, audit)
    full = None if _is_long(html) and html != brief_html else lay_out_sheet(html, options)
    if full and (_pages(full) == 1 or html == brief_html):
        digest = full
    else:
        digest = lay_out_sheet(brief_html, options)
    pages = _pages(digest)
    if pages == 1:
        return digest
    if options.large or options.blank:
        if not options.large:
            smaller = _in_smaller_type(view, brief, audit, digest, pages - 1)
            if smaller.end.page < pages:
                return smaller.sheet
        full = full or lay_out_sheet(html, options)
        return full if _pages(full) <= pages else digest
    return _with_less_text(view, options, audit, digest)


def _with_less_text(
    view: SheetView, options: PrintOptions, audit: Sequence[UnitAudit], digest: FittedSheet
) -> FittedSheet:
    """Return a sheet on one page whose digests, which are laid out, need more than that.

    Each level of brevity is tried in every size of type before the next; what is last is left out
    if even the shortest does not fit.
    """
    brief = replace(options, brevity=DIGESTS)
    levels = [brief, *(replace(options, brevity=brevity) for brevity in (NAMES, LINES, PROSE))]
    if not levels[-1].prose:
        levels.pop()
    laid_out = {DIGESTS: digest}
    if _size(digest, brief) > MUCH_TOO_LONG:
        laid_out[levels[-1].brevity] = shortest = _sheet(view, levels[-1], audit)
        if _pages(shortest) > 1:  # more text would need smaller type
            levels = levels[-1:]
    for level in levels:
        tried = _in_smaller_type(
            view, level, audit, laid_out.get(level.brevity) or _sheet(view, level, audit)
        )
        if tried.end.page == 1:
            return tried.sheet
    return _shortened(view, audit, tried)


def _in_smaller_type(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit],
    sheet: FittedSheet,
    pages: int = 1,
) -> Trial:
    """Return a laid out sheet in the largest type in which it has at most a number of pages.

    If no size is likely to be enough, it is the sheet as it is; if all that were tried are too
    long, that in the smallest type. Boxes and tracks keep their size.
    """
    tried = full = Trial.of(sheet, options)
    for scale in TYPE_SCALES:
        likely = full.end.pages_above * (1 - (1 - scale) * TYPE_PART) - TOLERANCE <= pages
        if tried.end.page > pages and likely:
            smaller = replace(options, type_scale=scale)
            tried = Trial.of(_sheet(view, smaller, audit), smaller)
    return tried


def _is_long(html: str) -> bool:
    """Return whether full texts hardly fit on a page: only a guess what to lay out first."""
    return len(html) - html.index("<body") > PAGE_OF_HTML


def _shortened(view: SheetView, audit: Sequence[UnitAudit], everything: Trial) -> FittedSheet:
    """Return a short sheet on one page, without what is last; a line at its end names that.

    ``everything`` is the sheet with nothing left out. Equipment and story, which are names, use the
    room that a vehicle is too large for. Attacks are in a table if that leaves nothing else out.
    """
    options, scale = everything.options, TYPE_SCALES[-1]
    guess = scale / options.type_scale
    options = replace(options, type_scale=scale)
    if options.fillable and options.prints("notes"):  # lines to write on are left out first
        options = replace(options, sections=options.sections - {"notes"})
        everything, guess = Trial.of(_sheet(view, options, audit), options), 1.0
    parts = [part for part in _short_parts(view) if part.section in options.sections]

    def with_pieces(pieces: Sequence[str], brevity: int = options.brevity) -> Sized:
        some, named = _without(view, replace(options, brevity=brevity), parts, pieces)
        return Sized.of(Trial.of(_sheet(some, named, audit), named))

    pieces = [piece for part in parts for piece in part.pieces]
    best, fitting = _most_that_fit(with_pieces, [], pieces, Sized.of(everything, guess))
    kept = pieces[:fitting]
    names = [piece for part in parts if part.section in ("gear", "story") for piece in part.pieces]
    if fitting and 0 < len(names) < len(pieces) - fitting:
        with_names = with_pieces([*kept, *names])
        best, number = _most_that_fit(with_pieces, kept, names, with_names, best)
        kept += names[:number]
    if options.prose and best.size < 1 - TOLERANCE:
        table = with_pieces(kept, LINES)
        if table.fits:
            best = table
    return best.sheet


class Sized(NamedTuple):
    """A short sheet and where it ends, in pages; at most 1 if it fits.

    ``places`` are where its pieces begin, in pages from its start. Measures may be ``guessed``.
    """

    sheet: FittedSheet
    size: float
    places: Mapping[str, float]
    guessed: bool

    @classmethod
    def of(cls, trial: Trial, guess: float = 1.0) -> Sized:
        """Return a sheet with its measures, or with those that it may have in smaller type."""
        places = {name: place.pages_above * guess for name, place in trial.places.items()}
        return cls(trial.sheet, places["end"], places, guess != 1)

    @property
    def fits(self) -> bool:
        """Whether it is one page."""
        return self.size <= 1 and not self.guessed

    def begun(self, pieces: Sequence[str]) -> int:
        """Return how many of some pieces begin on the first page."""
        return sum(self.places.get(piece, 1) < 1 for piece in pieces)


def _most_that_fit(
    with_pieces: Callable[[Sequence[str]], Sized],
    kept: Sequence[str],
    pieces: Sequence[str],
    everything: Sized,
    nothing: Sized | None = None,
) -> tuple[Sized, int]:
    """Return a sheet with the first of some pieces after those that are kept, and their number.

    ``everything`` is that with all pieces, ``nothing`` that with none, which fits. First what
    begins on other pages is left out, then ever more until the line that names it fits. Of those
    left out last, as many as fit are taken back.
    """
    if everything.fits:
        return everything, len(pieces)
    more, too_many, best, fitting = everything, len(pieces), nothing, 0
    for attempt in count():
        number = min(more.begun(pieces), max(too_many - 2**attempt, 0))
        if number == 0 and nothing:
            break
        trial = with_pieces([*kept, *pieces[:number]])
        if trial.fits or number == 0:
            best, fitting = trial, number
            break
        more, too_many = trial, number
    assert best is not None
    while True:
        # What begins on another page does so with less after it, too.
        most = too_many - 1 if more.guessed else min(more.begun(pieces), too_many - 1)
        if fitting >= most:
            return best, fitting
        number = (fitting + most + 1) // 2
        trial = with_pieces([*kept, *pieces[:number]])
        if trial.fits:
            best, fitting = trial, number
        else:
            more, too_many = trial, number


class ShortPart(NamedTuple):
    """A part of a short sheet whose pieces may be left out; an id is its name and a number."""

    name: str
    section: SheetSection
    label: str
    numbers: range

    @property
    def pieces(self) -> list[str]:
        """The ids of its pieces."""
        return [f"{self.name}-{number}" for number in self.numbers]


def _short_parts(view: SheetView) -> tuple[ShortPart, ...]:
    """Return the parts of a short sheet in the order in which they are printed."""
    items, unlisted = view.items_label or _("Equipment"), len(view.unlisted_items)
    units = enumerate(view.units, 1)
    return (
        ShortPart("attack", "fight", _("Attacks"), range(1, len(view.weapons) + 1)),
        ShortPart("ability", "abilities", view.cards_label, range(1, len(view.cards) + 1)),
        *(ShortPart("unit", "units", unit.name, range(at, at + 1)) for at, unit in units),
        ShortPart("item", "gear", items, range(1, unlisted + 1)),
        ShortPart("who", "story", _("Story"), range(1, 2)),
    )


def _without(
    view: SheetView, options: PrintOptions, parts: Sequence[ShortPart], pieces: Sequence[str]
) -> tuple[SheetView, PrintOptions]:
    """Return a view of these pieces of a short sheet, and options that name the others."""
    kept, left_out = Counter[str](), []
    for part in parts:
        number = len({*part.pieces}.intersection(pieces))
        kept[part.name] += number
        if number < len(part.numbers):
            some = f" ({len(part.numbers) - number})" if number else ""
            left_out.append(part.label + some)
    own_turn_first = sorted(view.cards, key=lambda card: not card.on_turn)
    view = view._replace(
        weapons=view.weapons[: kept["attack"]],
        cards=tuple(own_turn_first[: kept["ability"]]),
        units=view.units[: kept["unit"]],
        items=view.unlisted_items[: kept["item"]],
    )
    gone: set[SheetSection] = set() if kept["who"] else {"story"}
    if any(part.name == "item" and part.numbers for part in parts) and not kept["item"]:
        gone.add("gear")
    return view, replace(options, left_out=tuple(left_out), sections=options.sections - gone)


def _pages(sheet: FittedSheet) -> int:
    """Return the number of pages to the end of a sheet, without those of lines to write on."""
    pages = enumerate(sheet.document.pages, 1)
    return next(number for number, page in pages if "end" in page.anchors)


def _has_blank_pages(sheet: FittedSheet) -> bool:
    """Return whether there are pages after the end of a sheet: of lines to write on alone."""
    return len(sheet.document.pages) > _pages(sheet)


def _size(sheet: FittedSheet, options: PrintOptions) -> float:
    """Return the size of a short sheet in pages, of the last page the share that it takes."""
    return _places(sheet, options)["end"].pages_above


# ---------------------------------------------------------------- cards


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


def _fit_cards(view: SheetView, options: PrintOptions, cards: Sequence[PrintCard]) -> FittedSheet:
    """Return the pages of all cards, each in the first variant that fits.

    All cards are measured together, then only those that are too long.
    """
    ways = [variants(card, options) for card in cards]
    if not ways:
        raise UsageError(
            _("{name} has no cards to print").format(name=view.name),
            _("Choose others with --cards."),
        )
    sheet = _sheet(view, options, cards=[each[0] for each in ways])
    rooms = _measured(sheet, len(ways))
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
    return _sheet(view, options, cards=[card for parts in chosen for card in parts])


def _trial(
    view: SheetView, options: PrintOptions, trials: Mapping[int, Sequence[FittedCard]]
) -> dict[int, list[tuple[FittedCard, Room]]]:
    """Return the measures of variants of some cards, which are laid out together."""
    cards = [card for tried in trials.values() for card in tried]
    if not cards:
        return {number: [] for number in trials}
    rooms = iter(_measured(_sheet(view, options, cards=cards), len(cards)))
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


def _measured(sheet: FittedSheet, number: int) -> list[Room]:
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
