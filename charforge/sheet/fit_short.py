"""The short sheet on one page: with less text, in smaller type, without what is last.

It is laid out and measured, and what does not fit is laid out again one step smaller: first with
the full texts of rules, then with their digests, then in smaller type. What fits in no step is left
out, and a line at the end names it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

from charforge.language import _
from charforge.sheet.html import render_html
from charforge.sheet.laid_out import (
    TYPE_PART,
    LaidOutSheet,
    MeasuredSheet,
    lay_out_sheet,
    lay_out_view,
    number_of_pages,
    places_of,
)
from charforge.sheet.print_options import DIGESTS, LINES, NAMES, PROSE, PrintOptions, SheetSection
from charforge.sheet.values import UnitAudit
from charforge.sheet.view import SheetView

TYPE_SCALES = (0.9, 0.8)  # of the type of a short sheet; 0.8 of its text is 7 points
MUCH_TOO_LONG = 1.6  # pages of digests for which the briefest texts are laid out next
TOLERANCE = 0.03  # pages by which what fits is judged too large before it is laid out
PAGE_OF_HTML = 16_000  # characters of the HTML of a short sheet that fills a page


def fit_short(view: SheetView, options: PrintOptions, audit: Sequence[UnitAudit]) -> LaidOutSheet:
    """Return a short sheet on one page; in large print and blank on as few as possible.

    Long texts are laid out with digests first: if those need another page, so do full texts.
    """
    brief = replace(options, brevity=DIGESTS)
    html, brief_html = render_html(view, options, audit), render_html(view, brief, audit)
    full = None if _is_long(html) and html != brief_html else lay_out_sheet(html, options)
    if full and (number_of_pages(full) == 1 or html == brief_html):
        digest = full
    else:
        digest = lay_out_sheet(brief_html, options)
    pages = number_of_pages(digest)
    if pages == 1:
        return digest
    if options.large or options.blank:
        if not options.large:
            smaller = _in_smaller_type(view, brief, audit, digest, pages - 1)
            if smaller.end.page < pages:
                return smaller.sheet
        full = full or lay_out_sheet(html, options)
        return full if number_of_pages(full) <= pages else digest
    return _with_less_text(view, options, audit, digest)


def _with_less_text(
    view: SheetView, options: PrintOptions, audit: Sequence[UnitAudit], digest: LaidOutSheet
) -> LaidOutSheet:
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
        laid_out[levels[-1].brevity] = shortest = lay_out_view(view, levels[-1], audit)
        if number_of_pages(shortest) > 1:  # more text would need smaller type
            levels = levels[-1:]
    for level in levels:
        tried = _in_smaller_type(
            view, level, audit, laid_out.get(level.brevity) or lay_out_view(view, level, audit)
        )
        if tried.end.page == 1:
            return tried.sheet
    return shortened(view, audit, tried)


def _in_smaller_type(
    view: SheetView,
    options: PrintOptions,
    audit: Sequence[UnitAudit],
    sheet: LaidOutSheet,
    pages: int = 1,
) -> MeasuredSheet:
    """Return a laid out sheet in the largest type in which it has at most a number of pages.

    If no size is likely to be enough, it is the sheet as it is; if all that were tried are too
    long, that in the smallest type. Boxes and tracks keep their size.
    """
    tried = full = MeasuredSheet.of(sheet, options)
    for scale in TYPE_SCALES:
        likely = full.end.pages_above * (1 - (1 - scale) * TYPE_PART) - TOLERANCE <= pages
        if tried.end.page > pages and likely:
            smaller = replace(options, type_scale=scale)
            tried = MeasuredSheet.of(lay_out_view(view, smaller, audit), smaller)
    return tried


def _is_long(html: str) -> bool:
    """Return whether full texts hardly fit on a page: only a guess what to lay out first."""
    return len(html) - html.index("<body") > PAGE_OF_HTML


def shortened(
    view: SheetView, audit: Sequence[UnitAudit], everything: MeasuredSheet
) -> LaidOutSheet:
    """Return a short sheet on one page, without what is last; a line at its end names that.

    ``everything`` is the sheet with nothing left out. Equipment and story, which are names, use the
    room that a vehicle is too large for. Attacks are in a table if that leaves nothing else out.
    """
    options, scale = everything.options, TYPE_SCALES[-1]
    guess = scale / options.type_scale
    options = replace(options, type_scale=scale)
    if options.fillable and options.prints("notes"):  # lines to write on are left out first
        options = replace(options, sections=options.sections - {"notes"})
        everything, guess = MeasuredSheet.of(lay_out_view(view, options, audit), options), 1.0
    parts = [part for part in short_parts(view) if part.section in options.sections]

    def with_pieces(pieces: Sequence[str], brevity: int = options.brevity) -> Sized:
        some, named = _without(view, replace(options, brevity=brevity), parts, pieces)
        return Sized.of(MeasuredSheet.of(lay_out_view(some, named, audit), named))

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

    sheet: LaidOutSheet
    size: float
    places: Mapping[str, float]
    guessed: bool

    @classmethod
    def of(cls, trial: MeasuredSheet, guess: float = 1.0) -> Sized:
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


def short_parts(view: SheetView) -> tuple[ShortPart, ...]:
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


def _size(sheet: LaidOutSheet, options: PrintOptions) -> float:
    """Return the size of a short sheet in pages, of the last page the share that it takes."""
    return places_of(sheet, options)["end"].pages_above
